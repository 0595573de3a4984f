/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Metrics of an operation ("results" in summary.json): an ordered list of id, value, unit and,
 * where the user should act, a sentence of advice. */
G_BEGIN_DECLS

typedef enum {
  /* with advice, the maps are likely to be wrong: the window shows a warning */
  VG_NUMBER_GRAVE = 1 << 0,
  /* a value of 0 without advice is not displayed */
  VG_NUMBER_QUIET = 1 << 1,
  /* with advice: the finished run has no result, and the advice says why; `run` fails with it */
  VG_NUMBER_EMPTY = 1 << 2,
} VgNumberFlags;

typedef struct
{
  const char *id, *label, *unit; /* static strings */
  double value;                  /* NaN: unknown (null in JSON) */
  char *advice;                  /* owned; NULL: nothing to say */
  VgNumberFlags flags;
  /* The parameter whose value `proposal` removes the cause of the advice, a static string; NULL:
   * the user has to decide. */
  const char *setting;
  double proposal;
  const char *word; /* the class that the value names, static; NULL: it is a number */
} VgMetric;

typedef struct
{
  GArray *items; /* of VgMetric */
} VgMetrics;

VgMetrics *vg_metrics_new (void);
void vg_metrics_free (VgMetrics *self);
void vg_metrics_add (VgMetrics *self, const char *id, const char *label, const char *unit,
                     double value, const char *advice);
/* As vg_metrics_add, with VG_NUMBER_QUIET. */
void vg_metrics_add_quiet (VgMetrics *self, const char *id, const char *label, const char *unit,
                           double value, const char *advice);
/* Sets the flags of the metric that was added last. */
void vg_metrics_mark (VgMetrics *self, VgNumberFlags flags);
/* Proposes the value of a parameter that removes the cause of the last metric's advice; without
 * advice it does nothing. */
void vg_metrics_propose (VgMetrics *self, const char *setting, double value);
/* TRUE if NUMBER is displayed: it is not the error of another metric and not a quiet 0. */
gboolean vg_metrics_is_shown (const VgMetrics *self, const VgMetric *number);
const VgMetric *vg_metrics_find (const VgMetrics *self, const char *id);
/* The standard error of NUMBER, whose id ends in "_error"; NULL: none. */
const VgMetric *vg_metrics_find_error (const VgMetrics *self, const VgMetric *number);
/* CSV with a heading and one line per metric: name, value, standard error, unit. */
char *vg_metrics_to_csv (const VgMetrics *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgMetrics, vg_metrics_free)

G_END_DECLS
