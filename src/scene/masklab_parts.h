/* What the files of the mask laboratory share. Only masklab*.c include this. */
#ifndef SCENE_MASKLAB_PARTS_H
#define SCENE_MASKLAB_PARTS_H

#include "scene/masklab.h"

/* A painted cell. */
typedef enum MaskPaint { PAINT_NONE, PAINT_BLOCKED, PAINT_ALLOWED } MaskPaint;

/* The mask's name with its numbers: "causal mask", "window of 3 keys, self counted", "no mask". */
const char *masklab_name(const MaskLab *lab, const MaskResult *result, Arena *arena);

/* Adds a stage's notes to its table: leaks, keys allowed, fill, padding. */
void masklab_notes(const MaskLab *lab, const MaskResult *result, MaskStage stage, Arena *arena,
                   Table *table);

/* The line under the figure: "mask: causal · scale: 1/√384 ...". */
const char *masklab_facts(const MaskFigure *figure, Arena *arena);

/* Painted cells that show a key after the query, and how much weight they have. */
typedef struct MaskLeak {
    int cells, row, column; /* the first one */
    double weight;
} MaskLeak;
MaskLeak masklab_leak(const MaskLab *lab, const MaskResult *result);

/* The weights of a row without any mask, in arena. */
const float *masklab_plain_row(const MaskLab *lab, const MaskResult *result, int row, Arena *arena);

#endif
