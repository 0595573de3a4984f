/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-work.h"
/* All numbers of a model at one pixel or of one region, each with its standard error, from the
 * operation's tables of outputs and roles. */
G_BEGIN_DECLS

typedef struct
{
  const char *id, *label, *unit; /* of the output, static */
  double value;                  /* NaN: none */
  /* standard error in `unit`, or in a region whose values are means the standard deviation over its
   * pixels; NaN: none */
  double error;
  /* median and quartiles of a region whose values are skewed (vg_region_statistics_is_skewed) and
   * whose `value` is a mean; NaN: they are not skewed, or not known */
  double median, q25, q75;
  gboolean figure;  /* of the objects in a region, or its size; not of an output */
  const char *word; /* value in words: the category, static; NULL: it is a number */
  double fraction;  /* of the region's pixels in that category, 0 to 1 */
} VgReadingItem;

typedef struct
{
  GArray *items;    /* of VgReadingItem, in the order of the outputs */
  gboolean region;  /* of a region, else of a pixel */
  gboolean counted; /* of a region: the figures of the objects in it */
  gboolean summed;  /* of the sum of a region's data, else of a region the means of its pixels */
  gboolean rings;   /* the means are weighted by volume: pixels are rings about an axis */
  guint64 pixels;   /* of the region that have a value */
  guint64 missing;  /* of the region that have none; their data are in the sum */
  char *remark;     /* why the values are to be doubted, in sentences; NULL: no reason is known */
} VgReading;

/* At column X and row Y of SLICE of the outputs that have the size of output I, the one that is
 * shown.  NULL and an error: the pixel is outside, or the device has failed. */
VgReading *vg_reading_new_pixel (VgWork *work, guint i, double x, double y, int slice,
                                 GError **error);
/* Of REGION: the figures of its objects, or of the sum of its data if the engine can give that,
 * else the means of its pixels in the outputs that have the size of output I.  A single pixel has
 * its standard errors. */
VgReading *vg_reading_new_region (VgWork *work, guint i, const VgRegion *region, GError **error);
/* The reading of N regions that count as one, from the sum of their data, without categories.  All
 * values are NaN if the sum cannot be fitted.  NULL without an error: the engine cannot compute
 * it. */
VgReading *vg_reading_new_regions (VgWork *work, guint i, const VgRegion *const *regions, guint n,
                                   GError **error);
void vg_reading_free (VgReading *self);
/* The shown output with the standard error of output I: the one that the table of roles names, or
 * that is called by its id and "_error" and is not of another shown output.  -1: none. */
int vg_reading_find_error (VgWork *work, guint i);
/* The error GIVEN by output ERROR for VALUE of output I, in the unit of I: it may be relative. */
double vg_reading_convert_error (VgWork *work, guint i, guint error, double value, double given);
/* Whether output I of WORK is told as the standard error of another one. */
gboolean vg_reading_is_error (VgWork *work, guint i);
/* The most frequent category of REGION in PLANE of OUTPUT, labels with categories in host memory;
 * static.  *FRACTION of the pixels with a label have it.  NULL: no pixel has a category. */
const char *vg_reading_find_category (const VgOutput *output, const VgPlane *plane,
                                      const VgRegion *region, double *fraction);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgReading, vg_reading_free)

G_END_DECLS
