/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/paper/perfusion-paper.h"
#include "kernels/perfusion/paper/perfusion-paper-error.h"
#include <string.h>

VgPerfusionPaper *
vg_perfusion_paper_new (const VgPerfusionProblem *problem, VgPerfusionConvolution convolution)
{
  VgPerfusionPaper *self = g_new0 (VgPerfusionPaper, 1);
  int length = 2;

  self->problem = problem;
  self->convolution = problem->even || convolution == VG_PERFUSION_CONVOLUTION_TRAPEZOID
                          ? convolution
                          : VG_PERFUSION_CONVOLUTION_RECURSION;
  while (length < 2 * problem->n)
    length *= 2;
  if (self->convolution == VG_PERFUSION_CONVOLUTION_BLOCK)
    self->fft = vg_block_fft_new (problem->n);
  else if (self->convolution == VG_PERFUSION_CONVOLUTION_FFT)
    self->padded = vg_block_fft_new_with (1, length);
  return self;
}

void
vg_perfusion_paper_free (VgPerfusionPaper *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->fft, vg_block_fft_free);
  g_clear_pointer (&self->padded, vg_block_fft_free);
  g_free (self);
}

/* The number of frames, rounded up to whole blocks. */
static gsize
length_of (const VgPerfusionPaper *self)
{
  return (gsize) (self->fft != NULL      ? self->fft->n
                  : self->padded != NULL ? self->padded->p
                                         : self->problem->n);
}

gsize
vg_perfusion_paper_scratch (const VgPerfusionPaper *self)
{
  gsize spectrum = self->fft != NULL ? 2 * (gsize) (self->fft->q + 1) * (gsize) self->fft->p
                                     : 2 * length_of (self);

  return 2 * length_of (self) + spectrum;
}

/* INPUT at the time of frame I less DELAY: linear between samples, 0 before the first, constant
 * after the last. */
static double
delayed (const VgPerfusionProblem *problem, const double *input, int frame, double delay)
{
  double t = problem->times_s[frame] - delay, place;
  int j;

  if (!(t >= problem->times_s[0]))
    return 0;
  if (t >= problem->times_s[problem->n - 1])
    return input[problem->n - 1];
  if (!problem->even)
    {
      for (j = 0; problem->times_s[j + 1] <= t;)
        j++;
      place = (t - problem->times_s[j]) / (problem->times_s[j + 1] - problem->times_s[j]);
      return input[j] + place * (input[j + 1] - input[j]);
    }
  place = frame - delay / problem->step_s;
  place = MAX (place, 0);
  j = MIN ((int) place, problem->n - 2);
  return input[j] + (place - j) * (input[j + 1] - input[j]);
}

static void
recursion (const VgPerfusionProblem *problem, gboolean trapezoid, double k, double *curve)
{
  double decay = exp (-k * problem->step_s), sum = 0, last = 0;

  for (int i = 0; i < problem->n; i++)
    {
      double step = problem->even || i == 0 ? problem->step_s
                                            : problem->times_s[i] - problem->times_s[i - 1],
             f = curve[i];

      if (!problem->even)
        decay = exp (-k * step);
      if (!trapezoid)
        sum = sum * decay + step * f;
      else if (i > 0)
        sum = sum * decay + step / 2 * (last * decay + f);
      curve[i] = sum;
      last = f;
    }
}

/* Convolves by a standard FFT: zero-padded to 2 n or more, all frequencies, complex. */
static void
padded (const VgPerfusionPaper *self, double k, double *curve, double *spectrum)
{
  int length = self->padded->p, n = self->problem->n;
  double step = self->problem->step_s, decay = exp (-k * step), rest = exp (-k * step * n);

  for (int i = 0; i < length; i++)
    {
      spectrum[2 * i] = i < n ? curve[i] : 0;
      spectrum[2 * i + 1] = 0;
    }
  vg_block_fft_row (self->padded, spectrum, -1);
  for (int i = 0; i < length; i++)
    {
      /* step (1 - rest e^(-2 pi i n / L)) / (1 - decay e^(-2 pi i / L)), to each frequency */
      double angle = 2 * G_PI * i / length, turn = 2 * G_PI * (((gint64) i * n) % length) / length;
      double a = 1 - decay * cos (angle), b = decay * sin (angle), c = 1 - rest * cos (turn),
             d = rest * sin (turn);
      double scale = step / (a * a + b * b) / length, re = scale * (c * a + d * b),
             im = scale * (d * a - c * b);
      double x = spectrum[2 * i], y = spectrum[2 * i + 1];

      spectrum[2 * i] = x * re - y * im;
      spectrum[2 * i + 1] = x * im + y * re;
    }
  vg_block_fft_row (self->padded, spectrum, 1);
  for (int i = 0; i < n; i++)
    curve[i] = spectrum[2 * i];
}

void
vg_perfusion_paper_curve (const VgPerfusionPaper *self, const double *x, double *curve,
                          double *scratch)
{
  const VgPerfusionProblem *problem = self->problem;
  gsize length = length_of (self);
  double ka = x[0] / VG_PERFUSION_RATE, kp = x[1] / VG_PERFUSION_RATE,
         kl = x[2] / VG_PERFUSION_RATE;
  double *input = scratch, *spectrum = scratch + length;

  for (int i = 0; i < problem->n; i++)
    input[i] = ka * delayed (problem, problem->artery, i, x[3]) +
               (problem->dual ? kp * delayed (problem, problem->portal, i, x[4]) : 0);
  for (gsize i = (gsize) problem->n; i < length; i++)
    input[i] = 0;
  if (self->fft != NULL)
    {
      vg_block_fft_forward (self->fft, input, spectrum);
      vg_block_fft_decay (self->fft, kl, problem->step_s, spectrum);
      vg_block_fft_inverse (self->fft, spectrum, input);
    }
  else if (self->padded != NULL)
    padded (self, kl, input, spectrum);
  else
    recursion (problem, self->convolution == VG_PERFUSION_CONVOLUTION_TRAPEZOID, kl, input);
  memcpy (curve, input, sizeof (double) * (gsize) problem->n);
}

void
vg_perfusion_paper_error (const VgPerfusionPaper *self, const double *x, double cost, double *error)
{
  const VgPerfusionProblem *problem = self->problem;
  const double h = VG_PERFUSION_PAPER_DELAY_PART * problem->step_s;
  VgPerfusionPaperSlopes slopes;

  vg_perfusion_paper_slopes_start (&slopes, self->convolution == VG_PERFUSION_CONVOLUTION_TRAPEZOID,
                                   x);
  x = slopes.x;
  for (int i = 0; i < problem->n; i++)
    {
      double step = problem->even || i == 0 ? problem->step_s
                                            : problem->times_s[i] - problem->times_s[i - 1],
             a = 0, p = 0, by_a, by_p = 0;

      a = delayed (problem, problem->artery, i, x[3]);
      by_a = (delayed (problem, problem->artery, i, x[3] + h) -
              delayed (problem, problem->artery, i, x[3] - h)) /
             (2 * h);
      if (problem->dual)
        {
          p = delayed (problem, problem->portal, i, x[4]);
          by_p = (delayed (problem, problem->portal, i, x[4] + h) -
                  delayed (problem, problem->portal, i, x[4] - h)) /
                 (2 * h);
        }
      vg_perfusion_paper_slopes_next (&slopes, step, problem->weights[i], a, p, by_a, by_p);
    }
  vg_perfusion_paper_errors (&slopes, problem->dual, cost, problem->used, error);
}

void
vg_perfusion_paper_fit (const VgPerfusionPaper *self, const double *curve, int stride,
                        VgSimplex *simplex, double *scratch)
{
  const VgPerfusionProblem *problem = self->problem;
  double *model = scratch + vg_perfusion_paper_scratch (self) - length_of (self), cost;

  vg_simplex_start (simplex);
  do
    {
      vg_perfusion_paper_curve (self, simplex->trial, model, scratch);
      cost = 0;
      for (int i = 0; i < problem->n; i++)
        {
          double left = curve[i * stride] - model[i];

          cost += problem->weights[i] * left * left;
        }
    }
  while (vg_simplex_set_cost (simplex, cost));
}
