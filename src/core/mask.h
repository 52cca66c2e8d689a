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

/* Keeps the first prefix keys for every query, and the causal ones (prefix LM, Raffel et al. 2020,
 * sec. 3.2.1). */
void mask_prefix(uint8_t *allowed, int T, int S, int prefix, MaskAlign align);

/* Keeps the keys of the query's own document: block diagonal. lengths[count] in keys, which sum to
 * S; a query whose position lies outside the keys sees none. */
void mask_documents(uint8_t *allowed, int T, int S, const int *lengths, int count, MaskAlign align);

/* Keeps what other allows too. */
void mask_and(uint8_t *allowed, const uint8_t *other, int T, int S);

/* How many keys row i sees. */
int mask_row_count(const uint8_t *allowed, int i, int S);

/* Where query i stands among the keys: i, or i + S - T when aligned at the bottom right. */
int64_t mask_position(int i, int T, int S, MaskAlign align);

/* What is put in place of a blocked score. Only minus infinity blocks for certain: the others are
 * stand-ins of which softmax makes a weight wherever nothing larger is left in a row. */
typedef enum MaskFill {
    MASK_FILL_INFINITY, /* -INFINITY */
    MASK_FILL_LOWEST,   /* -FLT_MAX, the lowest finite float32 */
    MASK_FILL_1E9,      /* -1e9 */
    MASK_FILL_1E4       /* -10000 */
} MaskFill;

float mask_fill(MaskFill fill);

#endif
