/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/motion/perfusion-motion.h"
#include "kernels/perfusion/model/perfusion-params.h"
#include "tests/kernels/perfusion/support/perfusion-fixture.h"
/* A contrast series of an upper abdomen that moves by known displacements.  Organs are ellipsoids
 * with soft edges, computed anew at each position, so that the displacement is exact. */

enum {
  BODY_AIR,
  BODY_FAT,
  BODY_MUSCLE,
  BODY_LIVER,
  BODY_LESION,
  BODY_SPLEEN,
  BODY_KIDNEY,
  BODY_CYST,
  BODY_ARTERY,
  BODY_PORTAL,
  BODY_TISSUES
};

typedef struct
{
  int tissue;
  double at[3], size[3]; /* centre and half axes, relative to half of the image */
} Ellipsoid;

static const Ellipsoid organs[] = {
  { BODY_FAT, { 0, 0, 0 }, { 0.93, 0.8, 6 } },
  { BODY_MUSCLE, { 0, 0, 0 }, { 0.86, 0.72, 5 } },
  { BODY_FAT, { 0, -0.02, 0 }, { 0.82, 0.66, 5 } },
  { BODY_SPLEEN, { 0.62, 0.15, 0.1 }, { 0.15, 0.3, 0.8 } },
  { BODY_LIVER, { -0.33, -0.02, 0.05 }, { 0.44, 0.5, 0.9 } },
  { BODY_LIVER, { 0.08, -0.28, -0.15 }, { 0.4, 0.24, 0.55 } },
  { BODY_KIDNEY, { -0.34, 0.36, -0.5 }, { 0.14, 0.16, 0.5 } },
  { BODY_KIDNEY, { 0.37, 0.38, -0.4 }, { 0.14, 0.17, 0.5 } },
  { BODY_MUSCLE, { 0, 0.42, 0 }, { 0.16, 0.17, 9 } },
  { BODY_ARTERY, { 0.08, 0.2, 0 }, { 0.075, 0.1, 9 } },
  { BODY_PORTAL, { -0.14, 0.02, 0 }, { 0.13, 0.075, 0.7 } },
  { BODY_PORTAL, { -0.42, -0.12, 0.15 }, { 0.25, 0.035, 0.12 } },
  { BODY_PORTAL, { -0.45, 0.1, -0.2 }, { 0.035, 0.2, 0.15 } },
  { BODY_LESION, { -0.55, -0.2, -0.15 }, { 0.09, 0.1, 0.3 } },
  { BODY_CYST, { -0.5, 0.2, 0.3 }, { 0.07, 0.07, 0.2 } },
};
static const double body_signal[BODY_TISSUES] = { 8, 400, 215, 350, 285, 240, 250, 130, 185, 190 };
/* ka, kp, kl, delays */
static const double body_rates[BODY_TISSUES][5] = {
  { 0 },
  { 3, 0, 60, 2, 0 },
  { 9, 0, 70, 2, 0 },
  { 22, 120, 440, 2, 2 },
  { 165, 25, 520, 0.8, 2 },
  { 150, 0, 600, 1, 0 },
  { 200, 0, 600, 0.8, 0 },
  { 0 },
  { 0 },
  { 0 },
};

typedef struct
{
  int n[3], frames;
  double noise;    /* standard deviation, relative to the signal of liver */
  double contrast; /* factor of the concentrations */
  guint32 seed;
  /* The position of the body in voxels, in a frame and slice. */
  void (*motion) (int frame, int slice, double *voxels);
  /* The displacement of the tissue at PLACE, in voxels, in addition; smooth. */
  void (*deformation) (int frame, const double *place, double *voxels);
} Body;

/* The place in the body that lies at AT in a frame and slice. */
static inline void
body_place (const Body *self, int frame, int slice, const double at[3], double place[3])
{
  double moved[3] = { 0, 0, 0 }, more[3] = { 0, 0, 0 };

  if (self->motion != NULL)
    self->motion (frame, slice, moved);
  for (int a = 0; a < 3; a++)
    place[a] = at[a] - moved[a];
  for (int turn = 0; turn < 12 && self->deformation != NULL; turn++)
    {
      self->deformation (frame, place, more);
      for (int a = 0; a < 3; a++)
        place[a] = at[a] - moved[a] - more[a];
    }
}

/* Shares of all tissues at a place, in voxels. */
static inline void
body_shares (const Body *self, const double *place, double *share, double *texture)
{
  memset (share, 0, sizeof *share * BODY_TISSUES);
  share[BODY_AIR] = 1;
  for (guint k = 0; k < G_N_ELEMENTS (organs); k++)
    {
      double r2 = 0, slope = 0, part;

      for (int a = 0; a < 3; a++)
        {
          double half = self->n[a] / 2.0, size = organs[k].size[a] * half,
                 u = (place[a] + 0.5 - half * (1 + organs[k].at[a])) / size;

          if (self->n[a] == 1)
            continue;
          r2 += u * u;
          slope += u * u / (size * size);
        }
      /* The distance to the surface, and the share of a voxel that lies inside. */
      part = r2 > 0 ? 0.5 - (sqrt (r2) - 1) * sqrt (r2 / slope) / 1.2 : 1;
      part = CLAMP (part, 0, 1);
      part = part * part * (3 - 2 * part);
      for (int t = 0; t < BODY_TISSUES; t++)
        share[t] *= 1 - part;
      share[organs[k].tissue] += part;
    }
  *texture = 1 + 0.04 * sin (place[0] * 0.9) * sin (place[1] * 1.1 + 0.3 * place[2]) +
             0.05 * sin (place[0] * 0.23 + place[1] * 0.17 + place[2] * 0.2);
}

static inline void
body_curves (const Body *self, const VgPerfusionProblem *problem, double *curves)
{
  g_autofree double *a = g_new0 (double, self->frames), *p = g_new0 (double, self->frames);

  for (int t = 0; t < BODY_TISSUES; t++)
    {
      const double *rate = body_rates[t];

      vg_perfusion_curve (problem, problem->artery, VG_PERFUSION_EXPONENTIAL,
                          rate[2] / VG_PERFUSION_RATE, rate[3], a, NULL, NULL);
      vg_perfusion_curve (problem, problem->portal, VG_PERFUSION_EXPONENTIAL,
                          rate[2] / VG_PERFUSION_RATE, rate[4], p, NULL, NULL);
      for (int i = 0; i < self->frames; i++)
        {
          double c = t == BODY_ARTERY   ? 0.58 * problem->artery[i]
                     : t == BODY_PORTAL ? 0.58 * problem->portal[i]
                                        : (rate[0] * a[i] + rate[1] * p[i]) / VG_PERFUSION_RATE;
          double t1_s = t == BODY_ARTERY || t == BODY_PORTAL ? 1.5 : 0.7;

          curves[t * self->frames + i] = body_signal[t] * (1 + self->contrast * c * 4.5 * t1_s);
        }
    }
}

static inline VgImage *
body_image (const Body *self)
{
  VgImageInfo info = { .type = VG_F32,
                       .width = self->n[0],
                       .height = self->n[1],
                       .channels = 1,
                       .bins = 1,
                       .slices = self->n[2],
                       .frames = self->frames,
                       .pixel_size = { 2.5, 2.5, 4 },
                       .pixel_unit = "mm",
                       .frame_interval_s = 120.0 / self->frames };
  VgImage *image = vg_image_new (&info, "body", NULL);
  g_autoptr (VgPerfusionProblem) problem = perfusion_problem (self->frames);
  g_autofree double *curves = g_new (double, BODY_TISSUES * self->frames);

  body_curves (self, problem, curves);
#pragma omp parallel for schedule(dynamic)
  for (int page = 0; page < self->frames * self->n[2]; page++)
    {
      int frame = page / self->n[2], z = page % self->n[2];
      float *to = (float *) image->data + (gsize) page * (gsize) (self->n[0] * self->n[1]);
      guint32 seed[] = { self->seed, (guint32) page };
      GRand *rand = g_rand_new_with_seed_array (seed, 2);

      for (int y = 0; y < self->n[1]; y++)
        for (int x = 0; x < self->n[0]; x++)
          {
            double at[3] = { (double) x, (double) y, (double) z }, place[3], share[BODY_TISSUES],
                   texture, sum = 0;

            body_place (self, frame, z, at, place);
            body_shares (self, place, share, &texture);
            for (int t = 0; t < BODY_TISSUES; t++)
              sum += share[t] * curves[t * self->frames + frame];
            *to++ = (float) (sum * texture +
                             self->noise * body_signal[BODY_LIVER] * perfusion_noise (rand));
          }
      g_rand_free (rand);
    }
  return image;
}

/* The text of a region inside the first organ of TISSUE, in the slice of its centre; owned. */
static inline char *
body_region (const Body *self, int tissue)
{
  for (guint k = 0; k < G_N_ELEMENTS (organs); k++)
    if (organs[k].tissue == tissue)
      {
        double x = self->n[0] / 2.0 * (1 + organs[k].at[0]),
               y = self->n[1] / 2.0 * (1 + organs[k].at[1]),
               rx = MAX (self->n[0] / 2.0 * organs[k].size[0] * 0.5, 1),
               ry = MAX (self->n[1] / 2.0 * organs[k].size[1] * 0.5, 1);

        return g_strdup_printf ("ellipse:%g,%g,%g,%g@%d", x, y, rx, ry, self->n[2] / 2);
      }
  g_assert_not_reached ();
}
