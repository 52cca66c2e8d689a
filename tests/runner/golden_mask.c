/* A mask's name is a list of words joined by "_"; each says one thing. */
#include "golden_mask.h"

#include <string.h>

static bool is_word(const char *word, size_t length, const char *name) {
    return strlen(name) == length && strncmp(word, name, length) == 0;
}

static bool read_word(Golden *golden, GoldenMask *mask, const char *word, size_t length) {
    mask->any = mask->any || !is_word(word, length, "none");
    if (is_word(word, length, "causal"))
        mask->causal = true;
    else if (is_word(word, length, "br"))
        mask->align = MASK_BOTTOM_RIGHT;
    else if (is_word(word, length, "window"))
        mask->window = true;
    else if (is_word(word, length, "sym"))
        mask->symmetric = true;
    else if (is_word(word, length, "padding"))
        mask->padding = true;
    else if (is_word(word, length, "bool"))
        mask->cells = true;
    else if (!is_word(word, length, "none") && !is_word(word, length, "qk") &&
             !is_word(word, length, "hqk") && !is_word(word, length, "bqk") &&
             !is_word(word, length, "bhqk"))
        return golden_break(golden, "unknown word in the mask", word);
    return true;
}

static bool read_words(Golden *golden, GoldenMask *mask, const char *words) {
    while (*words) {
        size_t length = strcspn(words, "_");
        if (!read_word(golden, mask, words, length)) return false;
        words += length + (words[length] == '_');
    }
    return true;
}

static bool read_key_mask(Golden *golden, GoldenMask *mask) {
    GoldenArray *keys = &mask->key_mask;
    if (!golden_input(golden, "key_mask", 2, keys)) return false;
    if (!keys->bytes || golden_last(keys, 0) != mask->S || golden_last(keys, 1) != mask->B)
        return golden_break(golden, "not BOOL [B,S]:", "key_mask");
    return true;
}

bool golden_mask_read(Golden *golden, int B, int H, int T, int S, GoldenMask *mask) {
    *mask = (GoldenMask){.B = B, .H = H, .T = T, .S = S};
    if (!read_words(golden, mask, golden_word(golden, "mask", "none"))) return false;
    mask->width = (int)golden_number(golden, "window", 0);
    if (mask->window && mask->width < 1)
        return golden_break(golden, "a window mask without the parameter", "window");
    if (mask->padding && !read_key_mask(golden, mask)) return false;
    if (!mask->cells) return !golden->broken;
    if (!golden_input(golden, "attn_mask", -1, &mask->attn_mask)) return false;
    if (!mask->attn_mask.bytes) return golden_break(golden, "not BOOL:", "attn_mask");
    return golden_fits(golden, "attn_mask", &mask->attn_mask, B, H, T, S);
}

/* In both kinds of window the width is stated as the reference does: keys seen counting self where
 * it is causal, keys on each side where it is symmetric. */
static void narrow_by_position(const GoldenMask *mask, uint8_t *allowed) {
    int T = mask->T, S = mask->S, W = mask->width;
    if (mask->window && mask->symmetric)
        mask_window(allowed, T, S, W, W, mask->align);
    else if (mask->window)
        mask_window(allowed, T, S, W - 1, 0, mask->align);
    if (mask->causal) mask_causal(allowed, T, S, mask->align);
}

void golden_mask_fill(const GoldenMask *mask, int b, int h, uint8_t *allowed) {
    int T = mask->T, S = mask->S;
    mask_all(allowed, T, S);
    narrow_by_position(mask, allowed);
    if (mask->padding) mask_padding(allowed, mask->key_mask.bytes + (size_t)b * (size_t)S, T, S);
    for (int i = 0; i < T && mask->cells; i++)
        for (int j = 0; j < S; j++)
            if (!mask->attn_mask.bytes[golden_at(&mask->attn_mask, b, h, i, j)])
                allowed[(size_t)i * (size_t)S + (size_t)j] = 0;
}

void golden_mask_give(Golden *golden, const GoldenMask *mask) {
    if (!golden_wants(golden, "mask")) return;
    size_t cells = (size_t)mask->T * (size_t)mask->S;
    const int shape[3] = {mask->B, mask->T, mask->S};
    uint8_t *all = ARENA_ARRAY(golden->arena, uint8_t, (size_t)mask->B * cells);
    for (int b = 0; b < mask->B; b++) golden_mask_fill(mask, b, 0, all + (size_t)b * cells);
    if (mask->padding)
        golden_give_bytes(golden, "mask", all, 3, shape);
    else
        golden_give_bytes(golden, "mask", all, 2, shape + 1);
}
