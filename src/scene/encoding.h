/* One head of raw attention under an encoding of positions: queries and keys are the head's share
 * of the embeddings, and the encoding is added to them, turns them, or biases their scores. The
 * position of a token is its place in the sentence, from 0; a relative position is key minus
 * query. */
#ifndef SCENE_ENCODING_H
#define SCENE_ENCODING_H

#include "base/arena.h"
#include "base/err.h"
#include "base/table.h"
#include "core/position.h"
#include "core/relative.h"
#include "scene/knob.h"
#include "scene/scene.h"
#include "scene/sentence.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum EncodingKind {
    ENCODING_NONE,
    ENCODING_SINUSOIDAL,
    ENCODING_LEARNED,
    ENCODING_ROPE,
    ENCODING_ALIBI,
    ENCODING_T5,
    ENCODING_RELATIVE,
    ENCODING_COUNT
} EncodingKind;

/* The choices in the order of the enum, and the same behind a first one, "off". */
extern const KnobChoice encoding_choices[], encoding_others[];

typedef struct EncodingRule {
    EncodingKind kind;
    int heads, head;
    double base;               /* sinusoidal, RoPE */
    double strength;           /* factor on what is added: vectors, or a bias */
    AlibiForm form;            /* ALiBi */
    int buckets, max_distance; /* T5; in both directions unless causal */
    int clip;                  /* clipped relative: distances from here on are one */
    LearnedTable learned;      /* rows NULL: seeded */
    uint64_t seed;             /* of the tables that nobody has trained */
    bool causal;
} EncodingRule;

/* A learned table as it is typed, rows parted by ;, or @FILE; "" leaves it as it is. Numbers that
 * are not finite are refused. */
bool encoding_read_table(const char *text, Arena *arena, LearnedTable *table, Err *err);

/* What is refused: head >= heads, a width that heads does not divide (attends: the scores are
 * needed, not only the bias), odd widths, and what the encoding refuses for T tokens of width D. */
bool encoding_check(const EncodingRule *rule, int T, int D, bool attends, Err *err);

/* What the encoding itself holds: vectors of positions, cosines, slopes, a table of biases. */
Table encoding_table(const EncodingRule *rule, int T, int D, Arena *arena);

/* A bucket or row of the table for T5 and clipped relative, else the relative position. */
int encoding_bucket(const EncodingRule *rule, int relative);
bool encoding_has_bias(EncodingKind kind);
/* bias[T,T] of the head; zeros for encodings that have none. */
float *encoding_bias(const EncodingRule *rule, int T, Arena *arena);

typedef struct EncodedHead {
    int T, K;
    float *q;             /* [T,K] queries, which are the keys too */
    const float *scores;  /* [T,T] scaled, with the bias, before the mask */
    const float *weights; /* [T,T] */
    uint8_t *allowed;     /* [T,T] */
} EncodedHead;

/* x[T,D]; the rule has been checked. */
EncodedHead encoding_attend(const EncodingRule *rule, const float *x, int T, int D, Arena *arena);

/* How much the order matters: change[T] by typed places, the largest change of a weight in the row
 * of each token when token i is the one typed at place[i]. Returns the largest. */
float encoding_change(const EncodingRule *rule, const float *x, const int *place, int T, int D,
                      float *change, Arena *arena);

/* ---- tables (encoding_tables.c) ---- */

/* What is shown of a sentence under an encoding: [T,T], queries down and keys across. */
typedef enum EncodingMap {
    ENCODING_MAP_BUCKETS, /* the relative position of every pair, or its bucket */
    ENCODING_MAP_BIAS,    /* what the encoding changes in the scaled scores */
    ENCODING_MAP_SCORES,
    ENCODING_MAP_WEIGHTS
} EncodingMap;

/* The table of a map, with the notes that belong to it. head: what encoding_attend gave for this
 * rule; NULL where no head can attend (buckets, and the bias of encodings that have one). */
Table encoding_map(const EncodingRule *rule, EncodingMap map, const Sentence *sentence,
                   const EncodedHead *head, Arena *arena);

/* left minus right, two maps of one kind under two encodings. */
Table encoding_difference(const Table *left, const EncodingRule *left_rule, const Table *right,
                          const EncodingRule *right_rule, Arena *arena);

/* How much each token's row of weights changes under every encoding when token i is the one typed
 * at place[i]; place NULL: when the words are reversed. What is refused is missing. The notes say
 * which encodings notice. */
Table encoding_order(const EncodingRule *rule, const Sentence *typed, const int *place,
                     Arena *arena);

/* Whether the encoding of the rule notices that order, as a note of its weights. */
void encoding_note_order(const EncodingRule *rule, const Sentence *typed, const int *place,
                         Table *table, Arena *arena);

/* ---- words ---- */

/* "RoPE", and with what it has: "ALiBi, slope 0.5". */
const char *encoding_name(const EncodingRule *rule, Arena *arena);

/* What the encoding's numbers are and where they come from, as sentences of a table's notes. */
void encoding_notes(const EncodingRule *rule, Table *table, Arena *arena);

/* Lines of the inspector about a relative position and what it adds to the score. */
void encoding_inspect(const EncodingRule *rule, int relative, double bias, Probe *probe,
                      Arena *arena);

#endif
