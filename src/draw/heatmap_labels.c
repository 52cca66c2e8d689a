/* Labels along an axis. One piece of code serves both axes: lengths are measured across the axis,
 * and only at the last moment is a label written level beside a row or turned above a column. The
 * pieces of one character stand under a bracket that spells it. Where not every label has a place,
 * every n-th is written with a tick, and the chosen one always. */
#include "draw/heatmap_parts.h"

#include <stdlib.h>
#include <string.h>

HeatmapSide heatmap_side(const HeatmapPlan *plan, const Table *table, const HeatmapStyle *style,
                         bool down) {
    if (down)
        return (HeatmapSide){.axis = &table->rows,
                             .down = true,
                             .first = plan->first_row,
                             .shown = plan->shown_rows,
                             .pool = plan->pool_y,
                             .cell = plan->cell_h,
                             .start = plan->matrix.y,
                             .step = plan->row_label_step,
                             .size = plan->row_label_size,
                             .numbers = plan->row_numbers,
                             .room = plan->row_labels.w,
                             .chosen = style->row};
    return (HeatmapSide){.axis = &table->columns,
                         .first = plan->first_column,
                         .shown = plan->shown_columns,
                         .pool = plan->pool_x,
                         .cell = plan->cell_w,
                         .start = plan->matrix.x,
                         .step = plan->column_label_step,
                         .size = plan->column_label_size,
                         .numbers = plan->column_numbers,
                         .room = plan->column_labels.h,
                         .chosen = style->column};
}

bool heatmap_side_counts(const TableAxis *axis) {
    int start = 0;
    if (axis->count == 0 || !text_to_int(axis->labels[0].text, &start)) return false;
    for (int i = 1, value = 0; i < axis->count; i++)
        if (!text_to_int(axis->labels[i].text, &value) || value != start + i) return false;
    return true;
}

static TextStyle label_style(const HeatmapSide *side, FontFace face, Color color) {
    return (TextStyle){side->numbers ? FONT_MONO : face, side->size, color};
}

/* The bold face is the wider one: what fits in it fits however the selection moves. */
static TextStyle measuring_style(const HeatmapSide *side) {
    return label_style(side, FONT_BOLD, 0);
}

/* Neighbours [first, end) that spell one character. */
typedef struct Run {
    int first, end;
} Run;

static bool has_bracket(const HeatmapSide *side, int index) {
    const Label *label = &side->axis->labels[index];
    return side->step == 1 && side->pool == 1 && label->group != LABEL_NO_GROUP &&
           label->group_text;
}

static Run run_at(const HeatmapSide *side, int index) {
    int group = side->axis->labels[index].group;
    Run run = {index, index + 1};
    while (run.first > side->first && side->axis->labels[run.first - 1].group == group) run.first--;
    while (run.end < side->first + side->shown && side->axis->labels[run.end].group == group)
        run.end++;
    return run;
}

/* A bracket's text lies level above columns when it is no wider than they are. */
static bool bracket_level(Canvas *canvas, const HeatmapSide *side, Run run) {
    if (side->down) return true;
    const char *text = side->axis->labels[run.first].group_text;
    return font_width(canvas, measuring_style(side), text) <= (run.end - run.first) * side->cell;
}

/* Pixels that the bracket and its text take beyond the labels. */
static int bracket_room(Canvas *canvas, const HeatmapSide *side, int index) {
    if (!has_bracket(side, index)) return 0;
    Run run = run_at(side, index);
    TextStyle style = measuring_style(side);
    bool high = !side->down && bracket_level(canvas, side, run);
    int text = high ? font_height(canvas, style)
                    : font_width(canvas, style, side->axis->labels[index].group_text);
    return canvas_px(canvas, 9) + text;
}

static int label_width(Canvas *canvas, const HeatmapSide *side, int index) {
    TextStyle style = measuring_style(side);
    if (side->numbers && !side->down) return font_height(canvas, style);
    return font_width(canvas, style, side->axis->labels[index].text);
}

bool heatmap_side_written(const HeatmapSide *side, int index) {
    if (index == side->chosen || side->step == 1) return true;
    /* Steps of numbers are rounded up, so that they leave some room. */
    int clear = side->numbers ? (side->step * 4 + 4) / 5 : side->step;
    bool crowded = side->chosen >= 0 && abs(index - side->chosen) < clear;
    return index % side->step == 0 && !crowded;
}

int heatmap_side_room(Canvas *canvas, const HeatmapSide *side) {
    int room = 0;
    int from = (side->first + side->step - 1) / side->step * side->step;
    for (int i = from; i < side->first + side->shown; i += side->step) {
        int width = label_width(canvas, side, i) + bracket_room(canvas, side, i);
        if (width > room) room = width;
    }
    return room;
}

static int text_room(Canvas *canvas, const HeatmapSide *side, int index) {
    int room = side->room - bracket_room(canvas, side, index);
    return room > 0 ? room : 0;
}

bool heatmap_side_shortened(Canvas *canvas, const HeatmapSide *side, int index) {
    return index % side->step == 0 &&
           label_width(canvas, side, index) > text_room(canvas, side, index);
}

/* The middle of the square of a label, along the axis. */
static int middle_of(const HeatmapPlan *plan, const HeatmapSide *side, int index) {
    return side->start + (index - side->first) / side->pool * side->cell +
           (side->cell - plan->gap) / 2;
}

static const char *text_drawn(Canvas *canvas, const HeatmapSide *side, int index) {
    const char *text = side->axis->labels[index].text;
    if (side->numbers) return text;
    return font_shorten(canvas, measuring_style(side), text, text_room(canvas, side, index));
}

static void draw_number(Canvas *canvas, const HeatmapPlan *plan, const HeatmapSide *side, int index,
                        bool chosen) {
    const Theme *theme = canvas->theme;
    TextStyle style = {chosen ? FONT_MONO_BOLD : FONT_MONO, side->size,
                       chosen ? theme->acc : theme->dim};
    const char *text = side->axis->labels[index].text;
    int width = font_width(canvas, style, text), height = font_height(canvas, style);
    int middle = middle_of(plan, side, index);
    Rect rows = plan->row_labels, columns = plan->column_labels;
    if (side->down)
        font_draw(canvas, style, rows.x + rows.w - width, middle - height / 2, text);
    else
        font_draw(canvas, style, middle - width / 2, columns.y + columns.h - height, text);
}

static void draw_words(Canvas *canvas, const HeatmapPlan *plan, const HeatmapSide *side, int index,
                       TextStyle style, const char *text) {
    int at = middle_of(plan, side, index) - font_height(canvas, style) / 2;
    Rect rows = plan->row_labels, columns = plan->column_labels;
    if (side->down)
        font_draw(canvas, style, rows.x + rows.w - font_width(canvas, style, text), at, text);
    else
        font_draw_up(canvas, style, at, columns.y + columns.h, text);
}

static TextStyle chosen_style(const Canvas *canvas, const HeatmapSide *side) {
    return label_style(side, FONT_BOLD, canvas->theme->acc);
}

/* Where labels are left out, the margin is made for those that are not; the chosen one may be
 * longer, up to the edge. */
static const char *chosen_text(Canvas *canvas, const HeatmapPlan *plan, const HeatmapSide *side) {
    Rect rows = plan->row_labels, columns = plan->column_labels;
    int room = side->down ? rows.x + rows.w - plan->rect.x : columns.y + columns.h - plan->rect.y;
    return font_shorten(canvas, chosen_style(canvas, side), side->axis->labels[side->chosen].text,
                        room - 3);
}

static bool chosen_in_sight(const HeatmapSide *side) {
    return side->chosen >= side->first && side->chosen < side->first + side->shown;
}

Rect heatmap_label_over(Canvas *canvas, const HeatmapPlan *plan, const HeatmapSide *side) {
    if (side->step == 1 || side->numbers || !chosen_in_sight(side)) return (Rect){0};
    TextStyle style = chosen_style(canvas, side);
    int width = font_width(canvas, style, chosen_text(canvas, plan, side));
    int height = font_height(canvas, style), at = middle_of(plan, side, side->chosen) - height / 2;
    Rect rows = plan->row_labels, columns = plan->column_labels;
    if (side->down) return (Rect){rows.x + rows.w - width, at, width, height};
    return (Rect){at, columns.y + columns.h - width, height, width};
}

static void draw_label(Canvas *canvas, const HeatmapPlan *plan, const HeatmapSide *side,
                       int index) {
    const Theme *theme = canvas->theme;
    bool chosen = index == side->chosen, dim = side->axis->labels[index].padding;
    if (side->numbers) {
        draw_number(canvas, plan, side, index, chosen);
        return;
    }
    TextStyle style = chosen ? chosen_style(canvas, side)
                             : label_style(side, FONT_UI, dim ? theme->dim : theme->ink);
    bool over = chosen && side->step > 1;
    if (over) canvas_fill(canvas, heatmap_label_over(canvas, plan, side), theme->bg);
    draw_words(canvas, plan, side, index, style,
               over ? chosen_text(canvas, plan, side) : text_drawn(canvas, side, index));
}

static void draw_tick(Canvas *canvas, const HeatmapPlan *plan, const HeatmapSide *side, int index) {
    int at = middle_of(plan, side, index), length = canvas_px(canvas, 5);
    int line = canvas_px(canvas, 1);
    Rect down = {plan->matrix.x - line - length, at, length, line};
    Rect across = {at, plan->matrix.y - line - length, line, length};
    canvas_fill(canvas, side->down ? down : across,
                index == side->chosen ? canvas->theme->acc : canvas->theme->dim);
}

/* A bracket at a distance from the matrix: its back and two short ends towards the labels. */
static void draw_bracket_lines(Canvas *canvas, const HeatmapSide *side, int from, int to,
                               int back) {
    int line = canvas_px(canvas, 1), end = canvas_px(canvas, 3);
    Color color = canvas->theme->dim;
    if (side->down) {
        canvas_fill(canvas, (Rect){back, from, line, to - from}, color);
        canvas_fill(canvas, (Rect){back, from, end, line}, color);
        canvas_fill(canvas, (Rect){back, to - line, end, line}, color);
    } else {
        canvas_fill(canvas, (Rect){from, back, to - from, line}, color);
        canvas_fill(canvas, (Rect){from, back, line, end}, color);
        canvas_fill(canvas, (Rect){to - line, back, line, end}, color);
    }
}

static void draw_bracket_text(Canvas *canvas, const HeatmapSide *side, Run run, int middle,
                              int edge) {
    TextStyle style = label_style(side, FONT_UI, canvas->theme->ink);
    const char *text = side->axis->labels[run.first].group_text;
    int width = font_width(canvas, style, text), height = font_height(canvas, style);
    if (side->down)
        font_draw(canvas, style, edge - width, middle - height / 2, text);
    else if (bracket_level(canvas, side, run))
        font_draw(canvas, style, middle - width / 2, edge - height, text);
    else
        font_draw_up(canvas, style, middle - height / 2, edge, text);
}

static void draw_bracket(Canvas *canvas, const HeatmapPlan *plan, const HeatmapSide *side,
                         Run run) {
    int widest = 0, inset = canvas_px(canvas, 2);
    for (int i = run.first; i < run.end; i++) {
        int width = font_width(canvas, measuring_style(side), text_drawn(canvas, side, i));
        if (width > widest) widest = width;
    }
    Rect rows = plan->row_labels, columns = plan->column_labels;
    int near = side->down ? rows.x + rows.w : columns.y + columns.h;
    int back = near - widest - canvas_px(canvas, 5);
    int from = side->start + (run.first - side->first) * side->cell + inset;
    int to = side->start + (run.end - side->first) * side->cell - plan->gap - inset;
    draw_bracket_lines(canvas, side, from, to, back);
    draw_bracket_text(canvas, side, run, (from + to) / 2, back - canvas_px(canvas, 4));
}

static void draw_brackets(Canvas *canvas, const HeatmapPlan *plan, const HeatmapSide *side) {
    for (int i = side->first; i < side->first + side->shown; i++) {
        if (!has_bracket(side, i)) continue;
        Run run = run_at(side, i);
        draw_bracket(canvas, plan, side, run);
        i = run.end - 1;
    }
}

void heatmap_labels_draw(Canvas *canvas, const HeatmapPlan *plan, const HeatmapSide *side) {
    int end = side->first + side->shown;
    for (int i = side->first; i < end; i++) {
        if (!heatmap_side_written(side, i)) continue;
        if (i != side->chosen) draw_label(canvas, plan, side, i);
        if (side->step > 1) draw_tick(canvas, plan, side, i);
    }
    draw_brackets(canvas, plan, side);
}

void heatmap_label_chosen(Canvas *canvas, const HeatmapPlan *plan, const HeatmapSide *side) {
    if (chosen_in_sight(side)) draw_label(canvas, plan, side, side->chosen);
}
