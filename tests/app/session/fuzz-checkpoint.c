/* SPDX-License-Identifier: MIT */
/* Hostile checkpoints.  If the first byte is 0, the rest is the text in a session.  Else the rest
 * edits a sound checkpoint of contours: two bytes with an offset and one with a value, and so on;
 * if the first byte is odd, the last offset is where the checkpoint ends.  One that is restored is
 * computed further. */
#include "tests/fuzz/fuzz.h"
#include "app/compute/vg-work.h"
#include "app/session/vg-checkpoint-text.h"
#include "kernels/contour/engine/contour-checkpoint.h"
#include "kernels/contour/engine/contour-engine.h"
#include "kernels/contour/synthetic/contour-synthetic.h"

enum { EDIT = 3, STEPS = 2, MOST_BYTES = 1 << 20 };

static void
check_text (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) checkpoint = vg_checkpoint_parse (text, &error), again = NULL;
  g_autofree char *written = NULL;

  fuzz_require_message (checkpoint == NULL, error);
  fuzz_require (checkpoint == NULL || vg_checkpoint_check (text), "takes what it refuses");
  if (checkpoint == NULL || g_bytes_get_size (checkpoint) > MOST_BYTES)
    return;
  written = vg_checkpoint_format (checkpoint, NULL);
  again = vg_checkpoint_parse (written, NULL);
  fuzz_require (again != NULL && g_bytes_equal (checkpoint, again), "does not read back");
}

static VgContourRun *
make_run (void)
{
  static const VgSyntheticSize size = { 48, 40, 1, 7, VG_CONTOUR_SAMPLE_LATTICE };
  const VgOperation *operation = vg_operation_find ("contour");
  void *params = vg_params_new (&operation->params);
  g_autoptr (VgImage) image = NULL;
  VgContourRun *run;

  fuzz_require (
      vg_param_parse (vg_params_find (&operation->params, "force"), params, "classical", NULL),
      "no classical force");
  image = vg_work_load_dataset (operation, params, NULL, NULL, &size, NULL);
  run = vg_contour_run_new (
      &(VgContext){ .params = params, .info = &image->info, .image = image, .threads = 1 }, NULL);
  fuzz_require (run != NULL, "no run");
  vg_params_free (&operation->params, params);
  return run;
}

static void
check_run (const guint8 *data, gsize length, gboolean cut)
{
  static VgContourRun *run;
  static GBytes *sound;
  g_autoptr (GBytes) checkpoint = NULL;
  g_autofree guint8 *bytes = NULL;
  VgOutlines outlines;
  gsize size;

  if (run == NULL)
    {
      run = make_run ();
      vg_contour_run_step (run, 0, NULL);
      sound = vg_contour_checkpoint_new (run);
      fuzz_require (sound != NULL && run->scene->objects->len > 0, "no contours");
    }
  size = g_bytes_get_size (sound);
  bytes = g_memdup2 (g_bytes_get_data (sound, NULL), size);
  for (gsize i = 0; i + EDIT <= length; i += EDIT)
    {
      gsize at = ((gsize) data[i] << 8 | data[i + 1]) % size;

      bytes[at] = data[i + 2];
      if (cut && i + 2 * EDIT > length)
        size = at;
    }
  checkpoint = g_bytes_new_take (g_steal_pointer (&bytes), size);
  if (!vg_contour_checkpoint_restore (run, checkpoint))
    {
      fuzz_require (length >= EDIT, "refuses what it wrote");
      return;
    }
  for (int i = 0; i < STEPS && vg_contour_run_step (run, 0, NULL) == VG_STEP_MORE; i++)
    continue;
  vg_contour_run_outlines (run, &outlines, NULL);
  fuzz_require (vg_contour_checkpoint_restore (run, sound), "refuses what it wrote");
}

void
fuzz_one (const guint8 *data, gsize length)
{
  g_autofree char *text = NULL;

  if (length == 0)
    return;
  if (data[0] != 0)
    {
      check_run (data + 1, length - 1, data[0] & 1);
      return;
    }
  text = g_strndup ((const char *) data + 1, length - 1);
  check_text (text);
}
