/* One sorted list of all fonts that look like a plain sans-serif, best first. */
#include "draw/font_search.h"

#include <fontconfig/fontconfig.h>
#include <stdlib.h>
#include <string.h>

struct FontSearch {
    FcConfig *config;
    FcFontSet *fonts;
};

/* The language is set so that the order of, say, Chinese and Japanese faces does not change with
 * the user's locale. */
static FcFontSet *sorted_fonts(FcConfig *config) {
    FcPattern *wanted = FcPatternCreate();
    if (!wanted) return NULL;
    FcPatternAddString(wanted, FC_FAMILY, (const FcChar8 *)"sans-serif");
    FcPatternAddString(wanted, FC_LANG, (const FcChar8 *)"en");
    FcPatternAddInteger(wanted, FC_WEIGHT, FC_WEIGHT_REGULAR);
    FcPatternAddInteger(wanted, FC_SLANT, FC_SLANT_ROMAN);
    FcConfigSubstitute(config, wanted, FcMatchPattern);
    FcDefaultSubstitute(wanted);
    FcResult result;
    FcFontSet *fonts = FcFontSort(config, wanted, FcFalse, NULL, &result);
    FcPatternDestroy(wanted);
    return fonts;
}

FontSearch *font_search_open(void) {
    FontSearch *search = calloc(1, sizeof *search);
    if (!search) return NULL;
    search->config = FcInitLoadConfigAndFonts();
    search->fonts = search->config ? sorted_fonts(search->config) : NULL;
    if (search->fonts) return search;
    font_search_close(search);
    return NULL;
}

void font_search_close(FontSearch *search) {
    if (!search) return;
    if (search->fonts) FcFontSetDestroy(search->fonts);
    if (search->config) FcConfigDestroy(search->config);
    free(search);
}

static bool pattern_bool(const FcPattern *pattern, const char *name, bool otherwise) {
    FcBool value;
    return FcPatternGetBool(pattern, name, 0, &value) == FcResultMatch ? value != FcFalse
                                                                       : otherwise;
}

/* Old bitmap fonts of one size are left out, colour emoji are not. */
static bool is_usable(const FcPattern *pattern) {
    return pattern_bool(pattern, FC_OUTLINE, false) || pattern_bool(pattern, FC_COLOR, false);
}

int font_search(const FontSearch *search, uint32_t code, int from) {
    for (int i = from; i < search->fonts->nfont; i++) {
        const FcPattern *pattern = search->fonts->fonts[i];
        FcCharSet *characters;
        if (is_usable(pattern) &&
            FcPatternGetCharSet(pattern, FC_CHARSET, 0, &characters) == FcResultMatch &&
            FcCharSetHasChar(characters, code))
            return i;
    }
    return -1;
}

FontFile font_search_file(const FontSearch *search, int number) {
    const FcPattern *pattern = search->fonts->fonts[number];
    FcChar8 *path;
    FontFile file = {.path = "", .bitmap = !pattern_bool(pattern, FC_OUTLINE, false)};
    if (FcPatternGetString(pattern, FC_FILE, 0, &path) == FcResultMatch)
        file.path = (const char *)path;
    if (FcPatternGetInteger(pattern, FC_INDEX, 0, &file.index) != FcResultMatch) file.index = 0;
    if (pattern_bool(pattern, FC_VARIABLE, false)) file.index &= 0xFFFF;
    return file;
}
