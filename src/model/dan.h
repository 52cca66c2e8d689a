/* The deep averaging network (Iyyer et al. 2015): the mean of the embeddings of a text's pieces,
 * hidden layers, one logit. Its embeddings are what the scene `raw` attends with. */
#ifndef MODEL_DAN_H
#define MODEL_DAN_H

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "model/safetensors.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Dan {
    int V, D;         /* vocabulary, d_model */
    int hidden;       /* width of the hidden layer */
    int tokens;       /* of a longer text the last so many pieces count */
    int padding;      /* id of [PAD], whose embedding is zero */
    float *embedding; /* [V,D] */
    float *w1, *b1;   /* [hidden,D], [hidden] */
    float *w2, *b2;   /* [1,hidden], [1] */
    bool gelu;        /* else ReLU */
} Dan;

/* What a forward pass keeps for the backward one, or the gradients of it; B rows of T pieces. */
typedef struct DanActs {
    float *x;         /* [B,T,D] */
    float *mean;      /* [B,D] */
    float *pre, *act; /* [B,hidden] before and after the activation */
    float *logits;    /* [B] */
} DanActs;

DanActs dan_acts(const Dan *dan, int B, int T, Arena *arena);

/* ids[B,T], mask[B,T] (1 where there is a piece) to acts->logits. */
void dan_forward(const Dan *dan, const int *ids, const uint8_t *mask, int B, int T, DanActs *acts);

/* Reads the safetensors file; shapes that do not fit are named with wanted and found. V must be
 * vocabulary. */
bool dan_read(const char *path, int vocabulary, Arena *arena, Dan *dan, Err *err);

/* The embedding alone, in the type of the file, as a scene needs it: of its hundreds of rows a
 * sentence has a dozen, and only those become float32. */
typedef struct DanTable {
    int V, D;
    const SafeTensor *rows; /* [V,D]; NULL before it is opened */
    FileBytes file;         /* what they are in, mapped */
} DanTable;

/* As dan_read; the layers behind the embedding are not looked at. dan_table_close gives the file
 * back; of {0} it does nothing. */
bool dan_table_open(const char *path, int vocabulary, Arena *arena, DanTable *table, Err *err);
void dan_table_close(DanTable *table);

/* row[D] of an id, 0 <= id < V. */
void dan_table_row(const DanTable *table, int id, float *row);

/* Writes the network as embedding.weight, hidden.weight, hidden.bias, output.weight and
 * output.bias; half rounds the two large matrices to float16. note is the metadata's description,
 * NULL for none. */
bool dan_write(const Dan *dan, const char *path, bool half, const char *note, Arena scratch,
               Err *err);

/* The logit of one text, > 0 is positive; only the last dan->tokens ids count. */
float dan_logit(const Dan *dan, Arena scratch, const int *ids, int count);

#endif
