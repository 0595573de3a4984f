/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The operation's own numbers ("results" in summary.json, the figures beside
 * the image): an ordered list of id, value, unit, and a sentence of advice
 * when the value asks for one. */
G_BEGIN_DECLS

typedef enum {
  /* while it has advice the maps are likely to be wrong: the window says so over the picture */
  VG_NUMBER_GRAVE = 1 << 0,
  /* 0 is no news: left out where numbers are shown, unless it has advice */
  VG_NUMBER_QUIET = 1 << 1,
  /* with advice: the finished run has no result, and the advice says why; `run` fails with it */
  VG_NUMBER_EMPTY = 1 << 2,
} VgNumberFlags;

typedef struct
{
  const char *id, *label, *unit; /* static strings */
  double value;                  /* NaN: not known (null in JSON) */
  char *advice;                  /* owned; NULL: nothing to say */
  VgNumberFlags flags;
} VgMetric;

typedef struct
{
  GArray *items; /* of VgMetric */
} VgMetrics;

VgMetrics *vg_metrics_new (void);
void vg_metrics_free (VgMetrics *self);
void vg_metrics_add (VgMetrics *self, const char *id, const char *label, const char *unit,
                     double value, const char *advice);
/* Of the number added last. */
void vg_metrics_mark (VgMetrics *self, VgNumberFlags flags);
/* Whether NUMBER is to be shown by itself: no error of another, no 0 that is no news. */
gboolean vg_metrics_is_shown (const VgMetrics *self, const VgMetric *number);
const VgMetric *vg_metrics_find (const VgMetrics *self, const char *id);
/* The standard error of NUMBER, which is called by its id and "_error"; NULL: none. */
const VgMetric *vg_metrics_find_error (const VgMetrics *self, const VgMetric *number);
/* A line for each with name, value, standard error and unit, below a line of headings. */
char *vg_metrics_to_csv (const VgMetrics *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgMetrics, vg_metrics_free)

G_END_DECLS
