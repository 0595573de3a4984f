/* SPDX-License-Identifier: MIT */
/* Hostile session files.  What is accepted has to come back as itself; what
 * is not leaves the session alone and says why in one line. */
#include <string.h>
#include "tests/fuzz/fuzz.h"
#include "kernels/base/vg-error.h"
#include "app/session/vg-session.h"

typedef struct
{
  int count, choice, press;
  gboolean on;
  float exposure_ms;
  double photons;
  char *file;
  VgRegion *region;
  VgTable *layers;
} Params;

static const char *const choices[] = { "spatial", "temporal", NULL };
static const VgColumn columns[] = { { "n", "Index", "", 1.4, 1, 4 },
                                    { "mua", "Absorption", "1/cm", 1, 0, 1e4 },
                                    { NULL } };

static const VgParam items[] = {
  VG_INT_PARAM (Params, count, .def = 3, .min = 1, .max = 15),
  VG_CHOICE_PARAM (Params, choice, .choices = choices, .max = 1),
  VG_ACTION_PARAM (Params, press, .label = "Press"),
  VG_BOOL_PARAM (Params, on, .label = "On"),
  VG_FLOAT_PARAM (Params, exposure_ms, .def = 10, .min = 0.1, .max = 1000),
  VG_DOUBLE_PARAM (Params, photons, .def = 1e6, .min = 1, .max = 1e12),
  VG_FILE_PARAM (Params, file, .file.or_region = VG_FILE_REGION),
  VG_REGION_PARAM (Params, region, .label = "Region"),
  VG_TABLE_PARAM (Params, layers, .table.columns = columns, .table.max_rows = 10),
};

static const VgOutput outputs[] = { { .id = "contrast", .label = "Contrast" },
                                    { .id = "index", .label = "Index" } };

static const VgOperation operation = {
  .id = "fake",
  .title = "Fake",
  .params = { items, G_N_ELEMENTS (items), sizeof (Params) },
  .outputs = outputs,
  .n_outputs = G_N_ELEMENTS (outputs),
};

static void
check_accepted (VgSession *session)
{
  g_autofree char *text = vg_session_to_text (session), *again = NULL;
  g_autoptr (VgSession) other = vg_session_new (&operation);
  g_autoptr (GError) error = NULL;

  fuzz_require (vg_session_from_text (other, text, strlen (text), &error), "refuses what it wrote");
  again = vg_session_to_text (other);
  if (!g_str_equal (text, again))
    fprintf (stderr, "--- written\n%s\n--- read back\n%s\n", text, again);
  fuzz_require (g_str_equal (text, again), "reads back as something else");
}

void
fuzz_one (const guint8 *data, gsize length)
{
  g_autoptr (VgSession) session = vg_session_new (&operation);
  g_autofree char *before = vg_session_to_text (session), *after = NULL;
  g_autoptr (GError) error = NULL;

  if (vg_session_from_text (session, (const char *) data, length, &error))
    {
      check_accepted (session);
      vg_session_undo (session);
      vg_session_redo (session);
      check_accepted (session);
      return;
    }
  after = vg_session_to_text (session);
  fuzz_require (error && error->domain == VG_IO_ERROR, "refuses without saying why");
  fuzz_require (!strchr (error->message, '\n'), "says why in more than a line");
  fuzz_require (g_str_equal (before, after), "refuses but changes the session");
}
