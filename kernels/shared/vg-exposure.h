/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Whether exposure times A and B (ms) are set differently; measured ones vary by less. */
static inline gboolean
vg_exposure_differs (double a, double b)
{
  return a - b > 1e-3 * MAX (a, b) || b - a > 1e-3 * MAX (a, b);
}

G_END_DECLS
