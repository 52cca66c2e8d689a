/* Blocks of the Unicode Standard 15 for the scripts whose letters join, stack or reorder. */
#include "draw/font_script.h"

#include <stddef.h>

typedef struct ScriptRange {
    uint32_t first, last;
    Script script;
} ScriptRange;

static const ScriptRange ranges[] = {
    {0x0370, 0x03FF, {"Grek", false}},  {0x0400, 0x052F, {"Cyrl", false}},
    {0x0530, 0x058F, {"Armn", false}},  {0x0590, 0x05FF, {"Hebr", true}},
    {0x0600, 0x06FF, {"Arab", true}},   {0x0700, 0x074F, {"Syrc", true}},
    {0x0750, 0x077F, {"Arab", true}},   {0x0780, 0x07BF, {"Thaa", true}},
    {0x07C0, 0x07FF, {"Nkoo", true}},   {0x0870, 0x08FF, {"Arab", true}},
    {0x0900, 0x097F, {"Deva", false}},  {0x0980, 0x09FF, {"Beng", false}},
    {0x0A00, 0x0A7F, {"Guru", false}},  {0x0A80, 0x0AFF, {"Gujr", false}},
    {0x0B00, 0x0B7F, {"Orya", false}},  {0x0B80, 0x0BFF, {"Taml", false}},
    {0x0C00, 0x0C7F, {"Telu", false}},  {0x0C80, 0x0CFF, {"Knda", false}},
    {0x0D00, 0x0D7F, {"Mlym", false}},  {0x0D80, 0x0DFF, {"Sinh", false}},
    {0x0E00, 0x0E7F, {"Thai", false}},  {0x0E80, 0x0EFF, {"Laoo", false}},
    {0x0F00, 0x0FFF, {"Tibt", false}},  {0x1000, 0x109F, {"Mymr", false}},
    {0x10A0, 0x10FF, {"Geor", false}},  {0x1100, 0x11FF, {"Hang", false}},
    {0x1200, 0x139F, {"Ethi", false}},  {0x1780, 0x17FF, {"Khmr", false}},
    {0x1800, 0x18AF, {"Mong", false}},  {0x1F00, 0x1FFF, {"Grek", false}},
    {0xAC00, 0xD7FF, {"Hang", false}},  {0xFB1D, 0xFB4F, {"Hebr", true}},
    {0xFB50, 0xFDFF, {"Arab", true}},   {0xFE70, 0xFEFE, {"Arab", true}},
    {0x1E900, 0x1E95F, {"Adlm", true}},
};

static const Script latin = {"Latn", false};

/* Digits are written from left to right in every script. */
static bool is_digit(uint32_t code) {
    return (code >= 0x0660 && code <= 0x0669) || (code >= 0x06F0 && code <= 0x06F9);
}

const Script *script_of(uint32_t code) {
    if (is_digit(code)) return &latin;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges && ranges[i].first <= code; i++)
        if (code <= ranges[i].last) return &ranges[i].script;
    return &latin;
}

static bool between(uint32_t code, uint32_t first, uint32_t last) {
    return code >= first && code <= last;
}

bool code_is_neutral(uint32_t code) {
    return between(code, 0x20, 0x2F) || between(code, 0x3A, 0x40) || between(code, 0x5B, 0x60) ||
           between(code, 0x7B, 0x7E) || between(code, 0xA0, 0xBF) || between(code, 0x2000, 0x206F);
}

bool code_is_invisible(uint32_t code) {
    return code == 0xAD || code == 0x034F || code == 0x061C || between(code, 0x115F, 0x1160) ||
           between(code, 0x180B, 0x180E) || between(code, 0x200B, 0x200F) ||
           between(code, 0x202A, 0x202E) || between(code, 0x2060, 0x206F) || code == 0x3164 ||
           between(code, 0xFE00, 0xFE0F) || code == 0xFEFF || between(code, 0xE0000, 0xE0FFF);
}

bool code_is_attached(uint32_t code) {
    return code_is_invisible(code) || between(code, 0x0300, 0x036F) ||
           between(code, 0x0483, 0x0489) || between(code, 0x0591, 0x05BD) ||
           between(code, 0x064B, 0x065F) || between(code, 0x1AB0, 0x1AFF) ||
           between(code, 0x1DC0, 0x1DFF) || between(code, 0x20D0, 0x20FF) ||
           between(code, 0xFE20, 0xFE2F) || between(code, 0x1F3FB, 0x1F3FF);
}
