/* The averaging network: its arithmetic by hand, its file there and back and damaged, and what is
 * claimed of the network that is shipped. */
#include "model/dan.h"

#include "core/softmax.h"
#include "core/tensor.h"
#include "model/bpe.h"
#include "model/safetensors.h"

#include "token_tools.h"

#include <math.h>

#define SHIPPED "assets/models/dan-384"

typedef struct Fixture {
    Arena arena;
    const char *folder;
} Fixture;

static const char *const file_names[] = {"dan.safetensors"};

static int setup(void **state) {
    Fixture *fixture = calloc(1, sizeof *fixture);
    fixture->arena = arena_open(out_of_memory);
    fixture->folder = new_folder(&fixture->arena);
    *state = fixture;
    return 0;
}

static int teardown(void **state) {
    Fixture *fixture = *state;
    drop_folder(&fixture->arena, fixture->folder, file_names, 1);
    arena_close(&fixture->arena);
    free(fixture);
    return 0;
}

/* Three pieces and [PAD], two wide, two hidden. */
typedef struct Small {
    float embedding[8], w1[4], b1[2], w2[2], b2[1];
} Small;

static Small small_numbers(void) {
    return (Small){.embedding = {1, 2, 3, -4, -1, 0.5f, 0, 0},
                   .w1 = {1, 0, 0, 1},
                   .b1 = {0, 0.5f},
                   .w2 = {2, -1},
                   .b2 = {0.25f}};
}

static Dan small_dan(Small *small) {
    return (Dan){.V = 4,
                 .D = 2,
                 .hidden = 2,
                 .tokens = 3,
                 .padding = 3,
                 .embedding = small->embedding,
                 .w1 = small->w1,
                 .b1 = small->b1,
                 .w2 = small->w2,
                 .b2 = small->b2};
}

static void expect_near(double got, double wanted) {
    if (!(fabs(got - wanted) < 1e-6)) fail_msg("got %.9g, want %.9g", got, wanted);
}

static void test_logit_by_hand(void **state) {
    Arena arena = ((Fixture *)*state)->arena;
    Small small = small_numbers();
    Dan dan = small_dan(&small);
    const int ids[] = {0, 1};
    /* mean (2, -1); hidden max(0, (2, -0.5)) = (2, 0); logit 4.25 */
    expect_near(dan_logit(&dan, arena, ids, 2), 4.25);
    /* nothing: hidden (0, 0.5), logit -0.25 */
    expect_near(dan_logit(&dan, arena, ids, 0), -0.25);
    /* GELU(2) = 1.9544997, GELU(-0.5) = -0.1542688 */
    dan.gelu = true;
    expect_near(dan_logit(&dan, arena, ids, 2), 2 * 1.9544997361 + 0.1542687694 + 0.25);
}

static void test_only_the_last_pieces_count(void **state) {
    Arena arena = ((Fixture *)*state)->arena;
    Small small = small_numbers();
    Dan dan = small_dan(&small);
    const int ids[] = {2, 2, 0, 1, 1};
    expect_near(dan_logit(&dan, arena, ids, 5), dan_logit(&dan, arena, ids + 2, 3));
    assert_true(dan_logit(&dan, arena, ids, 5) != dan_logit(&dan, arena, ids, 3));
}

static void test_file_there_and_back(void **state) {
    Fixture *fixture = *state;
    Arena *arena = &fixture->arena;
    const char *path = file_join(arena, fixture->folder, file_names[0]);
    Small small = small_numbers();
    Dan dan = small_dan(&small), read;
    Err err = {0};
    for (int half = 0; half < 2; half++) {
        dan.gelu = half == 1;
        assert_true(dan_write(&dan, path, half == 1, "note", *arena, &err));
        assert_true(dan_read(path, 4, arena, &read, &err));
        assert_memory_equal(read.embedding, small.embedding, sizeof small.embedding);
        assert_memory_equal(read.w1, small.w1, sizeof small.w1);
        assert_memory_equal(read.b1, small.b1, sizeof small.b1);
        assert_memory_equal(read.w2, small.w2, sizeof small.w2);
        assert_memory_equal(read.b2, small.b2, sizeof small.b2);
        assert_int_equal(read.tokens, 3);
        assert_int_equal(read.hidden, 2);
        assert_int_equal(read.padding, 3);
        assert_int_equal(read.gelu, dan.gelu);
        DanTable table;
        assert_true(dan_table_open(path, 4, arena, &table, &err));
        assert_int_equal(table.D, 2);
        float row[2];
        for (int id = 0; id < 4; id++) {
            dan_table_row(&table, id, row);
            assert_memory_equal(row, small.embedding + 2 * id, sizeof row);
        }
        dan_table_close(&table);
        assert_null(table.rows);
    }
}

static void test_vocabulary_must_fit(void **state) {
    Fixture *fixture = *state;
    const char *path = file_join(&fixture->arena, fixture->folder, file_names[0]);
    Small small = small_numbers();
    Dan dan = small_dan(&small), read = {.V = -7};
    Err err = {0};
    assert_true(dan_write(&dan, path, false, NULL, fixture->arena, &err));
    assert_false(dan_read(path, 590, &fixture->arena, &read, &err));
    assert_has(err.text, path);
    assert_has(err.text, "embedding.weight");
    assert_has(err.text, "590");
    assert_int_equal(read.V, -7);
}

/* Writes the tensors of a good file but for one thing. */
static void write_damaged(Fixture *fixture, int without, const char *tokens,
                          const char *activation) {
    Small small = small_numbers();
    const SafeOut all[] = {
        {"embedding.weight", SAFE_F32, 2, {4, 2}, small.embedding},
        {"hidden.weight", SAFE_F32, 2, {2, 2}, small.w1},
        {"hidden.bias", SAFE_F32, 1, {2}, small.b1},
        {"output.weight", SAFE_F32, 2, {1, 2}, small.w2},
        {"output.bias", SAFE_F32, 1, {1}, small.b2},
    };
    SafeOut kept[5];
    int count = 0;
    for (int i = 0; i < 5; i++)
        if (i != without) kept[count++] = all[i];
    const char *const pairs[] = {"tokens", tokens, "activation", activation};
    Err err = {0};
    assert_true(safetensors_write(file_join(&fixture->arena, fixture->folder, file_names[0]), kept,
                                  count, pairs, 2, &err));
}

static void test_damaged_files(void **state) {
    static const struct {
        int without;
        const char *tokens, *activation, *says;
    } bad[] = {
        {0, "128", "relu", "embedding.weight"},
        {1, "128", "relu", "hidden.weight"},
        {2, "128", "relu", "hidden.bias is not there"},
        {3, "128", "relu", "output.weight"},
        {4, "128", "relu", "output.bias"},
        {-1, "0", "relu", "metadata tokens is 0"},
        {-1, "many", "relu", "metadata tokens is many"},
        {-1, "128", "tanh", "metadata activation is tanh, where relu or gelu is allowed"},
    };
    Fixture *fixture = *state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_damaged(fixture, bad[i].without, bad[i].tokens, bad[i].activation);
        Dan dan;
        Err err = {0};
        const char *path = file_join(&fixture->arena, fixture->folder, file_names[0]);
        assert_false(dan_read(path, 4, &fixture->arena, &dan, &err));
        assert_has(err.text, bad[i].says);
    }
}

typedef struct Shipped {
    Bpe *bpe;
    Dan dan;
} Shipped;

static Shipped shipped(Arena *arena) {
    Shipped it;
    Err err = {0};
    if (!bpe_read("assets/bpe", arena, &it.bpe, &err) ||
        !dan_read(SHIPPED ".safetensors", bpe_vocabulary(it.bpe), arena, &it.dan, &err))
        fail_msg("%s", err.text);
    return it;
}

/* X[*T,D] of a sentence: a row a piece, or a row a word, the mean of its pieces. */
static float *rows_of(const Shipped *it, const char *text, size_t length, bool words, Arena *arena,
                      int *T) {
    int count, D = it->dan.D;
    const BpePiece *pieces = bpe_encode(it->bpe, arena, text, length, &count);
    float *x = ARENA_ARRAY(arena, float, count *D);
    int *members = ARENA_ARRAY(arena, int, count);
    for (int i = 0; i < count; i++) {
        int row = words ? pieces[i].word : i;
        members[row]++;
        for (int d = 0; d < D; d++) x[row * D + d] += it->dan.embedding[pieces[i].id * D + d];
    }
    *T = words ? pieces[count - 1].word + 1 : count;
    for (int row = 0; row < *T; row++)
        for (int d = 0; d < D; d++) x[row * D + d] /= (float)members[row];
    return x;
}

/* softmax(X X' / sqrt(D)), [T,T]. */
static float *raw_attention(const Shipped *it, const char *text, size_t length, bool words,
                            Arena *arena, int *T) {
    float *x = rows_of(it, text, length, words, arena, T);
    float *weights = ARENA_ARRAY(arena, float, *T **T);
    tensor_product_nt(weights, x, x, *T, *T, it->dan.D);
    softmax_rows(weights, weights, *T, *T, sqrtf((float)it->dan.D));
    return weights;
}

static int by_value(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static double median_diagonal(const Shipped *it, bool words, Arena arena) {
    enum { MOST = 1000 };
    float diagonal[MOST];
    int count = 0, sentences = 0;
    const char *text;
    size_t length;
    Err err = {0};
    assert_true(
        file_read_text("samples/texts/ten-sentences.txt", 1 << 16, &arena, &text, &length, &err));
    for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1, sentences++) {
        int T;
        const float *weights = raw_attention(it, line, (size_t)(end - line), words, &arena, &T);
        assert_in_range(count + T, 1, MOST);
        for (int i = 0; i < T; i++) diagonal[count++] = weights[i * T + i];
    }
    assert_int_equal(sentences, 10);
    qsort(diagonal, (size_t)count, sizeof *diagonal, by_value);
    return (diagonal[(count - 1) / 2] + diagonal[count / 2]) / 2.0;
}

/* Wider embeddings would show an identity matrix, narrower ones a flat picture. */
static void test_shipped_diagonal(void **state) {
    Arena *arena = &((Fixture *)*state)->arena;
    Shipped it = shipped(arena);
    const char *claims;
    size_t length;
    Err err = {0};
    assert_true(file_read_text(SHIPPED ".txt", 1 << 16, arena, &claims, &length, &err));
    for (int words = 0; words < 2; words++) {
        double median = median_diagonal(&it, words == 1, *arena);
        assert_true(median > 0.2 && median < 0.8);
        assert_has(claims, arena_printf(arena, "%.3f for %s", median, words ? "words" : "pieces"));
    }
}

/* Words of praise look at words of praise: twice as much as at words of blame. */
static void test_shipped_sentiment(void **state) {
    Arena *arena = &((Fixture *)*state)->arena;
    Shipped it = shipped(arena);
    const char *text = "good great excellent wonderful best loved bad awful terrible worst boring "
                       "waste";
    int T;
    const float *weights = raw_attention(&it, text, strlen(text), true, arena, &T);
    double same = 0, other = 0;
    assert_int_equal(T, 12);
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++) {
            double share = weights[i * T + j] / (1 - weights[i * T + i]);
            if (i != j && i / 6 == j / 6) same += share / 60;
            if (i / 6 != j / 6) other += share / 72;
        }
    assert_true(same > 2 * other);
}

static void test_shipped_claims(void **state) {
    Arena *arena = &((Fixture *)*state)->arena;
    const char *text;
    size_t length;
    Err err = {0};
    assert_true(file_read_text(SHIPPED ".txt", 1 << 16, arena, &text, &length, &err));
    double train, valid, test;
    const char *line = strstr(text, "accuracy: train ");
    assert_non_null(line);
    assert_int_equal(
        sscanf(line, "accuracy: train %lf, validation %lf, test %lf", &train, &valid, &test), 3);
    assert_true(test > 0.7 && test < 1 && valid > 0.7 && train > valid);
    const char *const said[] = {"command: heed train dan ",
                                "seed: ",
                                "epochs: ",
                                "standard deviation",
                                "decay",
                                "Maas",
                                "ACL 2011"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) assert_has(text, said[i]);
}

static void test_shipped_network_knows_a_review(void **state) {
    Arena *arena = &((Fixture *)*state)->arena;
    Shipped it = shipped(arena);
    static const struct {
        const char *text;
        bool positive;
    } reviews[] = {
        {"A wonderful film, one of the best I have ever seen. I loved it.", true},
        {"The worst movie ever. A terrible waste of time, boring and bad.", false},
    };
    for (int i = 0; i < 2; i++) {
        int count;
        const BpePiece *pieces =
            bpe_encode(it.bpe, arena, reviews[i].text, strlen(reviews[i].text), &count);
        int *ids = ARENA_ARRAY(arena, int, count);
        for (int j = 0; j < count; j++) ids[j] = pieces[j].id;
        assert_int_equal(dan_logit(&it.dan, *arena, ids, count) > 0, reviews[i].positive);
    }
    const float *padding = it.dan.embedding + it.dan.padding * it.dan.D;
    for (int d = 0; d < it.dan.D; d++) assert_true(padding[d] == 0);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(test_logit_by_hand),
        WITH_FOLDER(test_only_the_last_pieces_count),
        WITH_FOLDER(test_file_there_and_back),
        WITH_FOLDER(test_vocabulary_must_fit),
        WITH_FOLDER(test_damaged_files),
        WITH_FOLDER(test_shipped_diagonal),
        WITH_FOLDER(test_shipped_sentiment),
        WITH_FOLDER(test_shipped_claims),
        WITH_FOLDER(test_shipped_network_knows_a_review),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
