/* Rare values: those with few rows go together into one group, the others stay what they are until
 * `*`. */
#include "hierarchy/rare.h"

#include "base/error.h"
#include "base/memory.h"
#include "hierarchy/builders.h"

#include <string.h>

#define DEFAULT_LABEL "other"

static __int128 power_of_ten(unsigned exponent)
{
    __int128 power = 1;
    for (unsigned i = 0; i < exponent; i++) {
        power *= 10;
    }
    return power;
}

bool pv_i_is_rare(const pv_hierarchy_spec *spec, const pv_table *table, size_t column,
                  uint32_t code)
{
    const uint64_t rows = pv_table_count(table, column, code);
    /* rows / N < mantissa / 10^scale without dividing: both products stay below 2^127. */
    const bool below_share = (__int128)rows * power_of_ten(spec->rare_share.scale) <
                             (__int128)spec->rare_share.mantissa * pv_table_rows(table);
    return below_share || rows < spec->rare_rows;
}

const char *pv_i_rare_label(const pv_hierarchy_spec *spec)
{
    return spec->rare_label != NULL ? spec->rare_label : DEFAULT_LABEL;
}

static pv_status check_rare(const pv_hierarchy_spec *spec, pv_error *error)
{
    const pv_decimal one = {.mantissa = 1};
    const char *const label = pv_i_rare_label(spec);
    if (spec->values == NULL && spec->rare_share.mantissa == 0 && spec->rare_rows == 0) {
        return pv_i_hint(
            pv_i_fail(error, PV_STATUS_ARGUMENT, "rare values need a threshold above zero"), error,
            "give a share of the rows such as 1%%, or a number of rows");
    }
    if (spec->rare_share.mantissa < 0 || pv_decimal_compare(spec->rare_share, one) > 0) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "the threshold of rare values is not a share between 0 and 1");
    }
    if (label[0] == '\0' || strcmp(label, PV_ROOT_LABEL) == 0) {
        return pv_i_fail(error, PV_STATUS_ARGUMENT,
                         "rare values need a label that is neither empty nor %s", PV_ROOT_LABEL);
    }
    return PV_STATUS_OK;
}

/* The values kept apart by name; empty when the threshold decides. */
static pv_status gather_kept(const pv_hierarchy_spec *spec, pv_labels *kept, pv_arena *arena,
                             pv_error *error)
{
    for (size_t i = 0; spec->values != NULL && i < spec->n_values; i++) {
        uint32_t number;
        PV_TRY(pv_i_labels_add(kept, arena, spec->values[i], &number, error));
    }
    return PV_STATUS_OK;
}

static bool stays_apart(const pv_building *building, const pv_labels *kept, uint32_t i)
{
    if (building->spec->values != NULL) {
        return pv_i_labels_find(kept, pv_i_building_text(building, i)) != PV_NO_LABEL;
    }
    return !pv_i_is_rare(building->spec, building->table, building->column, building->codes[i]);
}

static void append_label(pv_building *building, const char *label)
{
    pv_i_buffer_text(&building->labels, label);
    pv_i_buffer_char(&building->labels, '\0');
}

/* The values that stay come first, so that the group of the rare ones ends the list. */
static pv_status place_kept(pv_building *building, const pv_labels *kept, pv_error *error)
{
    const char *const label = pv_i_rare_label(building->spec);
    for (uint32_t i = 0; i < building->n; i++) {
        const char *const text = pv_i_building_text(building, i);
        if (!stays_apart(building, kept, i)) {
            continue;
        }
        if (strcmp(text, label) == 0) {
            return pv_i_hint(pv_i_fail(error, PV_STATUS_ARGUMENT,
                                       "column `%s`: the label of the rare values, \"%s\", is also "
                                       "a value that is not rare",
                                       pv_table_name(building->table, building->column), label),
                             error, "choose another label for the rare values");
        }
        append_label(building, text);
        PV_TRY(pv_i_building_place(building, i, error));
    }
    return PV_STATUS_OK;
}

/* Those kept apart by name that do not occur. */
static pv_status place_absent(pv_building *building, const pv_labels *kept, pv_error *error)
{
    bool *const occurs = PV_NEW_ZEROED(bool, kept->n);
    pv_status status = occurs != NULL ? PV_STATUS_OK : pv_i_no_memory(error);
    for (uint32_t i = 0; status == PV_STATUS_OK && i < building->n; i++) {
        const uint32_t number = pv_i_labels_find(kept, pv_i_building_text(building, i));
        if (number != PV_NO_LABEL) {
            occurs[number] = true;
        }
    }
    for (uint32_t number = 0; status == PV_STATUS_OK && number < kept->n; number++) {
        if (!occurs[number] && strcmp(kept->texts[number], pv_i_rare_label(building->spec)) != 0) {
            append_label(building, kept->texts[number]);
            status = pv_i_building_place_absent(building, kept->texts[number], error);
        }
    }
    pv_i_free(occurs);
    return status;
}

static pv_status place_rare(pv_building *building, const pv_labels *kept, pv_error *error)
{
    for (uint32_t i = 0; i < building->n; i++) {
        if (!stays_apart(building, kept, i)) {
            append_label(building, pv_i_rare_label(building->spec));
            PV_TRY(pv_i_building_place(building, i, error));
        }
    }
    return PV_STATUS_OK;
}

static pv_status build_rare(pv_building *building, pv_error *error)
{
    pv_arena arena = {0};
    pv_labels kept = {0};
    pv_status status = PV_STATUS_OK;
    PV_TRY_CLEAN(gather_kept(building->spec, &kept, &arena, error));
    PV_TRY_CLEAN(place_kept(building, &kept, error));
    PV_TRY_CLEAN(place_absent(building, &kept, error));
    PV_TRY_CLEAN(place_rare(building, &kept, error));
cleanup:
    pv_i_labels_deinit(&kept);
    pv_i_arena_deinit(&arena);
    return status;
}

const pv_hierarchy_builder pv_i_build_rare = {
    .name = "rare", .check = check_rare, .build = build_rare};
