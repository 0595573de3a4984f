/* SPDX-License-Identifier: MIT */
#pragma once
/* Under sanitizers a test is there for the memory: it takes a part of what it
 * takes without them, where it is many times the same. */
#include "kernels/base/vg-sanitized.h"
#define SANITIZED VG_SANITIZED
