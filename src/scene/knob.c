/* Knobs by their rows. A state is only bytes here: `at` says where the knob's value lies, and the
 * kind says what is there. */
#include "scene/knob.h"

#include "base/text.h"
#include "base/utf8.h"
#include "base/words.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAMES_MAX = 64 }; /* of a table of knobs or choices that an error offers */

static void *place_of(const Knob *knob, SceneState *state) {
    return (unsigned char *)state + knob->at;
}

static const void *value_of(const Knob *knob, const SceneState *state) {
    return (const unsigned char *)state + knob->at;
}

static bool is_text(const Knob *knob) {
    return knob->kind == KNOB_TEXT || knob->kind == KNOB_FILE;
}

static bool is_number(const Knob *knob) {
    return knob->kind == KNOB_INT || knob->kind == KNOB_REAL;
}

static double number_of(const Knob *knob, const SceneState *state) {
    if (knob->kind == KNOB_REAL) return *(const double *)value_of(knob, state);
    return *(const int *)value_of(knob, state);
}

static void put_number(const Knob *knob, SceneState *state, double value) {
    if (knob->kind == KNOB_REAL)
        *(double *)place_of(knob, state) = value;
    else
        *(int *)place_of(knob, state) = (int)value;
}

const Knob *knob_find(const Knob *knobs, const char *name, Err *err) {
    const char *names[NAMES_MAX];
    int count = 0;
    for (const Knob *knob = knobs; knob->name; knob++) {
        if (strcmp(knob->name, name) == 0) return knob;
        if (count < NAMES_MAX) names[count++] = knob->name;
    }
    words_unknown(err, "knob", name, names, count);
    return NULL;
}

/* The shortest decimal digits that come back as the same double. */
static void write_real(char out[TEXT_NUMBER_MAX], double value) {
    for (int digits = 6; digits <= 17; digits++) {
        double again = 0;
        snprintf(out, TEXT_NUMBER_MAX, "%.*g", digits, value);
        if (text_to_double(out, &again) && again == value) return;
    }
}

static bool refuse_number(const Knob *knob, const char *value, bool number, Err *err) {
    char low[TEXT_NUMBER_MAX], high[TEXT_NUMBER_MAX], words[128] = "";
    bool whole = knob->kind == KNOB_INT; /* in plain digits, however many */
    write_real(low, knob->min);
    write_real(high, knob->max);
    if (whole) snprintf(high, sizeof high, "%.0f", knob->max);
    for (const KnobWord *word = knob->words; word && word->name; word++) {
        size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, ", %s", word->name);
    }
    const char *what = whole ? "a whole number from " : number ? "" : "a number from ";
    const char *quote = !*value || strpbrk(value, " \t\r\n") ? "\"" : ""; /* or they are not seen */
    return err_usage(err, "%s %s%.*s%s: allowed is %s%s to %s%s", knob->name, quote,
                     words_shown(value), value, quote, what, low, high, words);
}

/* The number that value stands for, by word or by digits. */
static bool parse_number(const Knob *knob, const char *value, double *number, Err *err) {
    for (const KnobWord *word = knob->words; word && word->name; word++) {
        if (strcmp(word->name, value) != 0) continue;
        *number = word->value;
        return true;
    }
    int whole = 0;
    double parsed = 0;
    bool ok = knob->kind == KNOB_INT ? text_to_int(value, &whole) : text_to_double(value, &parsed);
    if (knob->kind == KNOB_INT) parsed = whole;
    /* written so that NaN fails too */
    if (!ok || !(parsed >= knob->min && parsed <= knob->max))
        return refuse_number(knob, value, ok, err);
    *number = parsed;
    return true;
}

static bool parse_switch(const Knob *knob, const char *value, bool *on, Err *err) {
    bool yes = strcmp(value, "on") == 0 || strcmp(value, "yes") == 0 || strcmp(value, "true") == 0;
    bool no = strcmp(value, "off") == 0 || strcmp(value, "no") == 0 || strcmp(value, "false") == 0;
    if (!yes && !no)
        return err_usage(err, "%s \"%.*s\": allowed is on or off", knob->name, words_shown(value),
                         value);
    *on = yes;
    return true;
}

static bool parse_choice(const Knob *knob, const char *value, int *index, Err *err) {
    const char *names[NAMES_MAX];
    int count = 0;
    for (const KnobChoice *choice = knob->choices; choice->name; choice++) {
        if (strcmp(choice->name, value) == 0) {
            *index = (int)(choice - knob->choices);
            return true;
        }
        if (count < NAMES_MAX) names[count++] = choice->name;
    }
    return words_unknown(err, knob->name, value, names, count);
}

static bool check_text(const Knob *knob, const char *value, Err *err) {
    size_t length = strlen(value), bad = 0;
    if (!utf8_valid(value, length, &bad))
        return err_set(err, "%s is not UTF-8: byte 0x%02X at offset %zu; save it as UTF-8",
                       knob->name, (unsigned char)value[bad], bad);
    if (length >= knob->size)
        return err_set(err, "%s is %zu bytes long: at most %zu fit%s", knob->name, length,
                       knob->size - 1,
                       knob->kind == KNOB_TEXT ? "; shorten it" : "; use a shorter path");
    return true;
}

static bool set_text(const Knob *knob, SceneState *state, const char *value, Err *err) {
    if (!check_text(knob, value, err)) return false;
    char *text = place_of(knob, state);
    size_t length = strlen(value);
    memmove(text, value, length + 1);
    return true;
}

bool knob_set(const Knob *knob, SceneState *state, const char *value, Err *err) {
    double number = 0;
    switch (knob->kind) {
    case KNOB_INT:
    case KNOB_REAL:
        if (!parse_number(knob, value, &number, err)) return false;
        put_number(knob, state, number);
        return true;
    case KNOB_SWITCH:
        return parse_switch(knob, value, place_of(knob, state), err);
    case KNOB_CHOICE:
        return parse_choice(knob, value, place_of(knob, state), err);
    case KNOB_TEXT:
    case KNOB_FILE:
        return set_text(knob, state, value, err);
    }
    assert(!"a knob of no kind");
    return false;
}

static const KnobWord *word_of(const Knob *knob, double value) {
    for (const KnobWord *word = knob->words; word && word->name; word++)
        if (word->value == value) return word;
    return NULL;
}

const char *knob_get(const Knob *knob, const SceneState *state, Arena *arena) {
    if (is_text(knob)) return arena_text(arena, value_of(knob, state));
    if (knob->kind == KNOB_SWITCH) return *(const bool *)value_of(knob, state) ? "on" : "off";
    if (knob->kind == KNOB_CHOICE) return knob->choices[knob_choice(knob, state)].name;
    double value = number_of(knob, state);
    const KnobWord *word = word_of(knob, value);
    if (word) return word->name;
    char *out = arena_alloc(arena, TEXT_NUMBER_MAX);
    write_real(out, value);
    return out;
}

const char *knob_show(const Knob *knob, const SceneState *state, Arena *arena) {
    if (knob->kind == KNOB_CHOICE) return knob->choices[knob_choice(knob, state)].label;
    if (knob->kind != KNOB_REAL) return knob_get(knob, state, arena);
    double value = number_of(knob, state);
    const KnobWord *word = word_of(knob, value);
    if (word) return word->label;
    char *out = arena_alloc(arena, TEXT_NUMBER_MAX);
    if (value == 0 || (fabs(value) >= 0.1 && fabs(value) < 10000))
        text_panel(out, value, 2);
    else if (fabs(value) >= 10000 && fabs(value) <= 1e7)
        snprintf(out, TEXT_NUMBER_MAX, "%.8g", value); /* a base of 10000 reads as such */
    else
        snprintf(out, TEXT_NUMBER_MAX, "%.3g", value);
    return out;
}

static int choice_count(const Knob *knob) {
    int count = 0;
    while (knob->choices[count].name) count++;
    return count;
}

/* From a word outside the range: to the word after or before it, upwards at last into the range. */
static double step_word(const Knob *knob, const KnobWord *word, int direction) {
    const KnobWord *next = word + direction;
    while (next >= knob->words && next->name && next->value == word->value) next += direction;
    if (next < knob->words) return word->value;
    return next->name ? next->value : knob->min;
}

static double round_digits(double value, int digits) {
    char text[TEXT_NUMBER_MAX];
    double rounded = value;
    snprintf(text, sizeof text, "%.*g", digits, value);
    text_to_double(text, &rounded);
    return rounded;
}

/* The last of the things that the knob chooses from; none may be counted yet. */
static bool has_count(const Knob *knob, const SceneState *state, double *last) {
    if (!knob->count_at) return false;
    const void *at = (const unsigned char *)state + knob->count_at;
    *last = *(const int *)at - 1;
    return *last >= knob->min;
}

static bool begins_with_a_word(const Knob *knob) {
    return knob->words && knob->words[0].name && knob->words[0].value < knob->min;
}

/* From the last to the first and back; a word below the range is one of them. */
static double step_around(const Knob *knob, double value, double last, int direction) {
    bool word = begins_with_a_word(knob);
    double next = value + direction * knob->step;
    if (value < knob->min) return direction > 0 ? knob->min : last;
    if (next > last) return word ? knob->words[0].value : knob->min;
    if (next < knob->min) return word ? knob->words[0].value : last;
    return next;
}

static double step_number(const Knob *knob, double value, int direction) {
    const KnobWord *word = word_of(knob, value);
    if (word && (value < knob->min || value > knob->max)) return step_word(knob, word, direction);
    double next =
        knob->logarithmic ? value * pow(knob->step, direction) : value + direction * knob->step;
    next = round_digits(next, 6);
    if (next >= knob->min) return next <= knob->max ? next : knob->max;
    if (begins_with_a_word(knob) && value <= knob->min) return knob->words[0].value;
    return knob->min;
}

bool knob_step(const Knob *knob, SceneState *state, int direction) {
    if (is_text(knob) || direction == 0) return false;
    if (knob->kind == KNOB_SWITCH) {
        bool *on = place_of(knob, state);
        *on = !*on;
        return true;
    }
    if (knob->kind == KNOB_CHOICE) {
        int count = choice_count(knob);
        int *index = place_of(knob, state);
        *index = ((*index + direction) % count + count) % count;
        return count > 1;
    }
    double before = number_of(knob, state), last;
    int by = direction > 0 ? 1 : -1;
    put_number(knob, state,
               has_count(knob, state, &last) ? step_around(knob, before, last, by)
                                             : step_number(knob, before, by));
    return number_of(knob, state) != before;
}

static void slider_ends(const Knob *knob, const SceneState *state, double *low, double *high) {
    bool own = knob->slider_min != knob->slider_max;
    *low = own ? knob->slider_min : knob->min;
    *high = own ? knob->slider_max : knob->max;
    has_count(knob, state, high);
    if (knob->logarithmic) {
        *low = log(*low);
        *high = log(*high);
    }
}

double knob_place(const Knob *knob, const SceneState *state) {
    if (!is_number(knob)) return 0;
    double low, high, value = number_of(knob, state);
    slider_ends(knob, state, &low, &high);
    if (knob->logarithmic) value = value > 0 ? log(value) : low;
    if (high <= low || value <= low) return 0;
    return value >= high ? 1 : (value - low) / (high - low);
}

void knob_put(const Knob *knob, SceneState *state, double place) {
    if (!is_number(knob)) return;
    double low, high;
    slider_ends(knob, state, &low, &high);
    place = place < 0 ? 0 : place > 1 ? 1 : place;
    double value = low + place * (high - low);
    if (knob->logarithmic) value = exp(value);
    value = knob->kind == KNOB_INT ? floor(value + 0.5) : round_digits(value, 3);
    if (value < knob->min) value = knob->min;
    if (value > knob->max) value = knob->max;
    put_number(knob, state, value);
}

int knob_choice(const Knob *knob, const SceneState *state) {
    assert(knob->kind == KNOB_CHOICE);
    return *(const int *)value_of(knob, state);
}

void knob_start(const Knob *knobs, SceneState *state) {
    for (const Knob *knob = knobs; knob->name; knob++) {
        Err err = {.text = ""};
        bool ok = knob_set(knob, state, knob->start, &err);
        assert(ok);
        (void)ok;
    }
}

bool knob_at_start(const Knob *knob, const SceneState *state) {
    double number = 0;
    int index = 0;
    bool on = false;
    if (is_text(knob)) return strcmp(value_of(knob, state), knob->start) == 0;
    if (knob->kind == KNOB_CHOICE)
        return parse_choice(knob, knob->start, &index, NULL) && index == knob_choice(knob, state);
    if (knob->kind == KNOB_SWITCH)
        return parse_switch(knob, knob->start, &on, NULL) &&
               on == *(const bool *)value_of(knob, state);
    return parse_number(knob, knob->start, &number, NULL) && number == number_of(knob, state);
}
