/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-result.h"
/* The one number that theatre mode shows of a result. */
G_BEGIN_DECLS

typedef struct
{
  char *key;        /* tells what was measured: values of another key are another course */
  char *name;       /* "Relative flow, region 1" */
  const char *help; /* a sentence on the map, in English; static; NULL: none */
  const char *unit; /* static; "": none */
  /* The value with the scatter of the pixels, such as "2.41 \302\261 0.23", and what these are:
   * "Mean \302\261 standard deviation of 400 pixels"; NULL: no statistic of pixels. */
  char *with_spread, *statistic;
  int region;    /* index of that which was measured; -1: none */
  double value;  /* NaN: missing */
  double time_s; /* NaN: other data than a stream have no course */
  char *warning; /* names the metric whose advice says that the maps are likely wrong; NULL: none */
} VgKeyNumber;

/* Of the selected region of SESSION, else of the first that is neither an input nor the place of
 * the fits, such as a lesion, else of that place, such as the liver, and else of the whole map: the
 * mean in per cent of the baseline where the operation has one, else the mean of the shown map, or,
 * of a data set, its median if the values are skewed (vg_region_statistics_is_skewed), or, of a map
 * of categories, the percentage of the most frequent category.  Without a region that reaches into
 * the image, or if the regions of RESULT are not CURRENT: the mean in per cent of a baseline that
 * the user has set, else the mean or median of the whole shown map, NaN until RESULT has it.  If
 * labels or no map are shown, or the map is simulated, the operation's most important metric. NULL:
 * there is no such number. */
VgKeyNumber *vg_key_number_new (const VgResult *result, VgSession *session, gboolean current);
void vg_key_number_free (VgKeyNumber *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgKeyNumber, vg_key_number_free)

/* TRUE: a region of SESSION reaches into an image of WIDTH and HEIGHT. */
gboolean vg_key_number_has_region (VgSession *session, double width, double height);
/* The title of what COMPARE shows of the map NAME, such as "NAME, kept"; owned. */
char *vg_key_number_name_compared (const char *name, VgCompare compare);
/* The button of OPERATION that sets the baseline; NULL: there is none. */
const VgParam *vg_key_number_find_baseline (const VgOperation *operation);

/* The value in about three figures, without its unit; owned. */
char *vg_key_number_format (const VgKeyNumber *self);
/* TRUE if the value is below ALARM; 0: there is no alarm. */
gboolean vg_key_number_is_below (const VgKeyNumber *self, double alarm);

G_END_DECLS
