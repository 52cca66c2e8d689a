/* Every number comes from core/cost; here they get their lengths and their names. */
#include "scene/growth.h"

#include "core/cost.h"

enum { SHORTEST = 128, LONGEST_SHOWN = 4096 };

void growth_lengths(Growth *growth, int n) {
    int longest = n > LONGEST_SHOWN ? n : LONGEST_SHOWN;
    bool placed = false;
    growth->rows = 0;
    for (int length = SHORTEST; length <= longest; length *= 2) {
        if (!placed && n <= length) {
            growth->row = growth->rows;
            if (n < length) growth->lengths[growth->rows++] = n;
            placed = true;
        }
        growth->lengths[growth->rows++] = length;
    }
    if (placed) return;
    growth->row = growth->rows;
    growth->lengths[growth->rows++] = n;
}

void growth_count(const Growth *growth, GrowthKind kind, double n, double row[GROWTH_COLUMNS_MAX]) {
    CostShape shape = {growth->heads, growth->head_dim}, one = {1, growth->head_dim};
    double first = growth->lengths[0], layers = growth->layers;
    Cost head = cost_attention(one, n), all = cost_attention(shape, n);
    for (int i = 0; i < GROWTH_COLUMNS_MAX; i++) row[i] = 0;
    switch (kind) {
    case GROWTH_ENTRIES:
        row[0] = head.score_entries;
        row[1] = all.score_entries;
        row[2] = row[1] * layers;
        break;
    case GROWTH_MULTIPLY_ADDS:
        row[0] = all.multiply_adds * layers;
        row[1] = cost_projection(shape, n) * layers;
        row[2] = row[0] + row[1];
        break;
    case GROWTH_BYTES:
        row[0] = all.score_entries * layers * growth->bytes;
        row[1] = 2 * n * shape.H * shape.K * layers * growth->bytes;
        break;
    case GROWTH_TIME:
        row[TIME_COUNTED] = head.multiply_adds;
        row[TIME_SQUARE] = n * n / (first * first);
        break;
    default:
        row[0] = cost_path_recurrent(n);
        row[1] = cost_path_convolution(n, growth->kernel);
        row[2] = cost_path_attention(n);
    }
}

/* The names of the columns; returns how many there are. */
static int name_columns(Arena *arena, const Growth *growth, GrowthKind kind,
                        const char *names[GROWTH_COLUMNS_MAX]) {
    switch (kind) {
    case GROWTH_ENTRIES:
        names[0] = "one head: n²";
        names[1] = "all heads";
        names[2] = "all layers";
        return 3;
    case GROWTH_MULTIPLY_ADDS:
        names[0] = "attention: n²";
        names[1] = "projections: n";
        names[2] = "both";
        return 3;
    case GROWTH_BYTES:
        names[0] = "weights: n²";
        names[1] = "keys and values: n";
        return 2;
    case GROWTH_TIME:
        names[TIME_COUNTED] = "multiply-adds";
        names[TIME_SQUARE] = arena_printf(arena, "n² ÷ %d²", growth->lengths[0]);
        names[TIME_MEASURED] = "processor time, ms";
        names[TIME_GROWN] = arena_printf(arena, "÷ that of n = %d", growth->lengths[0]);
        return 4;
    default:
        names[0] = "recurrent: n";
        names[1] = arena_printf(arena, "convolution: n/%d", growth->kernel);
        names[2] = "attention: 1";
        return 3;
    }
}

static const char *note(Arena *arena, const Growth *growth, GrowthKind kind) {
    int D = growth->heads * growth->head_dim;
    switch (kind) {
    case GROWTH_MULTIPLY_ADDS:
        return arena_printf(arena,
                            "Attention takes more than the projections from n = 2 d = %d on "
                            "(d_model = %d × %d = %d).",
                            2 * D, growth->heads, growth->head_dim, D);
    case GROWTH_TIME:
        return "What is measured stands in the window alone: a picture in a file holds what is "
               "counted.";
    case GROWTH_PATH:
        return "Longest paths by Vaswani et al. 2017, table 1; with dilated convolutions "
               "log n layers, to the base k, would do.";
    default:
        return "Self-attention is quadratic in the length (Vaswani et al. 2017, table 1): twice "
               "the tokens, four times the scores.";
    }
}

static void fill_measured(const Growth *growth, const Timing *timing, float *values,
                          uint8_t *states) {
    const TimedLength *first = timing ? timing_find(timing, growth->lengths[0]) : NULL;
    for (int i = 0; i < growth->rows; i++, values += 4, states += 4) {
        const TimedLength *timed = timing ? timing_find(timing, growth->lengths[i]) : NULL;
        if (timed) values[TIME_MEASURED] = (float)(1000 * timing_median(timed));
        if (timed && first)
            values[TIME_GROWN] = (float)(timing_median(timed) / timing_median(first));
        if (!timed) states[TIME_MEASURED] = CELL_MISSING;
        if (!timed || !first) states[TIME_GROWN] = CELL_MISSING;
    }
}

Table growth_table(Arena *arena, const Growth *growth, GrowthKind kind, const Timing *timing) {
    static const char *const titles[GROWTH_COUNT] = {"score entries", "multiply-adds", "bytes",
                                                     "time of one head",
                                                     "longest path between two tokens n apart"};
    static const char *const quantities[GROWTH_COUNT] = {"entries", "multiply-adds", "bytes",
                                                         "time", "steps"};
    const char *names[GROWTH_COLUMNS_MAX];
    int columns = name_columns(arena, growth, kind, names);
    Label *lengths = ARENA_ARRAY(arena, Label, growth->rows);
    const Label *labels = label_list(arena, names, columns);
    for (int i = 0; i < growth->rows; i++)
        lengths[i] = label_plain(arena, arena_printf(arena, "%d", growth->lengths[i]));
    float *values;
    uint8_t *states;
    double *counts = ARENA_ARRAY(arena, double, growth->rows *columns);
    Table table = table_new(arena, (TableAxis){"n", growth->rows, lengths},
                            (TableAxis){"quantity", columns, labels}, &values, &states);
    for (int i = 0; i < growth->rows; i++) {
        double row[GROWTH_COLUMNS_MAX];
        growth_count(growth, kind, growth->lengths[i], row);
        for (int j = 0; j < columns; j++) {
            counts[i * columns + j] = row[j];
            values[i * columns + j] = (float)row[j];
        }
    }
    if (kind != GROWTH_TIME) table.counts = counts;
    if (kind == GROWTH_TIME) fill_measured(growth, timing, values, states);
    table_seal(&table, states);
    table.title = titles[kind];
    table.quantity = quantities[kind];
    table.kind = TABLE_AMOUNTS;
    table_note(&table, note(arena, growth, kind));
    if (kind == GROWTH_TIME)
        table_note(&table,
                   "Measured are QKᵀ, scale, softmax and A V of one head by heed's own loops, "
                   "in 32 bits on one core.");
    return table;
}
