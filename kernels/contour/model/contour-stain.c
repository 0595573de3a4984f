/* SPDX-License-Identifier: MIT */
#include "kernels/contour/model/contour-stain.h"
#include "kernels/contour/model/contour-filter.h"
#include <math.h>
#include <string.h>
/* Stain separation: the optical density of each pixel is a sum of the stains'
 * directions times their amounts (Ruifrok and Johnston, Anal. Quant. Cytol.
 * Histol. 23, 291, 2001). */

/* Ruifrok and Johnston's: haematoxylin, eosin, diaminobenzidine. */
static const double ruifrok[3][3] = { { 0.65, 0.70, 0.29 },
                                      { 0.07, 0.99, 0.11 },
                                      { 0.27, 0.57, 0.78 } };
/* Macenko: optical density above which a pixel is stained; share of angles cut off at each end. */
#define STAINED 0.15
#define EXTREME 0.01
enum { LEAST_STAINED = 100 };
/* Two stains closer than this are a single one with noise: in crops of H&E they are 13 to 44
 * degrees apart. */
#define LEAST_BETWEEN_DEGREES 10.0

static void
cross (const double *a, const double *b, double *c)
{
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

static double
dot (const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void
normalize (double *a)
{
  double length = sqrt (dot (a, a));

  for (int i = 0; i < 3; i++)
    a[i] /= MAX (length, 1e-300);
}

static double
angle_between (const double a[3], const double b[3])
{
  return acos (CLAMP (dot (a, b) / sqrt (dot (a, a) * dot (b, b)), -1.0, 1.0)) * 180.0 / G_PI;
}

/* The two leading eigenvectors of a symmetric matrix, by powers. */
static void
leading (double m[3][3], double vectors[2][3])
{
  for (int k = 0; k < 2; k++)
    {
      double *v = vectors[k], value = 0.0;

      v[0] = v[1] = v[2] = 1.0;
      v[k] = 2.0;
      for (int i = 0; i < 500; i++)
        {
          double w[3] = { dot (m[0], v), dot (m[1], v), dot (m[2], v) };

          value = sqrt (dot (w, w));
          if (value < 1e-300)
            break;
          memcpy (v, w, sizeof w);
          normalize (v);
        }
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          m[i][j] -= value * v[i] * v[j];
    }
}

/* Stain vectors, rows of unit length, by Macenko et al., ISBI 2009: haematoxylin, then eosin.
 * FALSE: too few stained pixels, a single colour, or no haematoxylin; the caller uses Ruifrok's
 * vectors then.  ANGLES: a buffer of N values. */
static gboolean
find_macenko (const float *density, gsize n, float *angles, double stains[2][3])
{
  double mean[3] = { 0 }, m[3][3] = { { 0 } }, plane[2][3], low, high;
  gsize stained = 0;

  for (int pass = 0; pass < 2; pass++)
    for (gsize i = 0; i < n; i++)
      {
        const float *d = density + 3 * i;

        if (d[0] < STAINED || d[1] < STAINED || d[2] < STAINED)
          continue;
        stained += pass == 0;
        for (int a = 0; a < 3; a++)
          {
            mean[a] += pass == 0 ? d[a] : 0.0;
            for (int b = 0; b < 3 && pass == 1; b++)
              m[a][b] += (d[a] - mean[a] / (double) stained) * (d[b] - mean[b] / (double) stained);
          }
      }
  if (stained < LEAST_STAINED)
    return FALSE;
  leading (m, plane);
  for (int k = 0; k < 2; k++)
    if (dot (plane[k], mean) < 0.0)
      for (int a = 0; a < 3; a++)
        plane[k][a] = -plane[k][a];
  stained = 0;
  for (gsize i = 0; i < n; i++)
    {
      const double d[3] = { density[3 * i], density[3 * i + 1], density[3 * i + 2] };

      if (d[0] >= STAINED && d[1] >= STAINED && d[2] >= STAINED)
        angles[stained++] = (float) atan2 (dot (d, plane[1]), dot (d, plane[0]));
    }
  low = vg_contour_percentile (angles, stained, EXTREME);
  high = vg_contour_percentile (angles, stained, 1.0 - EXTREME);
  for (int k = 0; k < 2; k++)
    {
      double angle = k == 0 ? low : high;

      for (int a = 0; a < 3; a++)
        stains[k][a] = MAX (cos (angle) * plane[0][a] + sin (angle) * plane[1][a], 0.0);
      normalize (stains[k]);
    }
  /* haematoxylin absorbs more red */
  if (stains[0][0] < stains[1][0])
    for (int a = 0; a < 3; a++)
      {
        double t = stains[0][a];

        stains[0][a] = stains[1][a];
        stains[1][a] = t;
      }
  /* and more red than blue; another stain is dirt or pigment */
  return angle_between (stains[0], stains[1]) > LEAST_BETWEEN_DEGREES &&
         stains[0][0] > stains[0][2];
}

/* Subtracts the density of the palest hundredth: glass and lamp are never quite white, and their
 * tint would count as a stain.  CHANNEL: a buffer of N values. */
static void
subtract_glass (float *density, gsize n, float *channel)
{
  for (gsize c = 0; c < 3; c++)
    {
      float glass;

      for (gsize i = 0; i < n; i++)
        channel[i] = density[3 * i + c];
      glass = vg_contour_percentile (channel, n, EXTREME);
      for (gsize i = 0; i < n; i++)
        density[3 * i + c] = MAX (channel[i] - glass, 0.0f);
    }
}

/* The row whose product with an optical density is the amount of stain WANTED. */
static void
unmix (const double stains[3][3], int wanted, double row[3])
{
  double a[3], scale;

  cross (stains[(wanted + 1) % 3], stains[(wanted + 2) % 3], a);
  scale = dot (a, stains[wanted]);
  for (int i = 0; i < 3; i++)
    row[i] = a[i] / scale;
}

gboolean
vg_contour_stain_find (const float *density, gsize n, int channel, VgContourScale *scale)
{
  double stains[3][3];
  int wanted = channel - VG_CONTOUR_HAEMATOXYLIN;

  memcpy (stains, ruifrok, sizeof stains);
  if (channel >= VG_CONTOUR_MACENKO_1)
    {
      g_autofree float *beyond = g_try_new (float, 3 * n),
                       *channel_or_angles = g_try_new (float, n);

      if (beyond == NULL || channel_or_angles == NULL)
        return FALSE;
      memcpy (beyond, density, 3 * n * sizeof *density);
      wanted = channel - VG_CONTOUR_MACENKO_1;
      subtract_glass (beyond, n, channel_or_angles);
      scale->sought = TRUE;
      scale->apart_degrees = NAN;
      scale->sought_pixels = n;
      if (find_macenko (beyond, n, channel_or_angles, stains))
        {
          scale->apart_degrees = angle_between (stains[wanted], ruifrok[wanted]);
          cross (stains[0], stains[1], stains[2]);
          normalize (stains[2]);
        }
      else
        memcpy (stains, ruifrok, sizeof stains);
    }
  for (int k = 0; k < 3; k++)
    normalize (stains[k]);
  unmix (stains, wanted, scale->row);
  return TRUE;
}

void
vg_contour_stain_pair (VgContourChannel second, double rows[2][3])
{
  double stains[3][3];

  memcpy (stains[0], ruifrok[VG_CONTOUR_HAEMATOXYLIN], sizeof stains[0]);
  memcpy (stains[1], ruifrok[second], sizeof stains[1]);
  for (int k = 0; k < 2; k++)
    normalize (stains[k]);
  cross (stains[0], stains[1], stains[2]);
  normalize (stains[2]);
  for (int k = 0; k < 2; k++)
    unmix (stains, k, rows[k]);
}
