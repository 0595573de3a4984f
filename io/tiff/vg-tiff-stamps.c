/* SPDX-License-Identifier: MIT */
/* The frame numbers and frame times of a recording, page by page, so that the time axis is right
 * although frames were lost. */
#include "io/tiff/vg-tiff-stamps.h"
#include <math.h>
#include "io/source/vg-marks.h"
#include "io/tiff/vg-tiff-axes.h"
#include "kernels/base/vg-sort.h"

enum { GAPS_NAMED = 4 };

#define NO_TIME                                                                                    \
  "Frame %" G_GINT64_FORMAT " has no time, or one that is not later than that of the frame "       \
  "before, so the times in the file are not used.\n"

/* The median time between N (at least 2) frames, divided by the difference of their numbers, so
 * that lost frames do not lengthen it. */
static double
find_interval (const double *times_s, const guint64 *ids, gint64 n)
{
  g_autofree double *steps = g_new (double, (gsize) n);

  for (gint64 i = 0; i + 1 < n; i++)
    steps[i] = (times_s[i + 1] - times_s[i]) / (double) (ids[i + 1] - ids[i]);
  vg_sort_doubles (steps, (gsize) n - 1);
  return steps[(n - 1) / 2];
}

/* Returns how many numbers of the frames from the first to the last are missing in IDS. */
static guint64
note_gaps (const guint64 *ids, gint64 n, GString *notes)
{
  guint64 missing = ids[n - 1] - ids[0] + 1 - (guint64) n;
  int named = 0;

  if (missing == 0)
    return 0;
  g_string_append_printf (notes,
                          "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                          " frames that the source sent are missing: number",
                          missing, missing + (guint64) n);
  for (gint64 i = 0; i + 1 < n; i++)
    {
      guint64 from = ids[i] + 1 - ids[0] + 1, to = ids[i + 1] - ids[0];

      if (from > to)
        continue;
      if (named++ == GAPS_NAMED)
        {
          g_string_append (notes, ", and more");
          break;
        }
      g_string_append_printf (notes,
                              from == to ? "%s %" G_GUINT64_FORMAT
                                         : "%s %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
                              named > 1 ? "," : "", from, to);
    }
  g_string_append (notes, ". The times of the others are correct.\n");
  return missing;
}

gboolean
vg_stamps_check (const guint64 *ids, double *times_s, gint64 frames, double *interval_s,
                 GArray **marks, guint64 *missing, GString *notes)
{
  const double first = times_s[0];

  for (gint64 i = 1; i < frames; i++)
    if (ids[i] <= ids[i - 1] || ids[i] - ids[0] > G_MAXINT32 || !(times_s[i] > times_s[i - 1]))
      {
        g_string_append_printf (notes, NO_TIME, i + 1);
        return FALSE;
      }
  for (gint64 i = 0; i < frames; i++)
    times_s[i] -= first;
  vg_marks_finish (marks, first);
  *missing = note_gaps (ids, frames, notes);
  *interval_s = frames > 1 ? find_interval (times_s, ids, frames) : 0;
  return TRUE;
}

double *
vg_tiff_stamps_read (const VgTiffIndex *index, int fd, gint64 frames, gint64 stride,
                     double *interval_s, VgSource *source, GString *notes)
{
  g_autofree double *times_s = g_try_new (double, (gsize) frames);
  g_autofree guint64 *ids = g_try_new (guint64, (gsize) frames);
  g_autofree char *text = g_try_malloc (VG_MARKS_TEXT_BYTES);
  g_autoptr (GArray) found = NULL, lost = NULL, exposures = NULL;

  if (!times_s || !ids || !text || frames < 1)
    return NULL;
  for (gint64 i = 0; i < frames; i++)
    {
      if (!vg_tiff_index_read_description (index, fd, (guint) (i * stride), text,
                                           VG_MARKS_TEXT_BYTES) ||
          !vg_tiff_axes_stamp (text, &ids[i], &times_s[i]))
        {
          g_string_append_printf (notes, NO_TIME, i + 1);
          return NULL;
        }
      vg_marks_read (&found, text);
      vg_outages_read (&lost, i, text);
      vg_exposures_read (&exposures, i, text);
    }
  if (!vg_stamps_check (ids, times_s, frames, interval_s, &found, &source->missing, notes))
    return NULL;
  source->marks = g_steal_pointer (&found);
  source->outages = g_steal_pointer (&lost);
  source->exposures = g_steal_pointer (&exposures);
  return g_steal_pointer (&times_s);
}
