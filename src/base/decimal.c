/* Exact decimal numbers. */
#include "base/checked.h"

#include <paravent/decimal.h>
#include <stdio.h>

#define MAX_EXPONENT 40

typedef struct {
    const char *at, *end;
} cursor;

static bool at_digit(const cursor *c)
{
    return c->at < c->end && *c->at >= '0' && *c->at <= '9';
}

static bool take_char(cursor *c, char wanted)
{
    if (c->at < c->end && *c->at == wanted) {
        c->at++;
        return true;
    }
    return false;
}

/* Appends digits to a negative mantissa (the negative range is the larger one). */
static bool take_digits(cursor *c, int64_t *mantissa, unsigned *n_digits)
{
    while (at_digit(c)) {
        const int64_t digit = *c->at++ - '0';
        if (!pv_i_mul_i64(*mantissa, 10, mantissa) || !pv_i_add_i64(*mantissa, -digit, mantissa)) {
            return false;
        }
        ++*n_digits;
    }
    return true;
}

static bool take_exponent(cursor *c, int *exponent)
{
    if (!take_char(c, 'e') && !take_char(c, 'E')) {
        return true;
    }
    const bool negative = take_char(c, '-');
    if (!negative) {
        (void)take_char(c, '+');
    }
    int value = 0;
    const char *const start = c->at;
    while (at_digit(c) && value <= MAX_EXPONENT) {
        value = value * 10 + (*c->at++ - '0');
    }
    *exponent = negative ? -value : value;
    return c->at > start && value <= MAX_EXPONENT;
}

/* Brings mantissa * 10^-scale into 0 <= scale <= 18. */
static bool settle(int64_t mantissa, int scale, pv_decimal *decimal)
{
    for (; scale < 0; scale++) {
        if (!pv_i_mul_i64(mantissa, 10, &mantissa)) {
            return false;
        }
    }
    for (; scale > PV_DECIMAL_MAX_SCALE; scale--) {
        if (mantissa % 10 != 0) {
            return false;
        }
        mantissa /= 10;
    }
    *decimal = (pv_decimal){.mantissa = mantissa, .scale = (uint8_t)scale};
    return true;
}

bool pv_decimal_parse(const char *text, size_t length, pv_decimal *decimal)
{
    cursor c = {.at = text, .end = text + length};
    int64_t mantissa = 0;
    unsigned n_whole = 0;
    unsigned n_fraction = 0;
    int exponent = 0;
    const bool negative = take_char(&c, '-');
    if (!negative) {
        (void)take_char(&c, '+');
    }
    if (!take_digits(&c, &mantissa, &n_whole)) {
        return false;
    }
    if (take_char(&c, '.') && !take_digits(&c, &mantissa, &n_fraction)) {
        return false;
    }
    if (n_whole + n_fraction == 0 || n_fraction > 64 || !take_exponent(&c, &exponent) ||
        c.at != c.end) {
        return false;
    }
    if (!negative && !pv_i_mul_i64(mantissa, -1, &mantissa)) {
        return false;
    }
    return settle(mantissa, (int)n_fraction - exponent, decimal);
}

static __int128 scaled(pv_decimal decimal, uint8_t scale)
{
    __int128 value = decimal.mantissa;
    for (unsigned i = decimal.scale; i < scale; i++) {
        value *= 10;
    }
    return value;
}

int pv_decimal_compare(pv_decimal a, pv_decimal b)
{
    const uint8_t scale = a.scale > b.scale ? a.scale : b.scale;
    const __int128 left = scaled(a, scale);
    const __int128 right = scaled(b, scale);
    return (left > right) - (left < right);
}

double pv_decimal_double(pv_decimal decimal)
{
    double power = 1;
    for (unsigned i = 0; i < decimal.scale; i++) {
        power *= 10; /* exact up to 10^22 */
    }
    return (double)decimal.mantissa / power;
}

void pv_decimal_text(pv_decimal decimal, char *text, size_t size)
{
    int64_t mantissa = decimal.mantissa;
    unsigned scale = decimal.scale;
    while (scale > 0 && mantissa % 10 == 0) {
        mantissa /= 10;
        scale--;
    }
    uint64_t power = 1;
    for (unsigned i = 0; i < scale; i++) {
        power *= 10;
    }
    const uint64_t magnitude = mantissa < 0 ? 0 - (uint64_t)mantissa : (uint64_t)mantissa;
    const char *const sign = mantissa < 0 ? "-" : "";
    if (scale == 0) {
        (void)snprintf(text, size, "%s%llu", sign, (unsigned long long)magnitude);
    } else {
        (void)snprintf(text, size, "%s%llu.%0*llu", sign, (unsigned long long)(magnitude / power),
                       (int)scale, (unsigned long long)(magnitude % power));
    }
}
