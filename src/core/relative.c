/* Biases by the distance of key and query. */
#include "core/relative.h"

#include "core/tensor.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

int relative_position(RelativeMap map, int i, int j) {
    return j - (i + map.first);
}

bool alibi_check(int H, Err *err) {
    return H >= 1 || err_set(err, "alibi needs at least 1 head, found %d", H);
}

void alibi_slopes(float *slopes, int H) {
    assert(H >= 1);
    int power = 1;
    while (power <= H / 2) power *= 2;
    for (int h = 0; h < H; h++) {
        double exponent = h < power ? (h + 1.0) / power : (2.0 * (h - power) + 1) / (2.0 * power);
        slopes[h] = (float)exp2(-8 * exponent);
    }
}

void alibi_bias(float *bias, float slope, RelativeMap map, AlibiForm form) {
    for (int i = 0; i < map.T; i++)
        for (int j = 0; j < map.S; j++) {
            int relative = relative_position(map, i, j);
            if (form == ALIBI_SYMMETRIC && relative > 0) relative = -relative;
            *bias++ = relative ? slope * (float)relative : 0; /* never -0 */
        }
}

/* Buckets that one direction has. */
static int one_way(T5Buckets rule) {
    return rule.bidirectional ? rule.buckets / 2 : rule.buckets;
}

bool t5_check(T5Buckets rule, Err *err) {
    int least = rule.bidirectional ? 4 : 2;
    if (rule.buckets < least || (rule.bidirectional && rule.buckets % 2))
        return err_set(err, "%s needs %s %d buckets or more, found %d",
                       rule.bidirectional ? "a bias in both directions" : "a causal bias",
                       rule.bidirectional ? "an even number of" : "", least, rule.buckets);
    int exact = one_way(rule) / 2;
    if (rule.max_distance <= exact)
        return err_set(err,
                       "the largest distance must be above %d, up to which distances have buckets "
                       "of their own, found %d",
                       exact, rule.max_distance);
    return true;
}

int t5_bucket(T5Buckets rule, int relative) {
    int count = one_way(rule), exact = count / 2;
    int start = rule.bidirectional && relative > 0 ? count : 0;
    int64_t distance = relative;
    if (distance < 0)
        distance = -distance;
    else if (!rule.bidirectional)
        distance = 0;
    if (distance < exact) return start + (int)distance;
    double place =
        log((double)distance / exact) / log((double)rule.max_distance / exact) * (count - exact);
    return start + (int)fmin(exact + floor(place), count - 1);
}

void t5_bias(float *bias, const float *table, int H, int h, T5Buckets rule, RelativeMap map) {
    for (int i = 0; i < map.T; i++)
        for (int j = 0; j < map.S; j++) {
            int bucket = t5_bucket(rule, relative_position(map, i, j));
            *bias++ = table[(size_t)bucket * (size_t)H + (size_t)h];
        }
}

bool shaw_check(int max_distance, Err *err) {
    return max_distance >= 0 ||
           err_set(err, "the distance from which positions are clipped must be 0 or more, found %d",
                   max_distance);
}

int shaw_index(int relative, int max_distance) {
    assert(max_distance >= 0);
    if (relative < -max_distance) return 0;
    return relative > max_distance ? 2 * max_distance : relative + max_distance;
}

void shaw_bias(float *bias, const float *table, int H, int h, int max_distance, RelativeMap map) {
    for (int i = 0; i < map.T; i++)
        for (int j = 0; j < map.S; j++) {
            int row = shaw_index(relative_position(map, i, j), max_distance);
            *bias++ = table[(size_t)row * (size_t)H + (size_t)h];
        }
}

void shaw_key_bias(float *bias, const float *q, const float *rel_k, int K, float scale,
                   int max_distance, RelativeMap map) {
    for (int i = 0; i < map.T; i++)
        for (int j = 0; j < map.S; j++) {
            int row = shaw_index(relative_position(map, i, j), max_distance);
            *bias++ =
                scale * tensor_dot(q + (size_t)i * (size_t)K, rel_k + (size_t)row * (size_t)K, K);
        }
}

void shaw_value_add(float *output, const float *weights, const float *rel_v, int Kv,
                    int max_distance, RelativeMap map) {
    for (int i = 0; i < map.T; i++)
        for (int j = 0; j < map.S; j++) {
            int row = shaw_index(relative_position(map, i, j), max_distance);
            tensor_product_add(output + (size_t)i * (size_t)Kv, weights++,
                               rel_v + (size_t)row * (size_t)Kv, 1, Kv, 1);
        }
}
