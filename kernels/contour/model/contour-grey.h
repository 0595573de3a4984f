/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/model/contour-params.h"
#include "kernels/base/vg-image.h"
/* The image as one grey plane in which nuclei are bright. */
G_BEGIN_DECLS

/* What tissue absorbs in an image: natural optical densities, at low resolution. */
typedef struct
{
  gboolean known;
  gboolean transmitted; /* a colour image of light that passed through */
  gboolean enough;      /* there is enough tissue for the next two */
  float density, eosin; /* medians: the sum of red, green and blue, and the amount of eosin */
  float red;            /* median ratio of the densities in red and green */
  float glass;          /* sum of the palest hundredth */
} VgContourTypical;

/* What is found in an image before it is made grey.  Found in a larger
 * image, it makes its tiles alike. */
typedef struct
{
  gboolean known;
  double row[3];   /* takes the stain out of an optical density */
  gboolean sought; /* the stain's colour, in the image; */
  /* how far what was found is from Ruifrok's; NaN: not found, Ruifrok's is taken */
  double apart_degrees;
  gsize sought_pixels; /* of that image */
  double full, zero;   /* a sample when no light is lost, above that when all is */
  float background;    /* what pixels without a value count as */
  gsize missing;       /* of those, in the image at hand */
  gboolean dark;       /* nuclei are darker than the rest, */
  gboolean doubtful;   /* which is not plain to see in the image */
  gboolean stained;    /* it is a stain's amount */
  float low, high;     /* the 1st and the 99th percentile */
  VgContourTypical typical;
  /* of a stain: where its decadic optical density goes, of the pixels as they are; NULL: nowhere */
  float *density;
} VgContourScale;

/* A single page of 1, 3 or 4 channels (the fourth is left aside) to 0..1
 * between the 1st and the 99th percentile, smoothed; NaN counts as background.  NULL
 * and VG_OPERATION_ERROR.  SCALE: NULL, or used when known and else filled in. */
float *vg_contour_grey (const VgImage *image, const VgContourParams *params, VgContourScale *scale,
                        GError **error);
/* The natural optical density of pixel I of a colour image in red, green and blue; 0 for missing
 * values.  Of SCALE `full` and `zero` are used. */
void vg_contour_pixel_density (const VgImage *image, const VgContourScale *scale, gsize i,
                               double density[3]);
/* Settings that change the plane. */
gboolean vg_contour_same_grey (const VgContourParams *a, const VgContourParams *b);

G_END_DECLS
