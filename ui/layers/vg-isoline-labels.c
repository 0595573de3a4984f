/* SPDX-License-Identifier: MIT */
/* A noisy map crosses a value many times along a path; the median crossing is
 * where the eye sees the line.  Of a few crossings each is as good. */
#include "ui/layers/vg-isoline-labels.h"
#include <math.h>
#include <stdlib.h>
#include "ui/layers/vg-region-shape.h"
#include "ui/common/vg-number-format.h"

enum { SAMPLES = 256, CLEAN = 4 };

static const struct
{
  gboolean down; /* along a column */
  double at;     /* fraction of what is seen */
} paths[] = { { TRUE, 0.66 }, { FALSE, 0.55 }, { TRUE, 0.82 }, { FALSE, 0.3 },
              { TRUE, 0.58 }, { FALSE, 0.8 },  { TRUE, 0.5 } };

enum { N_PATHS = G_N_ELEMENTS (paths) };

typedef struct
{
  VgPoint points[N_PATHS * SAMPLES];
  float values[N_PATHS * SAMPLES];
} Probes;

/* Middles of the samples on the way, at most SAMPLES of them. */
static void
lay_paths (const VgIsolineSearch *self, Probes *probes, int *xyz, int slice)
{
  for (int p = 0; p < N_PATHS; p++)
    for (int i = 0; i < SAMPLES; i++)
      {
        double along = (i + 0.5) / SAMPLES;
        double x = self->left + (paths[p].down ? paths[p].at : along) * (self->right - self->left);
        double y = self->top + (paths[p].down ? along : paths[p].at) * (self->bottom - self->top);
        int column = (int) floor (CLAMP (x, self->extent.left, self->extent.right - 1));
        int row = (int) floor (CLAMP (y, 0, self->extent.bottom - 1));
        int *place = xyz + 3 * (p * SAMPLES + i);

        probes->points[p * SAMPLES + i] = (VgPoint){ column + 0.5, row + 0.5 };
        place[0] = column < 0 ? -1 - column : column;
        place[1] = row;
        place[2] = slice;
      }
}

static double
field (const VgIsolineSearch *self, double value)
{
  return !self->log_scale ? value : value > 0 ? log (value) : NAN;
}

/* The crossings of LEVEL along path P; returns how many. */
static int
find_crossings (const VgIsolineSearch *self, const Probes *probes, int p, double level,
                VgPoint *found)
{
  const VgPoint *points = probes->points + p * SAMPLES;
  const float *values = probes->values + p * SAMPLES;
  double want = field (self, level);
  int n = 0;

  for (int i = 0; i + 1 < SAMPLES; i++)
    {
      double a = field (self, values[i]), b = field (self, values[i + 1]),
             part = (want - a) / (b - a);

      if (part >= 0 && part < 1) /* FALSE for what has no value */
        found[n++] = (VgPoint){ points[i].x + part * (points[i + 1].x - points[i].x),
                                points[i].y + part * (points[i + 1].y - points[i].y) };
    }
  return n;
}

static gboolean
is_free (const VgIsolineSearch *self, VgPoint at, const VgAxesLabel *labels, guint n)
{
  double margin_x = 0.6 * self->width, margin_y = 0.6 * self->height;

  /* names of layers stand at the left */
  if (at.x < self->left + 1.5 * self->width || at.x > self->right - margin_x ||
      at.y < self->top + margin_y || at.y > self->bottom - margin_y)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (fabs (labels[i].x - at.x) < 1.1 * self->width &&
        fabs (labels[i].y - at.y) < 1.1 * self->height)
      return FALSE;
  return TRUE;
}

/* A power of ten as such where it would be long: 1e-04 is not what people write. */
static void
write_value (char *text, gsize size, double value)
{
  static const char *const digits[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
  int decade = value > 0 ? (int) lround (log10 (value)) : 0;

  if (abs (decade) < 4 || abs (decade) > 9 || fabs (value / pow (10, decade) - 1) > 1e-9)
    {
      g_autofree char *number = vg_format_number (value);

      g_strlcpy (text, number, size);
    }
  else
    g_snprintf (text, size, "10%s%s", decade < 0 ? "⁻" : "", digits[abs (decade)]);
}

/* A place on the line for LEVEL that no label has taken. */
static gboolean
find_place (const VgIsolineSearch *self, const Probes *probes, double level,
            const VgAxesLabel *labels, guint n, VgPoint *at)
{
  VgPoint found[SAMPLES];

  for (int p = 0; p < N_PATHS; p++)
    {
      int crossings = find_crossings (self, probes, p, level, found);

      for (int i = crossings > CLEAN ? crossings / 2 : 0;
           i < MIN (crossings, crossings > CLEAN ? crossings / 2 + 1 : CLEAN); i++)
        {
          *at = found[i];
          if (is_free (self, *at, labels, n))
            return TRUE;
        }
    }
  return FALSE;
}

guint
vg_isoline_labels_find (const VgIsolineSearch *self, VgResult *result, int slice,
                        VgAxesLabel *labels)
{
  g_autofree Probes *probes = g_new (Probes, 1);
  g_autofree int *xyz = g_new (int, 3 * N_PATHS * SAMPLES);
  VgPoint at;
  guint n = 0;

  if (self->n_levels == 0 || !(self->right > self->left) || !(self->bottom > self->top))
    return 0;
  lay_paths (self, probes, xyz, slice);
  if (!vg_result_probe_many (result, xyz, N_PATHS * SAMPLES, probes->values))
    return 0;
  for (int i = 0; i < self->n_levels; i++)
    if (find_place (self, probes, self->levels[i], labels, n, &at))
      {
        labels[n] = (VgAxesLabel){ .x = at.x, .y = at.y };
        write_value (labels[n].text, sizeof labels[n].text, self->levels[i]);
        n++;
      }
  return n;
}
