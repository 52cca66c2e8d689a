/* A query at position m and a key at position n, typed or an example, and what RoPE makes of them:
 * turned vectors, hands of dials, products wherever both stand. */
#ifndef SCENE_DIALS_H
#define SCENE_DIALS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/table.h"
#include "core/rope.h"
#include "draw/dial.h"
#include "scene/knob.h"
#include "scene/scene.h"

#include <stdbool.h>

enum { DIALS_WIDTH_MAX = 256, DIALS_WIDTH_START = 8 };

/* Choices in the order of RopePairing. */
extern const KnobChoice dials_pairings[];

typedef struct DialsRule {
    const char *q, *k, *v; /* numbers as typed_grid reads them, or "example" */
    int head_dim;          /* typed numbers decide, unless this is not usual_dim */
    int usual_dim;
    int rotary_dim; /* 0: the head width */
    double base;
    RopePairing pairing;
    bool quarter; /* every pair makes a quarter turn (cosine 0, sine 1), wherever it stands */
    int m, n;
} DialsRule;

typedef struct Dials {
    DialsRule rule;
    int K, R;                /* head width and rotary width */
    const float *q, *k, *v;  /* [K] */
    const float *turned[2];  /* q and k, [K] */
    const double *frequency; /* [R/2] */
} Dials;

/* Errors: what typed_grid says, more than one row, numbers that are not finite, different counts,
 * a count that is not head_dim, and what rope_check refuses. */
bool dials_read(DialsRule rule, Arena *arena, Dials *dials, Err *err);

/* Two features: a pair that turns, or two behind the rotary width. index < K/2. */
typedef struct DialsCouple {
    int index, a, b;
    bool turned;
} DialsCouple;
DialsCouple dials_couple(const Dials *dials, int index);
/* The couple that a feature belongs to. */
DialsCouple dials_couple_of(const Dials *dials, int feature);

/* The dial of a couple: the query's hand on top, the key's below it, the angle between. */
Dial dials_dial(const Dials *dials, DialsCouple couple, const Theme *theme, Arena *arena);
Color dials_query_color(const Theme *theme);
Color dials_key_color(const Theme *theme);

/* Whether a direction, in radians, is nearer to the key's hand than to the query's. */
bool dials_nearer_key(const Dials *dials, DialsCouple couple, double angle);

/* q . k under a pairing, both moved on by shift positions. */
double dials_product(const Dials *dials, RopePairing pairing, int shift);

/* Euclidean length of the query or key, before turning and after, in double throughout. */
double dials_length(const Dials *dials, bool key, bool turned);

/* ---- words ---- */

typedef enum DialsVector { DIALS_Q, DIALS_Q_TURNED, DIALS_K, DIALS_K_TURNED, DIALS_V } DialsVector;

/* The vectors which[count], DialsVector, over their features; features behind the rotary width are
 * named so, and notes say what turning does to lengths. */
Table dials_vectors(const Dials *dials, const int *which, int count, Arena *arena);

/* Lines of the inspector: how a feature of the turned query or key comes about, or a point of the
 * cosine of a pair. */
void dials_inspect_feature(const Dials *dials, bool key, int feature, Probe *probe, Arena *arena);
void dials_inspect_wave(const Dials *dials, int pair, int position, Probe *probe, Arena *arena);

#endif
