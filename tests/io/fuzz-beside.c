/* SPDX-License-Identifier: MIT */
/* Any bytes as the file beside a sound one.  The first byte chooses: 0 the JSON and 1 the .xtr file
 * of a NIfTI series, 2 the .set file of a photon stream, 3 the header of NRRD samples, 8 the index
 * of a raw recording; 4 is added for a single volume. */
#include "tests/fuzz/fuzz.h"
#include <glib/gstdio.h>
#include "io/source/vg-source.h"
#include "io/write/vg-frame-file.h"
#include "tests/support/io/nifti-fixture.h"
#include "tests/support/io/spc-fixture.h"

enum { JSON, XTR, SET, NHDR, INDEX, N_KINDS, SINGLE = 4, IS_INDEX = 8, MAX_FRAME = 1 << 20 };

static const char *const names[N_KINDS][2] = {
  { "a.nii", "a.json" },
  { "a.nii", "a.xtr" },
  { "a.spc", "a.set" },
  { "a.raw", "a.nhdr" },
  { "b.raw", "b.raw" VG_RAW_INDEX_SUFFIX },
};

static GByteArray *
make_sound (int kind, gboolean single)
{
  NiftiVariant nifti = fixture_nifti_variant (4, 3, 2, single ? 1 : 3);
  SpcVariant spc = fixture_spc_variant ();
  g_autofree guint32 *counts = NULL;

  if (kind == SET)
    {
      spc.width = 3;
      spc.height = 2;
      return fixture_spc (&spc, 1, &counts);
    }
  return fixture_nifti (&nifti, 1, NULL);
}

/* Reads the file, and checks that what stands beside it gives times that the rest can rely on. */
static void
check (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = vg_source_open (path, NULL, &error);
  gsize bytes = source != NULL ? vg_image_info_frame_bytes (&source->info) : 0;
  g_autofree void *frame = bytes > 0 && bytes <= MAX_FRAME ? g_malloc (bytes) : NULL;

  fuzz_require_message (source == NULL, error);
  if (source == NULL)
    return;
  fuzz_require (bytes > 0 && source->info.frames > 0, "a source without a frame");
  for (gint64 i = 1; source->times_s != NULL && i < source->info.frames; i++)
    fuzz_require (source->times_s[i] > source->times_s[i - 1], "times that do not increase");
  fuzz_require (source->info.frame_interval_s >= 0 && source->info.repetition_ms >= 0 &&
                    source->info.bin_width_ns >= 0 && source->acquired_s >= 0,
                "a time that is negative or no number");
  if (frame != NULL)
    {
      gboolean good = vg_source_read (source, source->info.frames - 1, frame, &error);

      fuzz_require_message (!good, error);
    }
}

void
fuzz_one (const guint8 *data, gsize length)
{
  g_autofree char *sound = NULL, *beside = NULL;
  g_autoptr (GByteArray) bytes = NULL;
  int kind;

  if (length == 0)
    return;
  kind = data[0] & IS_INDEX ? INDEX : data[0] % INDEX;
  sound = g_build_filename (fuzz_folder (), names[kind][0], NULL);
  beside = g_build_filename (fuzz_folder (), names[kind][1], NULL);
  bytes = make_sound (kind, (data[0] & SINGLE) != 0);
  fuzz_put_file (sound, bytes->data, bytes->len);
  fuzz_put_file (beside, data + 1, length - 1);
  check (kind >= NHDR ? beside : sound);
  g_unlink (sound);
  g_unlink (beside);
}
