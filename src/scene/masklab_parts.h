/* What the files of the mask laboratory share. Only masklab*.c include this. */
#ifndef SCENE_MASKLAB_PARTS_H
#define SCENE_MASKLAB_PARTS_H

#include "scene/masklab.h"

/* A painted cell. */
typedef enum MaskPaint { PAINT_NONE, PAINT_BLOCKED, PAINT_ALLOWED } MaskPaint;

/* masklab_rows.c: weights row by row. */

/* The steps of one row, each [1,S], in arena; allowed[S] or NULL: without any mask. */
AttentionTrace masklab_row(const MaskResult *result, int row, const uint8_t *allowed, Arena *arena);

/* [S]: the keys of a row that take part: allowed, and not at a score or bias of -INFINITY, which is
 * how numbers of one's own say that a key is not allowed. */
const uint8_t *masklab_open(const AttentionTrace *row, const uint8_t *allowed, int S, Arena *arena);

/* Weights and what is known of each row; those that have not changed since last come from there.
 * plain too, where it is wanted. */
void masklab_attend(MaskResult *result, const MaskResult *last, bool plain, Arena *arena);

/* Facts of finished weights; counted[T,S]: the cells that a row could have spread over, NULL: all.
 */
void masklab_read_rows(MaskResult *result, const uint8_t *counted, Arena *arena);

/* masklab_tables.c: the table of the stage shown and that of the weights, with their notes. */
bool masklab_tables(const MaskLab *lab, const MaskInput *input, MaskResult *result, Arena *arena,
                    Err *err);

/* masklab_words.c */

/* The mask's name with its numbers: "causal mask", "window of 3 keys, self counted", "no mask". */
const char *masklab_name(const MaskLab *lab, const MaskResult *result, Arena *arena);

/* Adds a stage's notes to its table: leaks, keys allowed, fill, padding. */
void masklab_notes(const MaskLab *lab, const MaskResult *result, MaskStage stage, Arena *arena,
                   Table *table);

/* The line under the figure: "mask: causal · scale: 1/√384 ...". */
const char *masklab_facts(const MaskFigure *figure, Arena *arena);

/* Whether a mask keeps keys after the query from it, so that a painted one there is a leak. */
bool masklab_is_causal(const MaskLab *lab);

#endif
