/* Line by line; the four fields of a record are an array, so that names and texts are matched in
 * one place. */
#include "scene/records.h"

#include "base/file.h"
#include "base/words.h"

#include <string.h>

enum { TITLE, SENTIMENT, CONTEXT, QUESTION, FIELDS };
enum { FILE_BYTES_MAX = 1 << 20, RECORD_BYTES_LEAST = 40 };

static const char *const names[FIELDS] = {"title", "sentiment", "context", "question"};
static const char *const sentiments[] = {"mixed", "positive", "negative"};

typedef struct Reader {
    Arena *arena;
    const char *path;
    int line;  /* of the file, from 1 */
    int first; /* line where the record being read begins */
    const char *fields[FIELDS];
    Record *records;
    int count;
    Err *err;
} Reader;

/* Says where; a file that is wrong is no wrong command line. */
static bool refuse(const Reader *reader, int line) {
    if (reader->err) reader->err->usage = false;
    return err_at(reader->err, "%s, line %d", reader->path, line);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* A copy without blanks at both ends. */
static char *trimmed(Arena *arena, const char *text, size_t length) {
    while (length && is_blank(*text)) text++, length--;
    while (length && is_blank(text[length - 1])) length--;
    return arena_bytes(arena, text, length);
}

static int index_of(const char *name, const char *const *list, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(name, list[i]) == 0) return i;
    return -1;
}

/* Where a record ends: nothing, or all four. */
static bool end_record(Reader *reader) {
    int given = 0;
    const char *lacking = NULL;
    for (int i = FIELDS - 1; i >= 0; i--) {
        given += reader->fields[i] != NULL;
        if (!reader->fields[i]) lacking = names[i];
    }
    if (!given) return true;
    if (lacking) {
        err_set(reader->err,
                "the record that begins here has no %s; a record has a title, a "
                "sentiment, a context and a question",
                lacking);
        return refuse(reader, reader->first);
    }
    const char *const *fields = reader->fields;
    reader->records[reader->count++] =
        (Record){fields[TITLE], fields[SENTIMENT], fields[CONTEXT], fields[QUESTION]};
    memset(reader->fields, 0, sizeof reader->fields);
    return true;
}

static bool check_field(const Reader *reader, int field, const char *name, const char *value) {
    if (field < 0) return words_unknown(reader->err, "name", name, names, FIELDS);
    if (reader->fields[field])
        return err_set(reader->err, "a second %s in one record; an empty line ends a record", name);
    if (!*value) return err_set(reader->err, "the %s is empty", name);
    if (field == SENTIMENT && index_of(value, sentiments, 3) < 0)
        return words_unknown(reader->err, "sentiment", value, sentiments, 3);
    return true;
}

static bool read_field(Reader *reader, const char *line) {
    const char *colon = strchr(line, ':');
    if (!colon) {
        err_set(reader->err, "a colon is wanted behind a name, as in \"title: Paper Boats\"");
        return refuse(reader, reader->line);
    }
    const char *name = trimmed(reader->arena, line, (size_t)(colon - line));
    const char *value = trimmed(reader->arena, colon + 1, strlen(colon + 1));
    int field = index_of(name, names, FIELDS);
    if (!check_field(reader, field, name, value)) return refuse(reader, reader->line);
    if (!reader->fields[TITLE] && !reader->fields[SENTIMENT] && !reader->fields[CONTEXT] &&
        !reader->fields[QUESTION])
        reader->first = reader->line;
    reader->fields[field] = value;
    return true;
}

static bool read_lines(Reader *reader, const char *text) {
    for (const char *at = text, *end; *at; at = *end ? end + 1 : end) {
        end = at + strcspn(at, "\n");
        const char *line = trimmed(reader->arena, at, (size_t)(end - at));
        reader->line++;
        if (*line == '#') continue;
        if (!(*line ? read_field(reader, line) : end_record(reader))) return false;
    }
    return end_record(reader);
}

static const char *find_file(const char *assets, Arena *arena) {
    const char *path = file_join(arena, assets, "texts/reviews.txt");
    return file_exists(path) ? path : file_join(arena, assets, "../samples/texts/reviews.txt");
}

bool records_read(const char *assets, int wanted, Arena *arena, const Record **records, Err *err) {
    const char *path = find_file(assets, arena), *text = NULL;
    size_t length = 0;
    if (!file_exists(path))
        return err_set(err,
                       "there is no texts/reviews.txt in %s, which holds the records; give a "
                       "--context and a --query of your own, or name another folder by --assets",
                       assets);
    if (!file_read_text(path, FILE_BYTES_MAX, arena, &text, &length, err)) return false;
    Reader reader = {.arena = arena, .path = path, .err = err};
    reader.records = ARENA_ARRAY(arena, Record, length / RECORD_BYTES_LEAST + 1);
    if (!read_lines(&reader, text)) return false;
    if (reader.count < wanted)
        return err_set(err, "%s has %d record%s, at least %d are wanted", path, reader.count,
                       reader.count == 1 ? "" : "s", wanted);
    *records = reader.records;
    return true;
}
