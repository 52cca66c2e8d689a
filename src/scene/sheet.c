/* The first column of the sheet holds the row labels; all columns are equally wide. */
#include "scene/sheet.h"

#include "draw/font.h"

/* Sizes of the design at scale 1. */
enum { LINE = 18, HEADER = 20, LABEL_WIDTH = 64, GAP = 8 };

static Rect cell_rect(const Canvas *canvas, Rect rect, const Sheet *sheet, int row, int column) {
    int left = canvas_px(canvas, LABEL_WIDTH), columns = sheet->table->columns.count;
    int line = canvas_px(canvas, LINE), y = rect.y + canvas_px(canvas, HEADER) + row * line;
    int from = (rect.w - left) * column / columns, to = (rect.w - left) * (column + 1) / columns;
    if (column < 0) return (Rect){rect.x, y, left, line};
    return (Rect){rect.x + left + from, y, to - from, line};
}

int sheet_height(Canvas *canvas, const Sheet *sheet) {
    return canvas_px(canvas, HEADER) + sheet->table->rows.count * canvas_px(canvas, LINE);
}

static void draw_header(Canvas *canvas, Rect rect, const Sheet *sheet) {
    TextStyle dim = {FONT_UI, FONT_SMALL, canvas->theme->dim};
    for (int j = -1; j < sheet->table->columns.count; j++) {
        Rect place = cell_rect(canvas, rect, sheet, 0, j);
        place.y = rect.y;
        place.x += canvas_px(canvas, GAP);
        place.w -= canvas_px(canvas, GAP);
        font_draw_in(canvas, dim, place, TEXT_RIGHT,
                     j < 0 ? sheet->table->rows.name : sheet->table->columns.labels[j].text);
    }
    int thick = canvas_px(canvas, canvas->theme->line_width);
    int y = rect.y + canvas_px(canvas, HEADER) - thick;
    canvas_fill(canvas, (Rect){rect.x, y, rect.w, thick}, canvas->theme->line);
}

static void draw_row(Canvas *canvas, Rect rect, const Sheet *sheet, int row) {
    const Theme *theme = canvas->theme;
    bool chosen = row == sheet->row;
    TextStyle number = {chosen ? FONT_MONO_BOLD : FONT_MONO, FONT_NUMBER,
                        chosen ? theme->acc : theme->ink};
    int columns = sheet->table->columns.count;
    font_draw_in(canvas, number, cell_rect(canvas, rect, sheet, row, -1), TEXT_RIGHT,
                 sheet->table->rows.labels[row].text);
    for (int j = 0; j < columns; j++) {
        Rect place = cell_rect(canvas, rect, sheet, row, j);
        TextStyle style = number;
        if (table_state(sheet->table, row, j) != CELL_OK) style.color = theme->dim;
        font_draw_in(canvas, style, place, TEXT_RIGHT, sheet->words[row * columns + j]);
        if (!chosen || j != sheet->column) continue;
        int thick = canvas_px(canvas, 1),
            width = font_width(canvas, style, sheet->words[row * columns + j]);
        canvas_fill(canvas,
                    (Rect){place.x + place.w - width, place.y + place.h - thick, width, thick},
                    theme->acc);
    }
}

void sheet_draw(Canvas *canvas, Rect rect, const Sheet *sheet) {
    Canvas inside = canvas_clipped(canvas, rect);
    draw_header(&inside, rect, sheet);
    for (int i = 0; i < sheet->table->rows.count; i++) draw_row(&inside, rect, sheet, i);
}

bool sheet_locate(Canvas *canvas, Rect rect, const Sheet *sheet, int x, int y, Cell *cell) {
    for (int i = 0; i < sheet->table->rows.count; i++)
        for (int j = 0; j < sheet->table->columns.count; j++) {
            if (!rect_contains(cell_rect(canvas, rect, sheet, i, j), x, y)) continue;
            *cell = (Cell){i, j};
            return true;
        }
    return false;
}
