/* SPDX-License-Identifier: MIT */
#pragma once
#include "tests/kernels/fluence/support/fluence-fixture.h"
/* Settings as text, read as the file dir/in.mci. */

#define HEAD "1.0 # version\n1\nx.mco A\n"
#define GRID "0.01 0.01\n10 20 3\n"
#define TISSUE "1\n1.0\n1.4 1 100 0.9 0.1\n1.0\n"

static inline int
read_text (const char *text, int run, VgFluenceParams **params, GError **error)
{
  *params = vg_params_new (&vg_fluence_operation.params);
  return fluence_read ("dir/in.mci", text, strlen (text), run, *params, NULL, error);
}

static inline void
free_params (VgFluenceParams *params)
{
  vg_params_free (&vg_fluence_operation.params, params);
}

/* Reads one run and gives its settings to the test. */
static inline VgFluenceParams *
expect_read (const char *text, int runs)
{
  g_autoptr (GError) error = NULL;
  VgFluenceParams *params;

  g_assert_cmpint (read_text (text, 0, &params, &error), ==, runs);
  g_assert_no_error (error);
  return params;
}
