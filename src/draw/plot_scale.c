/* The ends of an axis come from the caller or from the numbers; ticks stand at 1, 2 or 5 times a
 * power of ten, on a logarithmic axis at the powers. */
#include "draw/plot_parts.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>

double plot_point_x(const PlotCurve *curve, int point) {
    return curve->x ? curve->x[point] : curve->first + point * curve->step;
}

double plot_point_y(const PlotCurve *curve, int point) {
    size_t stride = curve->stride ? curve->stride : 1;
    return (double)curve->y[(size_t)point * stride];
}

typedef struct Extent {
    double low, high;
    bool log;
} Extent;

static void widen(Extent *extent, double value) {
    if (!isfinite(value) || (extent->log && value <= 0)) return;
    extent->low = fmin(extent->low, value);
    extent->high = fmax(extent->high, value);
}

static void curve_extent(const PlotCurve *curve, Extent *x, Extent *y) {
    for (int i = 0; i < curve->count; i++) {
        widen(x, plot_point_x(curve, i));
        widen(y, plot_point_y(curve, i));
    }
    if (!curve->wave) return;
    widen(y, curve->wave->middle - fabs(curve->wave->amplitude));
    widen(y, curve->wave->middle + fabs(curve->wave->amplitude));
}

static void band_extent(const PlotBand *band, Extent *x, Extent *y) {
    for (int i = 0; i < band->count; i++) {
        widen(x, band->x ? band->x[i] : band->first + i * band->step);
        widen(y, (double)band->low[i]);
        widen(y, (double)band->high[i]);
    }
}

/* air: share of the axis that is added at both ends when it comes from the numbers. */
static void set_ends(PlotScale *scale, const PlotAxis *axis, Extent found, double air) {
    scale->log = axis->log;
    bool given = axis->low != axis->high && (!axis->log || (axis->low > 0 && axis->high > 0));
    double low = given ? axis->low : found.low, high = given ? axis->high : found.high;
    if (!given && !(low <= high)) {
        low = axis->log ? 1 : 0;
        high = axis->log ? 10 : 1;
    }
    if (axis->log) {
        low = log(low);
        high = log(high);
    }
    if (low == high) {
        low -= 0.5;
        high += 0.5;
    } else if (!given) {
        double more = (high - low) * air;
        low -= more;
        high += more;
    }
    scale->low = axis->log ? exp(low) : low;
    scale->high = axis->log ? exp(high) : high;
}

void plot_scales(PlotPlan *plan, const Plot *plot) {
    Extent x = {INFINITY, -INFINITY, plot->x.log}, y = {INFINITY, -INFINITY, plot->y.log};
    for (int i = 0; i < plot->curve_count; i++) curve_extent(&plot->curves[i], &x, &y);
    for (int i = 0; i < plot->band_count; i++) band_extent(&plot->bands[i], &x, &y);
    set_ends(&plan->x, &plot->x, x, 0);
    set_ends(&plan->y, &plot->y, y, 0.06);
}

double plot_place(const PlotScale *scale, double value) {
    double share;
    if (scale->log) {
        if (!(value > 0)) return NAN;
        share = log(value / scale->low) / log(scale->high / scale->low);
    } else {
        share = (value - scale->low) / (scale->high - scale->low);
    }
    return scale->start + share * scale->length;
}

double plot_value(const PlotScale *scale, double place) {
    if (scale->length == 0) return scale->low;
    double share = (place - scale->start) / scale->length;
    if (scale->log) return scale->low * pow(scale->high / scale->low, share);
    return scale->low + share * (scale->high - scale->low);
}

/* The smallest of 1, 2, 5 times a power of ten that is at least size. */
static double round_step(double size) {
    double power = pow(10, floor(log10(size))), rest = size / power;
    double factor = rest <= 1.0000001 ? 1 : rest <= 2.0000001 ? 2 : rest <= 5.0000001 ? 5 : 10;
    return factor * power;
}

static void add_tick(PlotScale *scale, double value) {
    if (scale->tick_count < PLOT_TICKS_MAX) scale->ticks[scale->tick_count++] = value;
}

static void linear_ticks(PlotScale *scale, bool whole, int most) {
    double span = scale->high - scale->low;
    double step = round_step(span / most);
    if (whole && step < 1) step = 1;
    scale->tick_step = step;
    double first = ceil(scale->low / step - 1e-9), last = floor(scale->high / step + 1e-9);
    for (double n = first; n <= last && scale->tick_count < PLOT_TICKS_MAX; n++)
        add_tick(scale, n == 0 ? 0 : n * step);
}

/* Powers of ten, every few of them when they are many; with 2 and 5 between them when they are few.
 */
static void log_ticks(PlotScale *scale, int most) {
    double low = log10(scale->low), high = log10(scale->high);
    int every = (int)ceil((high - low) / most);
    bool between = (high - low) * 3 <= most;
    if (every < 1) every = 1;
    for (int power = (int)floor(low); power <= high + 1e-9; power++) {
        if (power % every) continue;
        static const double factors[] = {1, 2, 5};
        for (int i = 0; i < (between ? 3 : 1); i++) {
            double value = factors[i] * pow(10, power);
            if (value >= scale->low * (1 - 1e-9) && value <= scale->high * (1 + 1e-9))
                add_tick(scale, value);
        }
    }
}

void plot_ticks(PlotScale *scale, const PlotAxis *axis, int room) {
    int length = scale->length < 0 ? -scale->length : scale->length;
    int most = length / (room > 0 ? room : 1);
    if (most < 1) most = 1;
    if (most > PLOT_TICKS_MAX - 2) most = PLOT_TICKS_MAX - 2;
    scale->tick_count = 0;
    if (scale->log)
        log_ticks(scale, most);
    else
        linear_ticks(scale, axis->whole, most);
}

/* "10⁶": far powers of ten, which digits would only make long. */
static const char *power_text(int power, Arena *arena) {
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    int size = power < 0 ? -power : power;
    return arena_printf(arena, "10%s%s%s", power < 0 ? "⁻" : "", size > 9 ? digits[size / 10] : "",
                        digits[size % 10]);
}

/* One far number, and all of the axis are written as powers: "100000" and "10⁶" are hard to
 * compare.
 */
static bool in_powers(const PlotScale *scale, double value) {
    double far = fabs(value), near = far > 0 ? far : INFINITY;
    for (int i = 0; i < scale->tick_count; i++) {
        double size = fabs(scale->ticks[i]);
        far = fmax(far, size);
        if (size > 0) near = fmin(near, size);
    }
    return far >= 1e6 || near < 1e-4;
}

const char *plot_tick_text(const PlotScale *scale, double value, Arena *arena) {
    char *out = arena_alloc(arena, TEXT_NUMBER_MAX);
    double size = fabs(value);
    if (size > 0 && in_powers(scale, value)) {
        int power = (int)floor(log10(size) + 1e-9);
        double factor = value / pow(10, power);
        if (fabs(factor - 1) < 1e-9 && power > -100 && power < 100) return power_text(power, arena);
        return arena_printf(arena, "%.3g·%s", factor, power_text(power, arena));
    }
    double step = scale->log ? size : scale->tick_step;
    int decimals = step >= 1 ? 0 : (int)ceil(-log10(step) - 1e-9);
    text_panel(out, value, decimals > 9 ? 9 : decimals);
    return out;
}
