/* SHA-256 and HMAC: what nettle does, in our words. */
#include "base/sha256.h"

void pv_i_sha256_init(pv_sha256 *sha)
{
    sha256_init(sha);
}

void pv_i_sha256_add(pv_sha256 *sha, const void *data, size_t size)
{
    sha256_update(sha, size, data);
}

void pv_i_sha256_end(pv_sha256 *sha, unsigned char digest[PV_SHA256_SIZE])
{
    sha256_digest(sha, PV_SHA256_SIZE, digest);
}

void pv_i_sha256_end_hex(pv_sha256 *sha, char hex[PV_SHA256_HEX])
{
    unsigned char digest[PV_SHA256_SIZE];
    pv_i_sha256_end(sha, digest);
    pv_i_hex(digest, sizeof digest, hex);
}

void pv_i_hmac_init(pv_hmac *hmac, const void *key, size_t key_size)
{
    hmac_sha256_set_key(hmac, key_size, key);
}

void pv_i_hmac_add(pv_hmac *hmac, const void *data, size_t size)
{
    hmac_sha256_update(hmac, size, data);
}

void pv_i_hmac_end(pv_hmac *hmac, unsigned char digest[PV_SHA256_SIZE])
{
    hmac_sha256_digest(hmac, PV_SHA256_SIZE, digest);
}

void pv_i_hmac_sha256(const void *key, size_t key_size, const void *data, size_t size,
                      unsigned char digest[PV_SHA256_SIZE])
{
    pv_hmac hmac;
    pv_i_hmac_init(&hmac, key, key_size);
    pv_i_hmac_add(&hmac, data, size);
    pv_i_hmac_end(&hmac, digest);
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
