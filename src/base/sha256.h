/* SHA-256 and HMAC by nettle, which uses the processor's instructions: fingerprints of released
 * files, keyed hashes of identifiers. */
#ifndef PV_BASE_SHA256_H
#define PV_BASE_SHA256_H

#include <nettle/hmac.h>
#include <nettle/sha2.h>
#include <stddef.h>

#define PV_SHA256_SIZE SHA256_DIGEST_SIZE
#define PV_SHA256_HEX (2 * PV_SHA256_SIZE + 1) /* room for it in hexadecimal */

typedef struct sha256_ctx pv_sha256;

void pv_i_sha256_init(pv_sha256 *sha);
void pv_i_sha256_add(pv_sha256 *sha, const void *data, size_t size);
void pv_i_sha256_end(pv_sha256 *sha, unsigned char digest[PV_SHA256_SIZE]);
void pv_i_sha256_end_hex(pv_sha256 *sha, char hex[PV_SHA256_HEX]);

/* A keyed hash of many messages: the key is worked in once. Keys of any length. */
typedef struct hmac_sha256_ctx pv_hmac;

void pv_i_hmac_init(pv_hmac *hmac, const void *key, size_t key_size);
void pv_i_hmac_add(pv_hmac *hmac, const void *data, size_t size);
/* Ends a message; the next may begin. */
void pv_i_hmac_end(pv_hmac *hmac, unsigned char digest[PV_SHA256_SIZE]);

/* One message. */
void pv_i_hmac_sha256(const void *key, size_t key_size, const void *data, size_t size,
                      unsigned char digest[PV_SHA256_SIZE]);

/* The first n bytes in hexadecimal; `text` has room for 2n + 1. */
void pv_i_hex(const unsigned char *bytes, size_t n, char *text);

#endif
