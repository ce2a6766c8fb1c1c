/* Fork and join is part of base/tasks.h. */
#ifndef PV_BASE_POOL_H
#define PV_BASE_POOL_H

#include "base/tasks.h"

#endif
