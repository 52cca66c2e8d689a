/* The header is read by a scanner for just the Python that NumPy writes there: a dictionary of
 * strings, True and False, and a tuple of whole numbers. */
#include "model/npy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char MAGIC[] = "\x93NUMPY";

enum { MAGIC_LENGTH = 6, PREFIX = 8, TEXT_SHOWN = 40, DIGITS_OF_INT64 = 18 };

bool npy_is(const uint8_t *bytes, size_t length) {
    return length >= MAGIC_LENGTH && memcmp(bytes, MAGIC, MAGIC_LENGTH) == 0;
}

/* ---- the header's words ---- */

typedef struct Scan {
    const char *at, *end;
    Err *err;
} Scan;

static void pass_space(Scan *scan) {
    while (scan->at < scan->end && memchr(" \t\r\n", *scan->at, 4)) scan->at++;
}

/* Passes a sign such as '{', with the blanks before it. */
static bool pass(Scan *scan, char sign) {
    pass_space(scan);
    if (scan->at == scan->end || *scan->at != sign) return false;
    scan->at++;
    return true;
}

static bool pass_word(Scan *scan, const char *word) {
    size_t length = strlen(word);
    pass_space(scan);
    if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, word, length) != 0)
        return false;
    scan->at += length;
    return true;
}

static bool refuse(Scan *scan, const char *wanted) {
    pass_space(scan);
    size_t rest = (size_t)(scan->end - scan->at);
    char shown[TEXT_SHOWN + 1] = "";
    size_t length = rest < TEXT_SHOWN ? rest : TEXT_SHOWN;
    for (size_t i = 0; i < length; i++)
        shown[i] = scan->at[i] >= ' ' && scan->at[i] <= '~' ? scan->at[i] : '?';
    return err_set(scan->err, "the npy header has no %s where it has \"%s\"", wanted, shown);
}

/* A string in single or double quotes. */
static bool read_string(Scan *scan, const char **text, size_t *length) {
    pass_space(scan);
    char quote = scan->at < scan->end ? *scan->at : '\0';
    if (quote != '\'' && quote != '"') return refuse(scan, "string");
    const char *start = scan->at + 1;
    const char *end = memchr(start, quote, (size_t)(scan->end - start));
    if (!end) return refuse(scan, "end of a string");
    *text = start;
    *length = (size_t)(end - start);
    scan->at = end + 1;
    return true;
}

/* A whole number; Python 2 wrote an L behind long ones. */
static bool read_whole(Scan *scan, int64_t *value) {
    pass_space(scan);
    bool negative = scan->at < scan->end && *scan->at == '-';
    const char *digits = scan->at + negative, *at = digits;
    *value = 0;
    for (; at < scan->end && *at >= '0' && *at <= '9'; at++) {
        if (at - digits == DIGITS_OF_INT64) return refuse(scan, "size that fits");
        *value = *value * 10 + (*at - '0');
    }
    if (at == digits || (at < scan->end && (*at == '.' || *at == 'e')))
        return refuse(scan, "whole number");
    if (negative) *value = -*value;
    scan->at = at < scan->end && *at == 'L' ? at + 1 : at;
    return true;
}

/* ---- what the header says ---- */

/* Types that hold no single real number, with what to do. */
static const char *strange_kind(char kind) {
    switch (kind) {
    case 'O':
        return "Python objects (a pickle), which are never unpacked here; save numbers, with "
               "a.astype(\"float32\")";
    case 'c':
        return "complex numbers; save a.real or abs(a)";
    case 'S':
    case 'a':
    case 'U':
        return "text; give labels by --query-labels and --key-labels";
    case 'M':
    case 'm':
        return "dates or spans of time; save a.astype(\"float64\")";
    case 'V':
        return "raw bytes without a type; save one field as float32";
    default:
        return NULL;
    }
}

static bool size_known(char kind, long size) {
    if (kind == 'b') return size == 1;
    if (kind == 'f') return size == 2 || size == 4 || size == 8 || size == 16;
    return size == 1 || size == 2 || size == 4 || size == 8;
}

/* '<f4': byte order, kind, bytes. */
static bool take_type(Npy *npy, const char *text, size_t length, Err *err) {
    if (length >= NPY_TYPE_MAX)
        return err_set(err, "the npy header has a type of %zu letters", length);
    memcpy(npy->type, text, length);
    npy->type[length] = '\0';
    const char *word = npy->type;
    npy->big = *word == '>';
    if (*word && strchr("<>|=", *word)) word++;
    const char *strange = strange_kind(*word);
    if (strange) return err_set(err, "the array (%s) holds %s", npy->type, strange);
    bool boolean = *word == '?' && !word[1];
    char *end = NULL;
    long size = *word ? strtol(word + 1, &end, 10) : 0;
    if (!boolean && (!*word || !strchr("fiub", *word) || *end || !size_known(*word, size)))
        return err_set(err,
                       "the npy header has the type \"%s\", which is unknown; real numbers are f2 "
                       "f4 f8 f16, i1 to i8, u1 to u8 and b1",
                       npy->type);
    npy->kind = boolean ? 'b' : *word;
    npy->size = boolean ? 1 : (int)size;
    return true;
}

static bool read_type(Scan *scan, Npy *npy) {
    const char *text;
    size_t length;
    pass_space(scan);
    if (scan->at < scan->end && *scan->at == '[')
        return err_set(scan->err, "the array holds records of several fields; save one field, as "
                                  "a[\"name\"].astype(\"float32\")");
    return read_string(scan, &text, &length) && take_type(npy, text, length, scan->err);
}

static bool read_order(Scan *scan, Npy *npy) {
    npy->fortran = pass_word(scan, "True");
    return npy->fortran || pass_word(scan, "False") || refuse(scan, "True or False (the order)");
}

/* (2, 3), (6,) or (); without a comma one number is no tuple. */
static bool read_shape(Scan *scan, Npy *npy) {
    bool comma = true;
    if (!pass(scan, '(')) return refuse(scan, "shape (a tuple)");
    for (npy->rank = 0; !pass(scan, ')'); npy->rank++) {
        if (!comma) return refuse(scan, "comma");
        if (npy->rank == NPY_RANK_MAX)
            return err_set(scan->err, "the array has more than %d dimensions", NPY_RANK_MAX);
        if (!read_whole(scan, &npy->shape[npy->rank])) return false;
        comma = pass(scan, ',');
    }
    return npy->rank != 1 || comma || refuse(scan, "shape (a tuple)");
}

static bool same(const char *text, size_t length, const char *word) {
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

static bool read_header(Scan *scan, Npy *npy) {
    enum { TYPE = 1, ORDER = 2, SHAPE = 4, ALL = 7 };
    unsigned seen = 0;
    const char *key;
    size_t length;
    if (!pass(scan, '{')) return refuse(scan, "dictionary");
    while (!pass(scan, '}')) {
        if (!read_string(scan, &key, &length)) return false;
        if (!pass(scan, ':')) return refuse(scan, "colon");
        unsigned found = same(key, length, "descr")           ? TYPE
                         : same(key, length, "fortran_order") ? ORDER
                         : same(key, length, "shape")         ? SHAPE
                                                              : 0;
        if (!found)
            return err_set(scan->err, "the npy header has a key besides descr, fortran_order and "
                                      "shape");
        bool ok = found == TYPE    ? read_type(scan, npy)
                  : found == ORDER ? read_order(scan, npy)
                                   : read_shape(scan, npy);
        if (!ok) return false;
        seen |= found;
        if (!pass(scan, ',') && !(scan->at < scan->end && *scan->at == '}'))
            return refuse(scan, "comma");
    }
    pass_space(scan);
    if (scan->at < scan->end) return refuse(scan, "end behind the dictionary");
    return seen == ALL || err_set(scan->err, "the npy header lacks %s",
                                  !(seen & TYPE)    ? "descr, the type"
                                  : !(seen & ORDER) ? "fortran_order"
                                                    : "shape");
}

/* ---- the file around it ---- */

/* Elements of the shape without an inferred dimension, whose place is returned in *open (-1). */
static bool count_elements(const Npy *npy, size_t *count, int *open, Err *err) {
    *count = 1;
    *open = -1;
    for (int i = 0; i < npy->rank; i++) {
        if (npy->shape[i] < 0 && *open >= 0)
            return err_set(err, "the npy header has a shape with two negative sizes");
        if (npy->shape[i] < 0)
            *open = i;
        else if (__builtin_mul_overflow(*count, (size_t)npy->shape[i], count))
            return err_set(err, "the npy header has a shape with more elements than memory holds");
    }
    return true;
}

static bool check_size(Npy *npy, size_t have, Err *err) {
    size_t size = (size_t)npy->size, count, bytes;
    int open;
    if (!count_elements(npy, &count, &open, err)) return false;
    if (open >= 0) {
        if (count == 0 || have / size % count != 0)
            return err_set(err, "the npy header has a negative size that the file does not settle");
        npy->shape[open] = (int64_t)(have / size / count);
        count *= (size_t)npy->shape[open];
    }
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > have)
        return err_set(err,
                       "the file is cut short: its shape needs %zu elements of %zu byte%s, behind "
                       "the header there are %zu bytes",
                       count, size, size == 1 ? "" : "s", have);
    npy->count = count;
    return true;
}

/* Where the header begins and how long it is. */
static bool find_header(const uint8_t *bytes, size_t length, size_t *start, size_t *header,
                        Err *err) {
    if (!npy_is(bytes, length)) return err_set(err, "this is no npy file");
    if (length < PREFIX) return err_set(err, "the npy file ends before its version");
    int major = bytes[6], minor = bytes[7];
    if (major < 1 || major > 3 || minor != 0)
        return err_set(err, "the npy file has the version %d.%d; 1.0, 2.0 and 3.0 are read", major,
                       minor);
    *start = major == 1 ? PREFIX + 2 : PREFIX + 4;
    if (length < *start) return err_set(err, "the npy file ends before its header");
    *header = (size_t)bytes[8] | (size_t)bytes[9] << 8;
    if (major > 1) *header |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (*header > NPY_HEADER_MAX)
        return err_set(err, "the npy header is %zu bytes long; at most %d are read", *header,
                       NPY_HEADER_MAX);
    if (*header > length - *start)
        return err_set(err, "the npy header should have %zu bytes, the file ends after %zu of them",
                       *header, length - *start);
    return true;
}

bool npy_parse(const uint8_t *bytes, size_t length, Npy *npy, Err *err) {
    size_t start = 0, header = 0;
    Npy read = {0};
    if (!find_header(bytes, length, &start, &header, err)) return false;
    const char *text = (const char *)bytes + start;
    Scan scan = {.at = text, .end = text + header, .err = err};
    if (!read_header(&scan, &read) || !check_size(&read, length - start - header, err))
        return false;
    read.bytes = bytes + start + header;
    *npy = read;
    return true;
}
