/* Lines of the inspector that attention scenes share: names of cells, the softmax of one weight,
 * the strongest keys of a row, its sum and its entropy. */
#ifndef SCENE_INSPECT_H
#define SCENE_INSPECT_H

#include "base/arena.h"
#include "base/table.h"
#include "scene/scene.h"

#include <stdbool.h>
#include <stdint.h>

/* Where a label stands on an axis, in words: "film"; "the (2)" when "the" stands there more than
 * once; "query 2" when the labels only count up. */
const char *inspect_name(Arena *arena, const TableAxis *axis, int index);

/* Title, place, value and state of a cell: "warm → film". */
Probe inspect_cell(Arena *arena, const Table *table, Cell cell);

/* Adds a line; the caller may set hot and rule. A full probe keeps its last line. */
struct ProbeLine *inspect_line(Probe *probe, const char *name, const char *value);
struct ProbeLine *inspect_number(Probe *probe, Arena *arena, const char *name, double value);

/* A count, with its thousands apart. */
struct ProbeLine *inspect_count(Probe *probe, Arena *arena, const char *name, double value);

/* A number for a line: four decimals, fewer when large, and a power of ten from TEXT_PLAIN_MAX on.
 */
const char *inspect_digits(Arena *arena, double value);

/* "U+2003" for a label drawn with marks, "part of 東" for one that holds some bytes of a character;
 * nothing for others. */
void inspect_label(Probe *probe, Arena *arena, const char *axis, const Label *label);

/* The three largest terms of the sum over axis of a[n] b[n * stride], and all others in one line,
 * unless they are 0. Nothing for fewer than two terms. */
void inspect_terms(Probe *probe, Arena *arena, const TableAxis *axis, const float *a,
                   const float *b, size_t stride);

/* From the scores before softmax, scores[S]: exp(s - max) or exp((s - max)/t), the row's sum. */
void inspect_softmax(Probe *probe, Arena *arena, const float *scores, int S, int key,
                     double temperature);

/* The strongest keys of a row of weights as bars; below them its sum and entropy. allowed[S] may be
 * NULL. */
void inspect_row(Probe *probe, Arena *arena, const Table *weights, const uint8_t *allowed, int row);

#endif
