/* SPDX-License-Identifier: MIT */
#pragma once
#include "tests/kernels/flow/support/flow-fixture.h"
/* Frames of tissue with structure that moves, and speckle that differs in each frame.  The tissue
 * is a sum of waves, so that it is known between the pixels too. */

enum { FLOW_SCENE_WAVES = 40 };

typedef struct
{
  int width, height;
  double kx[FLOW_SCENE_WAVES], ky[FLOW_SCENE_WAVES], phase[FLOW_SCENE_WAVES];
  double structure, speckle; /* standard deviations of tissue and speckle over the mean */
  GRand *rand;
} FlowScene;

static inline void
flow_scene_init (FlowScene *self, int width, int height)
{
  self->width = width;
  self->height = height;
  self->structure = 0.2;
  self->speckle = 0.15;
  self->rand = g_rand_new_with_seed (7);
  for (int i = 0; i < FLOW_SCENE_WAVES; i++)
    {
      double k = 2.0 * G_PI * g_rand_double_range (self->rand, 0.02, 0.12);
      double angle = g_rand_double_range (self->rand, 0, 2.0 * G_PI);

      self->kx[i] = k * cos (angle);
      self->ky[i] = k * sin (angle);
      self->phase[i] = g_rand_double_range (self->rand, 0, 2.0 * G_PI);
    }
}

static inline void
flow_scene_clear (FlowScene *self)
{
  g_rand_free (self->rand);
}

static inline double
flow_scene_tissue (const FlowScene *self, double x, double y)
{
  double sum = 0.0;

  for (int i = 0; i < FLOW_SCENE_WAVES; i++)
    sum += cos (self->kx[i] * x + self->ky[i] * y + self->phase[i]);
  return 1.0 + self->structure * sum / sqrt (0.5 * FLOW_SCENE_WAVES);
}

/* The tissue, displaced by (DX, DY) and turned by ANGLE about the middle, in 12 bits. */
static inline void
flow_scene_draw (FlowScene *self, double dx, double dy, double angle, guint16 *frame)
{
  double cx = 0.5 * self->width - 0.5, cy = 0.5 * self->height - 0.5;
  double c = cos (angle), s = sin (angle);

  for (int y = 0; y < self->height; y++)
    for (int x = 0; x < self->width; x++)
      {
        double u = x - cx - dx, v = y - cy - dy;
        double light = flow_scene_tissue (self, cx + c * u + s * v, cy - s * u + c * v);
        double noise = g_rand_double_range (self->rand, -1.7320508, 1.7320508);

        frame[y * self->width + x] = (guint16) CLAMP (
            1000.0 * light * (1.0 + self->speckle * noise), 0.0, 4095.0);
      }
}
