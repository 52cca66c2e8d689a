/* The plan of a plot and all of it but the curves: title, axes, ticks, grid, zones, markers. */
#include "draw/plot_parts.h"

#include "base/text.h"

#include <math.h>

/* Sizes of the design at scale 1. */
enum { GAP = 4, TITLE_GAP = 6, TICK = 4, TICK_ROOM_X = 56, TICK_ROOM_Y = 34, SMALLEST_AREA = 8 };

static const double HIT_GAP = 4, RING = 4.5, MARKER_DASH = 3;

static TextStyle tick_style(const Canvas *canvas) {
    return (TextStyle){FONT_MONO, FONT_SMALL, canvas->theme->dim};
}

static TextStyle small_style(const Canvas *canvas) {
    return (TextStyle){FONT_UI, FONT_SMALL, canvas->theme->dim};
}

/* The lattice stays thin where the theme has thicker lines: the curves are what is read. */
static int lattice(const Canvas *canvas) {
    return canvas_px(canvas, 1);
}

static int hairline(const Canvas *canvas) {
    return canvas_px(canvas, canvas->theme->line_width);
}

/* Whether there is a line of labels above the area. */
static bool has_labels_above(const Plot *plot) {
    for (int i = 0; i < plot->marker_count; i++)
        if (plot->markers[i].label) return true;
    for (int i = 0; i < plot->zone_count; i++)
        if (plot->zones[i].label) return true;
    return false;
}

static int ticks_width(Canvas *canvas, const PlotScale *scale) {
    int widest = 0;
    for (int i = 0; i < scale->tick_count; i++) {
        const char *text = plot_tick_text(scale, scale->ticks[i], canvas->arena);
        int width = font_width(canvas, tick_style(canvas), text);
        if (width > widest) widest = width;
    }
    return widest;
}

/* Takes the lines above and below the area from it. */
static void plan_height(Canvas *canvas, PlotPlan *plan, const Plot *plot) {
    int line = font_height(canvas, small_style(canvas)), gap = canvas_px(canvas, GAP);
    int above = font_height(canvas, tick_style(canvas)) / 2, below = gap;
    if (plot->title) above = line + canvas_px(canvas, TITLE_GAP);
    if (has_labels_above(plot)) above += line + (plot->title ? 0 : gap);
    below += canvas_px(canvas, TICK) + font_height(canvas, tick_style(canvas));
    if (plot->x.name) below += line;
    plan->area.y += above;
    plan->area.h -= above + below;
    int smallest = canvas_px(canvas, SMALLEST_AREA);
    if (plan->area.h < smallest) plan->area.h = smallest;
    plan->y.start = plan->area.y + plan->area.h;
    plan->y.length = -plan->area.h;
    plot_ticks(&plan->y, &plot->y, canvas_px(canvas, TICK_ROOM_Y));
}

static void plan_width(Canvas *canvas, PlotPlan *plan, const Plot *plot) {
    int gap = canvas_px(canvas, GAP);
    int left = ticks_width(canvas, &plan->y) + 2 * gap;
    if (plot->y.name) left += font_height(canvas, small_style(canvas)) + gap;
    plan->label_width = plot_labels_width(canvas, plot);
    if (plan->label_width > plan->rect.w * 2 / 5) plan->label_width = plan->rect.w * 2 / 5;
    /* the last tick's text stands in the middle under the end of the axis */
    int half = font_width(canvas, tick_style(canvas), "00000") / 2;
    int right = plan->label_width > half ? plan->label_width : half;
    plan->area.x += left;
    plan->area.w -= left + right;
    int smallest = canvas_px(canvas, SMALLEST_AREA);
    if (plan->area.w < smallest) plan->area.w = smallest;
    plan->x.start = plan->area.x;
    plan->x.length = plan->area.w;
    plot_ticks(&plan->x, &plot->x, canvas_px(canvas, TICK_ROOM_X));
    int widest = ticks_width(canvas, &plan->x) + 2 * gap;
    if (widest > canvas_px(canvas, TICK_ROOM_X)) plot_ticks(&plan->x, &plot->x, widest);
}

PlotPlan plot_plan(Canvas *canvas, Rect rect, const Plot *plot) {
    PlotPlan plan = {.rect = rect, .area = rect};
    plot_scales(&plan, plot);
    plan_height(canvas, &plan, plot);
    plan_width(canvas, &plan, plot);
    return plan;
}

static int column_of(const PlotPlan *plan, double value) {
    double place = plot_place(&plan->x, value);
    if (!isfinite(place)) return plan->area.x;
    return (int)lround(fmin(fmax(place, plan->area.x), plan->area.x + plan->area.w));
}

static Color zone_ground(const Theme *theme, const PlotZone *zone) {
    return zone->plain ? theme->bg : color_mix(theme->bg, theme->ink, 0.055);
}

/* Grounds of the zones; their labels come after the curves. */
static void draw_zones(Canvas *canvas, const PlotPlan *plan, const Plot *plot) {
    const Theme *theme = canvas->theme;
    for (int i = 0; i < plot->zone_count; i++) {
        const PlotZone *zone = &plot->zones[i];
        int left = column_of(plan, zone->from), right = column_of(plan, zone->to);
        Rect ground = {left, plan->area.y, right - left, plan->area.h};
        if (!zone->plain) canvas_fill(canvas, ground, zone_ground(theme, zone));
        bool inner = left > plan->area.x && left < plan->area.x + plan->area.w;
        if (inner)
            canvas_fill(canvas, (Rect){left, plan->area.y, hairline(canvas), plan->area.h},
                        theme->line2);
    }
}

typedef struct Span {
    int from, to;
} Span;

/* Where the label of a marker stands; empty when there is none to see. */
static Span marker_span(Canvas *canvas, const PlotPlan *plan, const PlotMarker *marker) {
    double place = plot_place(&plan->x, marker->x);
    bool seen = place >= plan->area.x - 0.5 && place <= plan->area.x + plan->area.w + 0.5;
    if (!seen || !marker->label) return (Span){0, 0};
    TextStyle style = {FONT_BOLD, FONT_SMALL, marker->color};
    int width = font_width(canvas, style, marker->label), left = (int)lround(place) - width / 2;
    int most = plan->rect.x + plan->rect.w - width;
    if (left > most) left = most;
    if (left < plan->rect.x) left = plan->rect.x;
    return (Span){left, left + width};
}

static bool is_free(Canvas *canvas, const PlotPlan *plan, const Plot *plot, Span span) {
    int gap = canvas_px(canvas, GAP);
    for (int i = 0; i < plot->marker_count; i++) {
        Span taken = marker_span(canvas, plan, &plot->markers[i]);
        if (taken.from < span.to + gap && span.from < taken.to + gap) return false;
    }
    return true;
}

/* Above the right end of its zone, or the left one when a marker's label stands there; and when
 * both are taken, below in the zone on a patch of its ground. */
static void draw_zone_label(Canvas *canvas, const PlotPlan *plan, const Plot *plot,
                            const PlotZone *zone) {
    int line = font_height(canvas, small_style(canvas)), gap = canvas_px(canvas, GAP);
    int left = column_of(plan, zone->from), right = column_of(plan, zone->to);
    if (!zone->label || right - left < 3 * line) return;
    int room = right - left - 2 * gap;
    bool whole = !zone->brief || font_width(canvas, small_style(canvas), zone->label) <= room;
    const char *text =
        font_shorten(canvas, small_style(canvas), whole ? zone->label : zone->brief, room);
    int width = font_width(canvas, small_style(canvas), text);
    int y = plan->area.y - gap / 2 - line;
    Span ends[] = {{right - gap - width, right - gap}, {left + gap, left + gap + width}};
    for (int i = 0; i < 2; i++)
        if (is_free(canvas, plan, plot, ends[i])) {
            font_draw(canvas, small_style(canvas), ends[i].from, y, text);
            return;
        }
    Rect patch = {left + gap, plan->area.y + plan->area.h - line - gap, width + 2 * gap, line};
    canvas_fill(canvas, patch, zone_ground(canvas->theme, zone));
    font_draw(canvas, small_style(canvas), patch.x + gap, patch.y, text);
}

static void draw_y_axis(Canvas *canvas, const PlotPlan *plan, const Plot *plot) {
    int gap = canvas_px(canvas, GAP), line = font_height(canvas, tick_style(canvas));
    int thick = lattice(canvas);
    for (int i = 0; i < plan->y.tick_count; i++) {
        double value = plan->y.ticks[i];
        int y = (int)lround(plot_place(&plan->y, value));
        bool zero = value == 0 && !plan->y.log;
        canvas_fill(canvas, (Rect){plan->area.x, y, plan->area.w, thick},
                    zero ? canvas->theme->line2 : canvas->theme->line);
        Rect text = {plan->rect.x, y - line / 2, plan->area.x - 2 * gap - plan->rect.x, line};
        font_draw_in(canvas, tick_style(canvas), text, TEXT_RIGHT,
                     plot_tick_text(&plan->y, value, canvas->arena));
    }
    if (!plot->y.name) return;
    int length = font_width(canvas, small_style(canvas), plot->y.name);
    font_draw_up(canvas, small_style(canvas), plan->rect.x,
                 plan->area.y + (plan->area.h + length) / 2, plot->y.name);
}

static void draw_x_axis(Canvas *canvas, const PlotPlan *plan, const Plot *plot) {
    int bottom = plan->area.y + plan->area.h, thick = hairline(canvas);
    int tick = canvas_px(canvas, TICK), line = font_height(canvas, tick_style(canvas));
    canvas_fill(canvas, (Rect){plan->area.x, bottom, plan->area.w, thick}, canvas->theme->line2);
    for (int i = 0; i < plan->x.tick_count; i++) {
        int x = (int)lround(plot_place(&plan->x, plan->x.ticks[i]));
        if (plan->x.log)
            canvas_fill(canvas, (Rect){x, plan->area.y, lattice(canvas), plan->area.h},
                        canvas->theme->line);
        canvas_fill(canvas, (Rect){x, bottom, thick, tick}, canvas->theme->line2);
        const char *text = plot_tick_text(&plan->x, plan->x.ticks[i], canvas->arena);
        int width = font_width(canvas, tick_style(canvas), text);
        font_draw(canvas, tick_style(canvas), x - width / 2, bottom + tick + canvas_px(canvas, GAP),
                  text);
    }
    if (!plot->x.name) return;
    int below = bottom + tick + canvas_px(canvas, GAP) + line;
    Rect name = {plan->area.x, below, plan->area.w, font_height(canvas, small_style(canvas))};
    font_draw_in(canvas, small_style(canvas), name, TEXT_RIGHT, plot->x.name);
}

static void draw_dashes(Canvas *canvas, Rect line, Color color) {
    int dash = canvas_px(canvas, MARKER_DASH);
    for (int y = line.y; y < line.y + line.h; y += 2 * dash) {
        int height = line.y + line.h - y < dash ? line.y + line.h - y : dash;
        canvas_fill(canvas, (Rect){line.x, y, line.w, height}, color);
    }
}

/* Labels that would meet are moved to the right. */
static void draw_markers(Canvas *canvas, const PlotPlan *plan, const Plot *plot) {
    int line = font_height(canvas, small_style(canvas)), gap = canvas_px(canvas, GAP);
    int free = plan->rect.x;
    for (int i = 0; i < plot->marker_count; i++) {
        const PlotMarker *marker = &plot->markers[i];
        double place = plot_place(&plan->x, marker->x);
        bool seen = place >= plan->area.x - 0.5 && place <= plan->area.x + plan->area.w + 0.5;
        if (!seen) continue;
        draw_dashes(canvas,
                    (Rect){(int)lround(place), plan->area.y, hairline(canvas), plan->area.h},
                    marker->color);
        if (!marker->label) continue;
        Span span = marker_span(canvas, plan, marker);
        int left = span.from < free ? free : span.from;
        font_draw(canvas, (TextStyle){FONT_BOLD, FONT_SMALL, marker->color}, left,
                  plan->area.y - gap / 2 - line, marker->label);
        free = left + span.to - span.from + gap;
    }
}

static void draw_chosen(Canvas *canvas, const PlotPlan *plan, const Plot *plot) {
    if (plot->chosen_curve < 0 || plot->chosen_curve >= plot->curve_count) return;
    const PlotCurve *curve = &plot->curves[plot->chosen_curve];
    if (plot->chosen_point < 0 || plot->chosen_point >= curve->count) return;
    double x = plot_place(&plan->x, plot_point_x(curve, plot->chosen_point));
    double y = plot_place(&plan->y, plot_point_y(curve, plot->chosen_point));
    double radius = RING * canvas->scale;
    Canvas inside = canvas_clipped(canvas, rect_inset(plan->area, -(int)radius, -(int)radius));
    canvas_disc(&inside, x, y, radius, canvas->theme->ink);
    canvas_disc(&inside, x, y, radius - 1.5 * canvas->scale, canvas->theme->bg);
    canvas_disc(&inside, x, y, radius - 2.5 * canvas->scale, curve->color);
}

static void draw_curves(Canvas *canvas, const PlotPlan *plan, const Plot *plot, bool quiet) {
    for (int i = 0; i < plot->curve_count; i++) {
        int at = plot->last_on_top ? i : plot->curve_count - 1 - i;
        if (plot->curves[at].quiet == quiet) plot_curve_draw(canvas, plan, &plot->curves[at]);
    }
}

/* What stays while markers move and points are chosen, on a ground of its own. */
static void draw_still(Canvas *canvas, const PlotPlan *plan, const Plot *plot) {
    canvas_fill(canvas, plan->rect, canvas->theme->bg);
    draw_zones(canvas, plan, plot);
    draw_y_axis(canvas, plan, plot);
    draw_x_axis(canvas, plan, plot);
    if (plot->title)
        font_draw_in(canvas, small_style(canvas),
                     (Rect){plan->area.x, plan->rect.y, plan->rect.x + plan->rect.w - plan->area.x,
                            font_height(canvas, small_style(canvas))},
                     TEXT_LEFT, plot->title);
    for (int i = 0; i < plot->band_count; i++) plot_band_draw(canvas, plan, &plot->bands[i]);
    draw_curves(canvas, plan, plot, true);
    draw_curves(canvas, plan, plot, false);
    plot_labels_draw(canvas, plan, plot);
}

void plot_draw(Canvas *canvas, const PlotPlan *plan, const Plot *plot) {
    Canvas inside = canvas_clipped(canvas, plan->rect);
    Arena scratch = *canvas->arena;
    LayerKey key = plot_key(canvas, plan, plot, &scratch);
    if (!layer_draw(&inside, plan->rect, key)) {
        Canvas still = inside;
        still.arena = &scratch;
        draw_still(&still, plan, plot);
        layer_keep(&still, plan->rect, key);
    }
    draw_markers(&inside, plan, plot);
    for (int i = 0; i < plot->zone_count; i++)
        draw_zone_label(&inside, plan, plot, &plot->zones[i]);
    draw_chosen(&inside, plan, plot);
}

static int nearest_point(const PlotPlan *plan, const PlotCurve *curve, double x) {
    int low = 0, high = curve->count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        *(plot_place(&plan->x, plot_point_x(curve, middle)) < x ? &low : &high) = middle;
    }
    double before = fabs(plot_place(&plan->x, plot_point_x(curve, low)) - x);
    double after = fabs(plot_place(&plan->x, plot_point_x(curve, high)) - x);
    return after < before ? high : low;
}

typedef struct Candidate {
    int curve, point;
    double place;
} Candidate;

/* Sorted in: of curves in the same place the first comes first. */
static void add_candidate(Candidate *list, int *count, Candidate added) {
    int at = (*count)++;
    for (; at > 0 && list[at - 1].place > added.place; at--) list[at] = list[at - 1];
    list[at] = added;
}

/* The nearest points of all curves by height. Where curves meet they are taken apart a little, so
 * that each of them can be pointed at. */
static int find_candidates(const PlotPlan *plan, const Plot *plot, int x, Candidate *list,
                           double gap, Arena scratch) {
    int count = 0;
    for (int i = 0; i < plot->curve_count; i++) {
        const PlotCurve *curve = &plot->curves[i];
        if (curve->count < 1 || curve->quiet) continue;
        int point = nearest_point(plan, curve, x);
        double place = plot_place(&plan->y, plot_point_y(curve, point));
        if (isfinite(place)) add_candidate(list, &count, (Candidate){i, point, place});
    }
    double *places = ARENA_ARRAY(&scratch, double, count);
    for (int i = 0; i < count; i++) places[i] = list[i].place;
    plot_spread(places, count, gap, plan->area.y, plan->area.y + plan->area.h - 1, scratch);
    for (int i = 0; i < count; i++) list[i].place = places[i];
    return count;
}

static void set_hit(const Plot *plot, int curve, int point, PlotHit *hit) {
    *hit = (PlotHit){curve, point, plot_point_x(&plot->curves[curve], point),
                     plot_point_y(&plot->curves[curve], point)};
}

bool plot_locate(Canvas *canvas, const PlotPlan *plan, const Plot *plot, int x, int y,
                 PlotHit *hit) {
    int label = plot_label_at(canvas, plan, plot, x, y);
    if (label >= 0 && plot->curves[label].count > 0) {
        set_hit(plot, label, plot->curves[label].count - 1, hit);
        return true;
    }
    /* the points at both ends have half of their room outside the area */
    int more = canvas_px(canvas, GAP);
    if (!rect_contains(rect_inset(plan->area, -more, 0), x, y)) return false;
    Arena scratch = *canvas->arena;
    Candidate *list = ARENA_ARRAY(&scratch, Candidate, plot->curve_count);
    int count = find_candidates(plan, plot, x, list, HIT_GAP * canvas->scale, scratch), best = -1;
    for (int i = 0; i < count; i++)
        if (best < 0 || fabs(list[i].place - y) < fabs(list[best].place - y)) best = i;
    if (best < 0) return false;
    set_hit(plot, list[best].curve, list[best].point, hit);
    return true;
}

static void add_axis(Text *out, const char *name, const PlotScale *scale) {
    text_addf(out, "axis %s %.17g %.17g %s\n", name, scale->low, scale->high,
              scale->log ? "log" : "linear");
}

const char *plot_geometry(const PlotPlan *plan, const Plot *plot, Arena *arena) {
    Text out = text_open(arena);
    Rect area = plan->area;
    text_addf(&out, "plot %d %d %d %d\n", area.x, area.y, area.w, area.h);
    add_axis(&out, "x", &plan->x);
    add_axis(&out, "y", &plan->y);
    for (int i = 0; i < plot->curve_count; i++) {
        const PlotCurve *curve = &plot->curves[i];
        text_addf(&out, "curve %06X %s\n", (unsigned)curve->color, curve->name ? curve->name : "");
    }
    return out.bytes;
}
