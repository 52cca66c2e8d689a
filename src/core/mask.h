/* Masks as bytes: allowed[T,S], 1 where query i may see key j, 0 where it is blocked. A mask is
 * written over or narrowed (ANDed), so that causal and padding combine by calling both. */
#ifndef CORE_MASK_H
#define CORE_MASK_H

#include <stdint.h>

/* For T != S: does the diagonal start at the first key or end at the last one (a cache)? */
typedef enum MaskAlign { MASK_TOP_LEFT, MASK_BOTTOM_RIGHT } MaskAlign;

/* Everything allowed. */
void mask_all(uint8_t *allowed, int T, int S);

/* Keeps j <= i (top-left, torch.tril) or j <= i + S - T (bottom-right). */
void mask_causal(uint8_t *allowed, int T, int S, MaskAlign align);

/* Keeps the keys whose valid[j] is 1, valid[S]. */
void mask_padding(uint8_t *allowed, const uint8_t *valid, int T, int S);

/* Keeps left keys before the query's own position, itself, and right keys after it. A causal window
 * of W keys counting self is left = W - 1, right = 0. The query's position is i or i + S - T by
 * align. */
void mask_window(uint8_t *allowed, int T, int S, int left, int right, MaskAlign align);

/* Keeps what other allows too. */
void mask_and(uint8_t *allowed, const uint8_t *other, int T, int S);

/* How many keys row i sees. */
int mask_row_count(const uint8_t *allowed, int i, int S);

#endif
