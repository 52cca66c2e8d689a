/* Masks as bytes. Every function but mask_all only narrows, so the order in which they are called
 * does not matter. */
#include "core/mask.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* 64 bits, so that any window width can be added. */
int64_t mask_position(int i, int T, int S, MaskAlign align) {
    return align == MASK_BOTTOM_RIGHT ? (int64_t)i + S - T : i;
}

/* Blocks the keys of row i that lie outside first..last. */
static void keep_range(uint8_t *row, int S, int64_t first, int64_t last) {
    for (int j = 0; j < S; j++)
        if (j < first || j > last) row[j] = 0;
}

void mask_all(uint8_t *allowed, int T, int S) {
    memset(allowed, 1, (size_t)T * (size_t)S);
}

void mask_causal(uint8_t *allowed, int T, int S, MaskAlign align) {
    for (int i = 0; i < T; i++)
        keep_range(allowed + (size_t)i * (size_t)S, S, 0, mask_position(i, T, S, align));
}

void mask_padding(uint8_t *allowed, const uint8_t *valid, int T, int S) {
    for (int i = 0; i < T; i++)
        for (int j = 0; j < S; j++)
            if (!valid[j]) allowed[(size_t)i * (size_t)S + (size_t)j] = 0;
}

void mask_window(uint8_t *allowed, int T, int S, int left, int right, MaskAlign align) {
    for (int i = 0; i < T; i++) {
        int64_t at = mask_position(i, T, S, align);
        keep_range(allowed + (size_t)i * (size_t)S, S, at - left, at + right);
    }
}

void mask_prefix(uint8_t *allowed, int T, int S, int prefix, MaskAlign align) {
    for (int i = 0; i < T; i++) {
        int64_t last = mask_position(i, T, S, align);
        keep_range(allowed + (size_t)i * (size_t)S, S, 0, last < prefix ? prefix - 1 : last);
    }
}

void mask_documents(uint8_t *allowed, int T, int S, const int *lengths, int count,
                    MaskAlign align) {
    for (int i = 0; i < T; i++) {
        int64_t at = mask_position(i, T, S, align);
        int64_t first = 0, last = -1;
        for (int n = 0; n < count; n++) {
            if (at >= first && at < first + lengths[n]) last = first + lengths[n] - 1;
            if (last >= first) break;
            first += lengths[n];
        }
        keep_range(allowed + (size_t)i * (size_t)S, S, first, last);
    }
}

void mask_and(uint8_t *allowed, const uint8_t *other, int T, int S) {
    for (size_t n = 0; n < (size_t)T * (size_t)S; n++)
        if (!other[n]) allowed[n] = 0;
}

int mask_row_count(const uint8_t *allowed, int i, int S) {
    int count = 0;
    for (int j = 0; j < S; j++) count += allowed[(size_t)i * (size_t)S + (size_t)j] != 0;
    return count;
}

float mask_fill(MaskFill fill) {
    static const float fills[] = {-INFINITY, -FLT_MAX, -1e9f, -1e4f};
    return fills[fill];
}
