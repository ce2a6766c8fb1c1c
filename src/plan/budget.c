/* The suppression budget, exact: a share is a decimal number and is applied in 128 bits. */
#include "base/checked.h"

#include <paravent/plan.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The text without blanks around it. */
static const char *trim(const char *text, size_t *length)
{
    while (is_blank(*text)) {
        text++;
    }
    *length = strlen(text);
    while (*length > 0 && is_blank(text[*length - 1])) {
        --*length;
    }
    return text;
}

/* Digits only: a number of rows. */
static bool parse_rows(const char *text, size_t length, uint64_t *rows)
{
    uint64_t n = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || !pv_i_mul_u64(n, 10, &n) ||
            !pv_i_add_u64(n, (uint64_t)(text[i] - '0'), &n)) {
            return false;
        }
    }
    *rows = n;
    return length > 0;
}

static bool divide_by_hundred(pv_decimal *decimal)
{
    while (decimal->scale + 2 > PV_DECIMAL_MAX_SCALE) {
        if (decimal->mantissa % 10 != 0) {
            return false;
        }
        decimal->mantissa /= 10;
        decimal->scale--;
    }
    decimal->scale = (uint8_t)(decimal->scale + 2);
    return true;
}

static bool parse_share(const char *text, size_t length, pv_decimal *share)
{
    const pv_decimal one = {.mantissa = 1, .scale = 0};
    const bool percent = length > 0 && text[length - 1] == '%';
    if (percent) {
        do {
            length--;
        } while (length > 0 && is_blank(text[length - 1]));
    }
    return length > 0 && text[0] != '-' && pv_decimal_parse(text, length, share) &&
           (!percent || divide_by_hundred(share)) && pv_decimal_compare(*share, one) <= 0;
}

bool pv_budget_parse(const char *text, pv_budget *budget)
{
    size_t length;
    text = trim(text, &length);
    uint64_t rows;
    pv_decimal share;
    if (parse_rows(text, length, &rows)) {
        *budget = (pv_budget){.rows = rows};
        return true;
    }
    if (parse_share(text, length, &share)) {
        *budget = (pv_budget){.is_share = true, .share = share};
        return true;
    }
    return false;
}

static uint64_t share_of(pv_decimal share, uint64_t n_rows)
{
    if (share.mantissa <= 0) {
        return 0;
    }
    /* At most (2^63 - 1)(2^64 - 1), which fits. */
    unsigned __int128 rows = (unsigned __int128)share.mantissa * n_rows;
    for (unsigned i = 0; i < share.scale; i++) {
        rows /= 10; /* floors of floors are the floor of the whole division */
    }
    return rows < n_rows ? (uint64_t)rows : n_rows;
}

uint64_t pv_budget_rows(const pv_budget *budget, uint64_t n_rows)
{
    const uint64_t wanted = budget->is_share ? share_of(budget->share, n_rows) : budget->rows;
    const uint64_t most = n_rows > 0 ? n_rows - 1 : 0; /* some class always remains */
    return wanted < most ? wanted : most;
}
