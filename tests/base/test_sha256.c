/* Known answers of FIPS 180-4 and RFC 4231. */
#include "support/testing.h"

#include "base/sha256.h"

#include <string.h>
// cmocka.h needs the headers above first

static void assert_sha(const char *message, const char *expected)
{
    unsigned char digest[PV_SHA256_SIZE];
    char text[2 * PV_SHA256_SIZE + 1];
    pv_sha256 sha;
    pv_i_sha256_init(&sha);
    pv_i_sha256_add(&sha, message, strlen(message));
    pv_i_sha256_end(&sha, digest);
    pv_i_hex(digest, sizeof digest, text);
    assert_string_equal(text, expected);
}

static void known_digests(void **state)
{
    (void)state;
    assert_sha("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_sha("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_sha("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void a_million_letters_in_uneven_pieces(void **state)
{
    (void)state;
    char piece[997];
    unsigned char digest[PV_SHA256_SIZE];
    char text[2 * PV_SHA256_SIZE + 1];
    pv_sha256 sha;
    memset(piece, 'a', sizeof piece);
    pv_i_sha256_init(&sha);
    for (size_t left = 1000000; left > 0;) {
        const size_t n = left < sizeof piece ? left : sizeof piece;
        pv_i_sha256_add(&sha, piece, n);
        left -= n;
    }
    pv_i_sha256_end(&sha, digest);
    pv_i_hex(digest, sizeof digest, text);
    assert_string_equal(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void known_hmacs(void **state)
{
    (void)state;
    unsigned char digest[PV_SHA256_SIZE];
    char text[2 * PV_SHA256_SIZE + 1];
    pv_i_hmac_sha256("Jefe", 4, "what do ya want for nothing?", 28, digest);
    pv_i_hex(digest, sizeof digest, text);
    assert_string_equal(text, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    unsigned char long_key[131];
    memset(long_key, 0xaa, sizeof long_key);
    const char *const data = "Test Using Larger Than Block-Size Key - Hash Key First";
    pv_i_hmac_sha256(long_key, sizeof long_key, data, strlen(data), digest);
    pv_i_hex(digest, sizeof digest, text);
    assert_string_equal(text, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_digests),
        cmocka_unit_test(a_million_letters_in_uneven_pieces),
        cmocka_unit_test(known_hmacs),
    };
    return cmocka_run_group_tests_name("sha256", tests, NULL, NULL);
}
