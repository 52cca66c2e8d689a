/* The text's pieces as an aligned table for people, or as JSON for programs. Every column but the
 * pieces themselves is plain digits, so only their width in characters matters. */
#include "app/tokenize_command.h"

#include "app/app.h"
#include "app/options.h"
#include "base/file.h"
#include "base/table.h"
#include "base/utf8.h"
#include "base/words.h"
#include "model/bpe.h"

#include <string.h>

static const size_t TEXT_BYTES_MAX = (size_t)64 << 20;

static const char help[] =
    "heed tokenize TEXT|-|@FILE [--bpe FOLDER] [--format text|json] [-o FILE]\n"
    "\n"
    "Prints the pieces of the text, their ids, the word that each belongs "
    "to (from 0), and the bytes\n"
    "[start, end) of the text that it covers. \"-\" reads standard input; a text\n"
    "that begins with a dash stands behind --.\n";

typedef struct TokenizeOptions {
    const char *format, *bpe, *output;
} TokenizeOptions;

static const Option options_list[] = {
    {.name = "--format", .at = offsetof(TokenizeOptions, format)},
    {.name = "--bpe", .at = offsetof(TokenizeOptions, bpe)},
    {.name = "-o", .at = offsetof(TokenizeOptions, output)},
};

/* "E6 9D". */
static const char *hex(Arena *arena, const char *text, const BpePiece *piece) {
    Text out = text_open(arena);
    for (size_t i = piece->start; i < piece->end; i++)
        text_addf(&out, "%s%02X", i > piece->start ? " " : "", (unsigned char)text[i]);
    return out.bytes;
}

static int width_of(const char *symbol) {
    return (int)utf8_count(symbol, strlen(symbol));
}

static void add_table(Text *out, const Bpe *bpe, const char *text, const BpePiece *pieces,
                      int count, Arena *arena) {
    int width = width_of("piece");
    for (int i = 0; i < count; i++) {
        int wide = width_of(bpe_symbol(bpe, pieces[i].id));
        if (wide > width) width = wide;
    }
    text_addf(out, "%-*s %5s %5s %6s %6s  bytes\n", width, "piece", "id", "word", "start", "end");
    for (int i = 0; i < count; i++) {
        const char *symbol = bpe_symbol(bpe, pieces[i].id);
        text_addf(out, "%s%*s %5d %5d %6zu %6zu  %s\n", symbol, width - width_of(symbol), "",
                  pieces[i].id, pieces[i].word, pieces[i].start, pieces[i].end,
                  hex(arena, text, &pieces[i]));
    }
    text_addf(out, "%d pieces in %d words\n", count, count > 0 ? pieces[count - 1].word + 1 : 0);
}

static void add_json(Text *out, const Bpe *bpe, const char *text, const BpePiece *pieces, int count,
                     Arena *arena) {
    text_add(out, "{\"text\": ");
    text_add_json(out, text);
    text_add(out, ", \"pieces\": [");
    for (int i = 0; i < count; i++) {
        text_add(out, i > 0 ? ",\n  {\"piece\": " : "\n  {\"piece\": ");
        text_add_json(out, bpe_symbol(bpe, pieces[i].id));
        text_addf(out,
                  ", \"id\": %d, \"word\": %d, \"start\": %zu, \"end\": %zu, \"bytes\": \"%s\"}",
                  pieces[i].id, pieces[i].word, pieces[i].start, pieces[i].end,
                  hex(arena, text, &pieces[i]));
    }
    text_addf(out, "%s], \"count\": %d}\n", count > 0 ? "\n" : "", count);
}

static bool get_text(const char *word, Arena *arena, const char **text, size_t *length, Err *err) {
    const char *path = strcmp(word, "-") == 0 ? "/dev/stdin" : word[0] == '@' ? word + 1 : NULL;
    if (path) {
        if (!file_read_text(path, TEXT_BYTES_MAX, arena, text, length, err)) return false;
        if (memchr(*text, '\0', *length))
            return err_set(err, "%s holds a NUL byte, which no text does", path);
        return true;
    }
    size_t bad;
    *text = word;
    *length = strlen(word);
    if (utf8_valid(word, *length, &bad)) return true;
    return err_set(err, "the text is not UTF-8: byte %02X at offset %zu", (unsigned char)word[bad],
                   bad);
}

static bool tokenize(const char *assets, Arena *arena, int argc, char **argv, Err *err) {
    static const char *const formats[] = {"text", "json"};
    TokenizeOptions options = {.format = formats[0], .output = "-"};
    const char *word = NULL, *text;
    size_t length;
    Bpe *bpe;
    if (!options_parse(options_list, (int)(sizeof options_list / sizeof *options_list), &options,
                       &word, argc, argv, err))
        return false;
    if (!word) return err_usage(err, "tokenize wants a text; see heed tokenize --help");
    bool json = strcmp(options.format, formats[1]) == 0;
    if (!json && strcmp(options.format, formats[0]) != 0)
        return words_unknown(err, "format", options.format, formats, 2);
    const char *folder = options.bpe ? options.bpe : file_join(arena, assets, "bpe");
    if (!get_text(word, arena, &text, &length, err) || !bpe_read(folder, arena, &bpe, err))
        return false;
    int count;
    const BpePiece *pieces = bpe_encode(bpe, arena, text, length, &count);
    Text out = text_open(arena);
    (json ? add_json : add_table)(&out, bpe, text, pieces, count, arena);
    return file_write(options.output, out.bytes, out.length, err);
}

bool tokenize_command(const char *assets, int argc, char **argv, Err *err) {
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--help") != 0) continue;
        return file_write("-", help, strlen(help), err);
    }
    Arena arena = arena_open(app_memory_full);
    bool good = tokenize(assets, &arena, argc, argv, err);
    arena_close(&arena);
    return good;
}
