/* Each row of the table tells where its value goes and what it may be. */
#include "app/options.h"

#include "base/text.h"
#include "base/words.h"

#include <assert.h>
#include <string.h>

enum { OPTIONS_MAX = 32 };

/* The option that the word names, alone or before "=". */
static const Option *find(const Option *options, int count, const char *word) {
    for (int i = 0; i < count; i++) {
        size_t length = strlen(options[i].name);
        if (strncmp(options[i].name, word, length) != 0) continue;
        if (word[length] == '\0' || word[length] == '=') return &options[i];
    }
    return NULL;
}

static bool unknown(const Option *options, int count, const char *name, Err *err) {
    const char *names[OPTIONS_MAX];
    assert(count <= OPTIONS_MAX);
    for (int i = 0; i < count; i++) names[i] = options[i].name;
    return words_unknown(err, "option", name, names, count);
}

static bool set_number(const Option *option, char *place, const char *value, Err *err) {
    double number;
    int whole;
    bool good =
        option->kind == OPTION_INT ? text_to_int(value, &whole) : text_to_double(value, &number);
    if (!good)
        return err_usage(err, "%s \"%.*s\" is no %snumber", option->name, words_shown(value), value,
                         option->kind == OPTION_INT ? "whole " : "");
    if (option->kind == OPTION_INT) number = whole;
    if (!(number >= option->min && number <= option->max))
        return err_usage(err, "%s %s is out of range; %g to %g is allowed", option->name, value,
                         option->min, option->max);
    if (option->kind == OPTION_INT)
        memcpy(place, &whole, sizeof whole);
    else
        memcpy(place, &number, sizeof number);
    return true;
}

static bool set(const Option *option, void *values, const char *value, Err *err) {
    char *place = (char *)values + option->at;
    if (option->kind != OPTION_TEXT) return set_number(option, place, value, err);
    if (value[0] == '\0') return err_usage(err, "%s is empty", option->name);
    memcpy(place, &value, sizeof value);
    return true;
}

bool options_parse(const Option *options, int option_count, void *values, const char **plain,
                   int count, char **argv, Err *err) {
    bool ended = false;
    for (int i = 0; i < count; i++) {
        const char *word = argv[i];
        const Option *option = ended ? NULL : find(options, option_count, word);
        bool is_plain = ended || word[0] != '-' || word[1] == '\0';
        if (!ended && strcmp(word, "--") == 0) {
            ended = true;
            continue;
        }
        if (!option && is_plain && plain && !*plain) {
            *plain = word;
            continue;
        }
        if (!option && is_plain)
            return err_usage(err,
                             "\"%.*s\" is one word too many; a text of several words is quoted",
                             words_shown(word), word);
        if (!option) return unknown(options, option_count, word, err);
        const char *equals = strchr(word, '=');
        bool next = i + 1 < count && !find(options, option_count, argv[i + 1]);
        if (!equals && !next) return err_usage(err, "%s needs a value", word);
        if (!set(option, values, equals ? equals + 1 : argv[++i], err)) return false;
    }
    return true;
}
