/* SHA-256 as FIPS 180-4 describes it, and HMAC on top. */
#include "base/sha256.h"

#include <string.h>

/* The fractional parts of the cube roots of the first 64 primes. */
static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate_right(uint32_t x, unsigned by)
{
    return (x >> by) | (x << (32 - by));
}

static uint32_t read_big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void write_big_endian(uint32_t word, unsigned char *bytes)
{
    for (unsigned i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(word >> (24 - 8 * i));
    }
}

static void expand(const unsigned char block[64], uint32_t w[64])
{
    for (unsigned t = 0; t < 16; t++) {
        w[t] = read_big_endian(block + (size_t)4 * t);
    }
    for (unsigned t = 16; t < 64; t++) {
        const uint32_t s0 =
            rotate_right(w[t - 15], 7) ^ rotate_right(w[t - 15], 18) ^ (w[t - 15] >> 3);
        const uint32_t s1 =
            rotate_right(w[t - 2], 17) ^ rotate_right(w[t - 2], 19) ^ (w[t - 2] >> 10);
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
}

static void compress(uint32_t state[8], const unsigned char block[64])
{
    uint32_t w[64];
    uint32_t v[8]; /* a..h of the standard */
    expand(block, w);
    memcpy(v, state, sizeof v);
    for (unsigned t = 0; t < 64; t++) {
        const uint32_t s1 = rotate_right(v[4], 6) ^ rotate_right(v[4], 11) ^ rotate_right(v[4], 25);
        const uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        const uint32_t t1 = v[7] + s1 + choice + round_constants[t] + w[t];
        const uint32_t s0 = rotate_right(v[0], 2) ^ rotate_right(v[0], 13) ^ rotate_right(v[0], 22);
        const uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + s0 + majority;
    }
    for (unsigned i = 0; i < 8; i++) {
        state[i] += v[i];
    }
}

void pv_i_sha256_init(pv_sha256 *sha)
{
    /* The fractional parts of the square roots of the first eight primes. */
    *sha = (pv_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void pv_i_sha256_add(pv_sha256 *sha, const void *data, size_t size)
{
    const unsigned char *at = data;
    while (size > 0) {
        const size_t used = (size_t)(sha->length % 64);
        const size_t n = size < 64 - used ? size : 64 - used;
        memcpy(sha->block + used, at, n);
        sha->length += n;
        at += n;
        size -= n;
        if (used + n == 64) {
            compress(sha->state, sha->block);
        }
    }
}

void pv_i_sha256_end(pv_sha256 *sha, unsigned char digest[PV_SHA256_SIZE])
{
    static const unsigned char padding[64] = {0x80};
    const uint64_t bits = sha->length * 8;
    unsigned char length[8];
    write_big_endian((uint32_t)(bits >> 32), length);
    write_big_endian((uint32_t)bits, length + 4);
    const size_t used = (size_t)(sha->length % 64);
    pv_i_sha256_add(sha, padding, used < 56 ? 56 - used : 120 - used);
    pv_i_sha256_add(sha, length, sizeof length);
    for (unsigned i = 0; i < 8; i++) {
        write_big_endian(sha->state[i], digest + (size_t)4 * i);
    }
}

void pv_i_hmac_sha256(const void *key, size_t key_size, const void *data, size_t size,
                      unsigned char digest[PV_SHA256_SIZE])
{
    unsigned char pad[64] = {0};
    pv_sha256 sha;
    if (key_size > sizeof pad) {
        pv_i_sha256_init(&sha);
        pv_i_sha256_add(&sha, key, key_size);
        pv_i_sha256_end(&sha, pad);
    } else if (key_size > 0) {
        memcpy(pad, key, key_size);
    }
    for (size_t i = 0; i < sizeof pad; i++) {
        pad[i] ^= 0x36;
    }
    pv_i_sha256_init(&sha);
    pv_i_sha256_add(&sha, pad, sizeof pad);
    pv_i_sha256_add(&sha, data, size);
    pv_i_sha256_end(&sha, digest);
    for (size_t i = 0; i < sizeof pad; i++) {
        pad[i] ^= 0x36 ^ 0x5c;
    }
    pv_i_sha256_init(&sha);
    pv_i_sha256_add(&sha, pad, sizeof pad);
    pv_i_sha256_add(&sha, digest, PV_SHA256_SIZE);
    pv_i_sha256_end(&sha, digest);
}

void pv_i_hex(const unsigned char *bytes, size_t n, char *text)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < n; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    text[2 * n] = '\0';
}
