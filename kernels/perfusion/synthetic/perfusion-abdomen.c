/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/synthetic/perfusion-abdomen.h"
#include "kernels/base/vg-random.h"
#include "kernels/base/vg-region.h"
#include <math.h>
#if defined(__GNUC__) && !defined(__clang__)
/* Without fused multiply-add, frames are the same on every processor. */
#pragma GCC optimize("fp-contract=off")
#endif
/* Organs are painted one over the other.  Lengths are in mm from the middle of the body; x grows to
 * the patient's left, y to the back. */

#define WIDTH_MM 384.0
#define HEIGHT_MM 272.0
#define SMALL_MM 6.0 /* with larger pixels, vessels are smaller than a pixel */

/* An ellipse.  Square corners make it a rounded box. */
typedef struct
{
  VgPerfusionTissue tissue;
  double x, y, a, b, turn, square;
  double grow; /* relative change of its size from one slice to the next */
} Organ;

/* A tapered vessel. */
typedef struct
{
  double x[2], y[2], r[2];
} Branch;

typedef struct
{
  double baseline, rate[VG_PERFUSION_ABDOMEN_VALUES];
} Kind;

static const Kind kinds[VG_PERFUSION_TISSUES] = {
  [VG_PERFUSION_AIR] = { 8, { 0 } },
  [VG_PERFUSION_FAT] = { 410, { 3, 0, 60, 2, 0 } },
  [VG_PERFUSION_MUSCLE] = { 215, { 9, 0, 70, 2, 0 } },
  [VG_PERFUSION_BONE] = { 330, { 22, 0, 150, 1.5, 0 } },
  [VG_PERFUSION_FLUID] = { 105, { 0 } },
  [VG_PERFUSION_BOWEL] = { 230, { 55, 0, 300, 1.5, 0 } },
  [VG_PERFUSION_PANCREAS] = { 300, { 100, 0, 450, 1, 0 } },
  [VG_PERFUSION_SPLEEN] = { 240, { 150, 0, 600, 1, 0 } },
  [VG_PERFUSION_CORTEX] = { 260, { 230, 0, 620, 0.8, 0 } },
  [VG_PERFUSION_MEDULLA] = { 195, { 90, 0, 300, 4, 0 } },
  [VG_PERFUSION_CAVA] = { 190, { 230, 0, 450, 7, 0 } },
  [VG_PERFUSION_CYST] = { 130, { 0 } },
  [VG_PERFUSION_LESION] = { 285, { 165, 25, 520, 0.8, 2 } },
  [VG_PERFUSION_LIVER] = { 350, { 0 } },
  [VG_PERFUSION_ARTERY] = { 185, { 0 } },
  [VG_PERFUSION_PORTAL] = { 190, { 0 } },
};

/* Painted before the liver. */
static const Organ body[] = {
  { VG_PERFUSION_FAT, 0, 0, 172, 118, 0, 0.035, 0.004 },
  { VG_PERFUSION_MUSCLE, 0, -2, 154, 101, 0, 0.03, 0.004 },
  { VG_PERFUSION_FAT, 0, -4, 146, 92, 0, 0.03, 0.004 },
  /* the muscles of the back */
  { VG_PERFUSION_MUSCLE, -34, 80, 31, 19, 0.15, 0.05, 0 },
  { VG_PERFUSION_MUSCLE, 34, 80, 31, 19, -0.15, 0.05, 0 },
  { VG_PERFUSION_MUSCLE, -24, 52, 11, 15, 0.2, 0, 0.1 },
  { VG_PERFUSION_MUSCLE, 24, 52, 11, 15, -0.2, 0, 0.1 },
  /* loops of the bowel */
  { VG_PERFUSION_BOWEL, 118, -32, 17, 22, 0.5, 0, 0.04 },
  { VG_PERFUSION_FLUID, 118, -32, 13, 18, 0.5, 0, 0.04 },
  { VG_PERFUSION_BOWEL, 6, -16, 20, 12, 0.3, 0, 0.05 },
  { VG_PERFUSION_FLUID, 6, -16, 16, 8.5, 0.3, 0, 0.05 },
  /* the stomach */
  { VG_PERFUSION_BOWEL, 64, -47, 45, 30, 0.25, 0.02, -0.04 },
  { VG_PERFUSION_FLUID, 64, -47, 40.5, 25.5, 0.25, 0.02, -0.04 },
  { VG_PERFUSION_AIR, 56, -61, 26, 9, 0.12, 0, -0.04 },
  /* the spleen, and the colon beside its hilum */
  { VG_PERFUSION_SPLEEN, 113, 24, 24, 43, -0.32, 0.02, -0.03 },
  { VG_PERFUSION_FAT, 90, 16, 13, 24, -0.45, 0, 0.05 },
  { VG_PERFUSION_PANCREAS, 50, 4, 37, 9.5, 0.1, 0, 0.02 },
  { VG_PERFUSION_PANCREAS, 20, 2, 16, 10, -0.3, 0, 0.02 },
};
/* Painted over the liver. */
static const Organ front[] = {
  /* kidneys in their fat */
  { VG_PERFUSION_FAT, -60, 57, 26, 31, 0.25, 0, 0.03 },
  { VG_PERFUSION_CORTEX, -60, 58, 20.5, 26, 0.25, 0, 0.04 },
  { VG_PERFUSION_MEDULLA, -57, 58, 13, 18.5, 0.25, 0, 0.04 },
  { VG_PERFUSION_FAT, -47, 56, 11, 8, 0.1, 0, 0.1 },
  { VG_PERFUSION_FAT, 65, 55, 27, 32, -0.25, 0, 0.03 },
  { VG_PERFUSION_CORTEX, 65, 56, 21.5, 27, -0.25, 0, 0.04 },
  { VG_PERFUSION_MEDULLA, 62, 56, 13.5, 19, -0.25, 0, 0.04 },
  { VG_PERFUSION_FAT, 52, 54, 11, 8, -0.1, 0, 0.1 },
  /* the spine: lamina, body, canal, and the spinous process */
  { VG_PERFUSION_BONE, 0, 75, 20, 13, 0, 0.03, 0 },
  { VG_PERFUSION_BONE, 0, 94, 5, 13, 0, 0, 0 },
  { VG_PERFUSION_MUSCLE, 0, 52, 25, 19.5, 0, 0.02, 0 },
  { VG_PERFUSION_BONE, 0, 52, 23, 17.5, 0, 0.02, 0 },
  { VG_PERFUSION_FLUID, 0, 75.5, 10.5, 8.5, 0, 0.02, 0 },
  { VG_PERFUSION_MUSCLE, 0, 75.5, 5.5, 4.5, 0, 0, 0 },
  { VG_PERFUSION_CAVA, -20, 27, 12.5, 9.5, 0.15, 0, 0 },
};
static const Organ aorta = { VG_PERFUSION_ARTERY, 9, 24, 11, 11, 0, 0, 0 },
                   portal_vein = { VG_PERFUSION_PORTAL, -25, 1, 16, 8, -0.3, 0, 0 },
                   lesion = { VG_PERFUSION_LESION, -102, -27, 14.5, 13.5, 0.6, 0, 0.03 },
                   cyst = { VG_PERFUSION_CYST, -104, 34, 8.5, 7.5, 0, 0, 0.06 };

static const Branch branches[] = {
  /* the right branch, to the front and to the back */
  { { -30, -52 }, { 1, -7 }, { 7, 5.2 } },
  { { -52, -72 }, { -7, -12 }, { 5.2, 4.2 } },
  { { -72, -88 }, { -12, -42 }, { 3.6, 2.4 } },
  { { -88, -90 }, { -42, -58 }, { 2.4, 1.5 } },
  { { -88, -104 }, { -42, -54 }, { 1.9, 1.3 } },
  { { -72, -98 }, { -12, 4 }, { 3.8, 2.8 } },
  { { -98, -124 }, { 4, 10 }, { 2.6, 1.4 } },
  { { -98, -112 }, { 4, 26 }, { 2.2, 1.3 } },
  { { -64, -72 }, { -9, 14 }, { 2.4, 1.4 } },
  /* the left branch */
  { { -34, -38 }, { -2, -34 }, { 5, 4 } },
  { { -38, -22 }, { -34, -55 }, { 3.8, 2.6 } },
  { { -22, 4 }, { -55, -63 }, { 2.4, 1.4 } },
  { { -38, -54 }, { -34, -60 }, { 2.6, 1.5 } },
};

enum { LIVER_ANGLES = 24 };
static const double liver_x = -72, liver_y = -14;
/* The distance of its border in each direction, clockwise from the patient's left. */
static const double liver_r[LIVER_ANGLES] = { 43, 41, 42, 43, 43, 42, 42, 51, 68, 74, 73,  70,
                                              68, 65, 62, 60, 60, 62, 66, 72, 82, 98, 122, 82 };

/* How far (X, Y) is outside of the organ, about; negative inside. */
static double
outside (const Organ *organ, int slice, double x, double y)
{
  double size = 1.0 + organ->grow * slice, dx = x - organ->x, dy = y - organ->y,
         reach = 1.2 * size * MAX (organ->a, organ->b) + SMALL_MM, c, s, u, v, q2, q, slope;

  if (dx * dx + dy * dy > reach * reach)
    return SMALL_MM;
  c = cos (organ->turn);
  s = sin (organ->turn);
  u = (c * dx + s * dy) / (organ->a * size);
  v = (c * dy - s * dx) / (organ->b * size);
  q2 = u * u + v * v;
  q = sqrt (q2);
  if (q2 < 1e-9)
    return -organ->b;
  slope = sqrt (u * u / (organ->a * organ->a) + v * v / (organ->b * organ->b)) / q;
  if (organ->square != 0.0)
    {
      double cosine2 = (u * u - v * v) / q2;

      q /= 1.0 - organ->square * (2.0 * cosine2 * cosine2 - 1.0);
    }
  return (q - 1.0) * size / slope;
}

/* The radius of the liver's outline in direction ANGLE, a smooth curve through the table. */
static double
liver_radius (double angle)
{
  double at = angle / (2.0 * G_PI) * LIVER_ANGLES, t;
  int i = (int) floor (at);
  const double a = liver_r[(i + LIVER_ANGLES - 1) % LIVER_ANGLES],
               b = liver_r[(i + LIVER_ANGLES) % LIVER_ANGLES], c = liver_r[(i + 1) % LIVER_ANGLES],
               d = liver_r[(i + 2) % LIVER_ANGLES];

  t = at - i;
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

static double
outside_liver (double x, double y)
{
  double dx = x - liver_x, dy = y - liver_y, r = sqrt (dx * dx + dy * dy), angle;

  if (r > 130.0)
    return r;
  angle = atan2 (dy, dx);
  return 0.8 * (r - liver_radius (angle < 0.0 ? angle + 2.0 * G_PI : angle));
}

static double
outside_branch (const Branch *branch, double x, double y)
{
  double lx = branch->x[1] - branch->x[0], ly = branch->y[1] - branch->y[0], dx = x - branch->x[0],
         dy = y - branch->y[0], t = CLAMP ((lx * dx + ly * dy) / (lx * lx + ly * ly), 0.0, 1.0);

  dx -= t * lx;
  dy -= t * ly;
  return sqrt (dx * dx + dy * dy) - (branch->r[0] + t * (branch->r[1] - branch->r[0]));
}

/* What has been painted at a voxel so far. */
typedef struct
{
  VgPerfusionTissue tissue;
  double baseline, pixel_mm;
} Paint;

/* A voxel on a border has the signal of both tissues. */
static void
paint (Paint *self, VgPerfusionTissue tissue, double outside_mm)
{
  double part = CLAMP (0.5 - outside_mm / self->pixel_mm, 0.0, 1.0);

  if (part <= 0.0)
    return;
  self->baseline += part * (kinds[tissue].baseline - self->baseline);
  if (part >= 0.5)
    self->tissue = tissue;
}

static void
paint_organs (Paint *self, const Organ *organs, guint n, int slice, double x, double y)
{
  for (guint i = 0; i < n; i++)
    paint (self, organs[i].tissue, outside (&organs[i], slice, x, y));
}

/* Ribs lie in the muscles of the wall. */
static void
paint_ribs (Paint *self, double x, double y, int slice)
{
  static const double angle[] = { -0.62, -0.2, 0.2, 0.58, 0.95 };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (angle); i++)
    {
      double turn = angle[i / 2] + 0.05 * slice, side = i % 2 ? 1.0 : -1.0;
      Organ rib = { .tissue = VG_PERFUSION_BONE,
                    .x = side * 149.0 * cos (turn),
                    .y = 96.0 * sin (turn) - 2.0,
                    .a = 11.0,
                    .b = 4.0,
                    .turn = side * (G_PI / 2 + 0.75 * turn) };

      if (fabs (x - rib.x) < 13.0 && fabs (y - rib.y) < 13.0)
        paint (self, rib.tissue, outside (&rib, 0, x, y));
    }
}

double
vg_perfusion_abdomen_pixel_mm (int width, int height)
{
  return MAX (WIDTH_MM / width, HEIGHT_MM / height);
}

static void
locate (int width, int height, int x, int y, double *x_mm, double *y_mm)
{
  double pixel = vg_perfusion_abdomen_pixel_mm (width, height);

  *x_mm = (x + 0.5 - 0.5 * width) * pixel;
  *y_mm = (y + 0.5 - 0.5 * height) * pixel;
}

/* In a picture too small for organs the artery and the portal vein are the middle pixel of the
 * first and of the second slice. */
static VgPerfusionTissue
small_voxel (int width, int height, int x, int y, int slice)
{
  if (x != width / 2 || y != height / 2 || slice > 1)
    return VG_PERFUSION_LIVER;
  return slice == 0 ? VG_PERFUSION_ARTERY : VG_PERFUSION_PORTAL;
}

VgPerfusionTissue
vg_perfusion_abdomen_voxel (int width, int height, int x, int y, int slice, double *baseline)
{
  Paint self = { VG_PERFUSION_AIR, kinds[VG_PERFUSION_AIR].baseline,
                 vg_perfusion_abdomen_pixel_mm (width, height) };
  double u, v, grain;

  if (self.pixel_mm > SMALL_MM)
    {
      self.tissue = small_voxel (width, height, x, y, slice);
      *baseline = kinds[self.tissue].baseline;
      return self.tissue;
    }
  locate (width, height, x, y, &u, &v);
  paint_organs (&self, body, 3, slice, u, v);
  if (self.tissue != VG_PERFUSION_AIR)
    {
      paint_ribs (&self, u, v, slice);
      paint_organs (&self, body + 3, G_N_ELEMENTS (body) - 3, slice, u, v);
      paint (&self, VG_PERFUSION_LIVER, outside_liver (u, v));
      paint_organs (&self, front, G_N_ELEMENTS (front), slice, u, v);
      for (guint i = 0; i < G_N_ELEMENTS (branches); i++)
        paint (&self, VG_PERFUSION_PORTAL, outside_branch (&branches[i], u, v));
      paint_organs (&self, &lesion, 1, slice, u, v);
      paint_organs (&self, &cyst, 1, slice, u, v);
      paint_organs (&self, &portal_vein, 1, slice, u, v);
      paint_organs (&self, &aorta, 1, slice, u, v);
    }
  /* tissue is grainy, and brighter near the coils */
  grain = vg_random_uniform (((guint64) slice * (guint64) height + (guint64) y) * (guint64) width +
                             (guint64) x);
  *baseline = self.baseline * (0.95 + 0.1 * grain) *
              (0.92 + 0.14 * (u * u / (170.0 * 170.0) + v * v / (115.0 * 115.0)));
  return self.tissue;
}

void
vg_perfusion_abdomen_rates (VgPerfusionTissue tissue, int width, int height, int x, int y,
                            double *value)
{
  double u, v;

  for (int i = 0; i < VG_PERFUSION_ABDOMEN_VALUES; i++)
    value[i] = kinds[tissue].rate[i];
  if (tissue != VG_PERFUSION_LIVER)
    return;
  locate (width, height, x, y, &u, &v);
  u /= 100.0;
  v /= 100.0;
  value[0] = 22.0 + 5.0 * sin (2.1 * u + 0.7) * cos (1.7 * v);
  value[1] = 122.0 + 15.0 * sin (2.6 * v - 1.2 * u) + 8.0 * sin (5.3 * u + 2.2 * v);
  value[2] = 440.0 + 50.0 * cos (1.8 * u + 1.1 * v);
  value[3] = 2.2 - 0.8 * u;
  value[4] = 2.0 - 0.9 * u + 0.4 * v;
}

/* To an eighth of a pixel, which has a short text. */
static double
round_eighth (double value)
{
  return rint (8.0 * value) / 8.0;
}

static void
region_of (const Organ *organ, double part, int width, int height, VgRegion *region)
{
  double pixel = vg_perfusion_abdomen_pixel_mm (width, height);

  region->kind = VG_REGION_ELLIPSE;
  region->n_points = 2;
  region->x[0] = round_eighth (organ->x / pixel + 0.5 * width);
  region->y[0] = round_eighth (organ->y / pixel + 0.5 * height);
  region->x[1] = round_eighth (MAX (part * organ->a / pixel, 0.8));
  region->y[1] = round_eighth (MAX (part * organ->b / pixel, 0.8));
}

static void
region_of_liver (int width, int height, VgRegion *region)
{
  enum { POINTS = 72 };
  double pixel = vg_perfusion_abdomen_pixel_mm (width, height);

  region->kind = VG_REGION_POLYGON;
  region->n_points = POINTS;
  for (int i = 0; i < POINTS; i++)
    {
      double angle = 2.0 * G_PI * i / POINTS, r = liver_radius (angle) - 1.0;

      region->x[i] = round_eighth ((liver_x + r * cos (angle)) / pixel + 0.5 * width);
      region->y[i] = round_eighth ((liver_y + r * sin (angle)) / pixel + 0.5 * height);
    }
}

static void
region_of_pixel (int x, int y, int slice, VgRegion *region)
{
  region->kind = VG_REGION_RECTANGLE;
  region->n_points = 2;
  region->slice = slice;
  region->x[0] = x;
  region->y[0] = y;
  region->x[1] = x + 1;
  region->y[1] = y + 1;
}

char *
vg_perfusion_abdomen_region (VgPerfusionTissue tissue, int width, int height)
{
  gboolean small = vg_perfusion_abdomen_pixel_mm (width, height) > SMALL_MM;
  VgRegion region = { 0 };

  if (small && tissue != VG_PERFUSION_ARTERY && tissue != VG_PERFUSION_PORTAL)
    return NULL;
  if (small)
    region_of_pixel (width / 2, height / 2, tissue == VG_PERFUSION_PORTAL, &region);
  else if (tissue == VG_PERFUSION_ARTERY)
    region_of (&aorta, 0.7, width, height, &region);
  else if (tissue == VG_PERFUSION_PORTAL)
    region_of (&portal_vein, 0.55, width, height, &region);
  else if (tissue == VG_PERFUSION_LESION)
    region_of (&lesion, 1.0, width, height, &region);
  else
    region_of_liver (width, height, &region);
  return vg_region_format (&region);
}
