/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/fit/perfusion-general-cpu.h"
#include "tests/kernels/perfusion/support/perfusion-fixture.h"
/* Monte Carlo tests of fits: the curve of one tissue, again and again with other noise. */

typedef struct
{
  VgPerfusionProblem *problem; /* owned */
  double *clean;               /* its curve, a value per frame */
  double sd;                   /* of the noise */
  GRand *rand;
} PerfusionDraws;

/* MODEL with the population AIF in N frames, with the artery alone or both inputs (DUAL).  BOUNDS
 * NULL: the defaults. */
static inline VgPerfusionProblem *
perfusion_draws_problem (int model, int n, gboolean dual, const VgPerfusionBounds *bounds)
{
  g_autoptr (VgPerfusionProblem) inputs = perfusion_problem (n);

  return vg_perfusion_problem_new (model, n, inputs->times_s, inputs->artery,
                                   dual ? inputs->portal : NULL, NULL,
                                   bounds != NULL ? bounds : &inputs->bounds);
}

/* Takes PROBLEM and CLEAN; CNR: the maximum of CLEAN divided by the SD of the noise. */
static inline PerfusionDraws
perfusion_draws (VgPerfusionProblem *problem, double *clean, double cnr, guint32 seed)
{
  double peak = 0;

  for (int i = 0; i < problem->n; i++)
    peak = MAX (peak, clean[i]);
  return (PerfusionDraws){ problem, clean, peak / cnr, g_rand_new_with_seed (seed) };
}

/* Of tissue with the fit parameters TRUTH of the model of PROBLEM, which is taken. */
static inline PerfusionDraws
perfusion_draws_of (VgPerfusionProblem *problem, const double *truth, double cnr, guint32 seed)
{
  double *clean = g_new (double, problem->n);

  vg_perfusion_general_curve (problem, truth, clean);
  return perfusion_draws (problem, clean, cnr, seed);
}

/* Of one compartment with the artery alone: inflow KA and outflow KL in ml/100g/min, and the DELAY
 * in s.  Takes PROBLEM, whose model may be another. */
static inline PerfusionDraws
perfusion_draws_of_compartment (VgPerfusionProblem *problem, double ka, double kl, double delay,
                                double cnr, guint32 seed)
{
  double *clean = g_new (double, problem->n);

  vg_perfusion_curve (problem, problem->artery, VG_PERFUSION_EXPONENTIAL, kl / VG_PERFUSION_RATE,
                      delay, clean, NULL, NULL);
  for (int i = 0; i < problem->n; i++)
    clean[i] *= ka / VG_PERFUSION_RATE;
  return perfusion_draws (problem, clean, cnr, seed);
}

/* Fills NOISY with LANES further curves, those of a frame together. */
static inline void
perfusion_draws_next (PerfusionDraws *self, int lanes, double *noisy)
{
  for (int i = 0; i < self->problem->n * lanes; i++)
    noisy[i] = self->clean[i / lanes] + self->sd * perfusion_noise (self->rand);
}

static inline void
perfusion_draws_clear (PerfusionDraws *self)
{
  vg_perfusion_problem_free (self->problem);
  g_free (self->clean);
  g_rand_free (self->rand);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PerfusionDraws, perfusion_draws_clear)
