/* SPDX-License-Identifier: MIT */
#include <gio/gio.h>
#include <math.h>
#include <string.h>
