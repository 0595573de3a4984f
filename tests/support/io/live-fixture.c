/* SPDX-License-Identifier: MIT */
#include "tests/support/io/live-fixture.h"

VgSource *
fixture_open_live (const char *address)
{
  g_autoptr (GError) error = NULL;
  VgSource *source = vg_live_open (address, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (source->info.frames, ==, -1);
  return source;
}
