/* SHA-256 (FIPS 180-4) and HMAC (RFC 2104): fingerprints of released files, keyed hashes of
 * identifiers. */
#ifndef PV_BASE_SHA256_H
#define PV_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define PV_SHA256_SIZE 32

typedef struct pv_sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    unsigned char block[64];
} pv_sha256;

void pv_i_sha256_init(pv_sha256 *sha);
void pv_i_sha256_add(pv_sha256 *sha, const void *data, size_t size);
void pv_i_sha256_end(pv_sha256 *sha, unsigned char digest[PV_SHA256_SIZE]);

void pv_i_hmac_sha256(const void *key, size_t key_size, const void *data, size_t size,
                      unsigned char digest[PV_SHA256_SIZE]);

/* The first n bytes in hexadecimal; `text` has room for 2n + 1. */
void pv_i_hex(const unsigned char *bytes, size_t n, char *text);

#endif
