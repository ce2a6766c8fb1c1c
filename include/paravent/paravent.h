/* Paravent: release tables about people without exposing anyone.
 *
 * The umbrella header. Read the headers it includes in this order: each stands on the ones before,
 * and together they follow a row from the file to the verified release. */
#ifndef PARAVENT_PARAVENT_H
#define PARAVENT_PARAVENT_H

#include <paravent/status.h>

#include <paravent/context.h>

#include <paravent/outputs.h>

#include <paravent/decimal.h>

#include <paravent/table.h>

#include <paravent/census.h>

#include <paravent/hierarchy.h>

#include <paravent/plan.h>

#include <paravent/scheme.h>

#include <paravent/cuts.h>

#include <paravent/classes.h>

#include <paravent/attacker.h>

#include <paravent/measure.h>

#include <paravent/front.h>

#include <paravent/search.h>

#include <paravent/prefer.h>

#include <paravent/disclose.h>

#include <paravent/local.h>

#include <paravent/ladder.h>

#include <paravent/compare.h>

#include <paravent/audit.h>

#include <paravent/release.h>

#endif
