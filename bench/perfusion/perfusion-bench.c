/* SPDX-License-Identifier: MIT */
#include "bench/perfusion/perfusion-bench.h"
#include "kernels/perfusion/choice/perfusion-best.h"
#include "kernels/perfusion/fit/perfusion-deconvolution.h"
#include "kernels/perfusion/fit/perfusion-fit.h"
#include "kernels/perfusion/paper/perfusion-paper.h"
#include "kernels/perfusion/model/perfusion-population.h"
#include <string.h>
/* The speed of the CPU solvers on one thread.  References: a Levenberg-Marquardt fit with the
 * same recursion, and the paper's solver with a standard FFT, on one core of an EPYC. */

static VgPerfusionProblem *
make_problem (int n, double shaken_s)
{
  VgPerfusionBounds bounds = vg_perfusion_bounds_default ();
  g_autofree double *times = g_new (double, n), *artery = g_new (double, n),
                    *portal = g_new (double, n);

  for (int i = 0; i < n; i++)
    {
      times[i] = i * 120.0 / n + (i % 2) * shaken_s;
      artery[i] = vg_perfusion_population_artery (times[i] - 10);
    }
  vg_perfusion_disperse (n, times, artery, portal);
  return vg_perfusion_problem_new (VG_PERFUSION_COMPARTMENT, n, times, artery, portal, NULL,
                                   &bounds);
}

VgPerfusionProblem *
vg_perfusion_bench_problem (int n)
{
  return make_problem (n, 0);
}

void
vg_perfusion_bench_volume (const VgPerfusionProblem *problem, gsize voxels, int threads,
                           float *samples)
{
  enum { DIFFERENT = 8192 };
  gsize different = MIN (voxels, (gsize) DIFFERENT);

#pragma omp parallel for num_threads(threads)
  for (gsize v = 0; v < different; v++)
    {
      g_autofree double *a = g_new (double, problem->n), *p = g_new (double, problem->n);
      guint32 seed[] = { 77, (guint32) v };
      GRand *rand = g_rand_new_with_seed_array (seed, 2);
      double ka = g_rand_double_range (rand, 10, 60), kp = g_rand_double_range (rand, 40, 160),
             k = g_rand_double_range (rand, 250, 700), peak = 0;

      vg_perfusion_curve (problem, problem->artery, VG_PERFUSION_EXPONENTIAL, k / VG_PERFUSION_RATE,
                          g_rand_double_range (rand, 0, 3), a, NULL, NULL);
      vg_perfusion_curve (problem, problem->portal, VG_PERFUSION_EXPONENTIAL, k / VG_PERFUSION_RATE,
                          g_rand_double_range (rand, 0, 4), p, NULL, NULL);
      for (int i = 0; i < problem->n; i++)
        {
          a[i] = (ka * a[i] + kp * p[i]) / VG_PERFUSION_RATE;
          peak = MAX (peak, a[i]);
        }
      for (int i = 0; i < problem->n; i++)
        {
          double noise = sqrt (-2 * log (1 - g_rand_double (rand))) *
                         cos (2 * G_PI * g_rand_double (rand));

          samples[(gsize) i * voxels + v] = (float) (a[i] + peak / 30 * noise);
        }
      g_rand_free (rand);
    }
#pragma omp parallel for num_threads(threads)
  for (int i = 0; i < problem->n; i++)
    for (gsize v = different; v < voxels; v++)
      samples[(gsize) i * voxels + v] = samples[(gsize) i * voxels + v % different];
}

VgImage *
vg_perfusion_bench_breathing (int slices)
{
  enum { SIDE = 128, FRAMES = 48 };
  VgImageInfo info = { .type = VG_F32,
                       .width = SIDE,
                       .height = SIDE,
                       .channels = 1,
                       .bins = 1,
                       .slices = slices,
                       .frames = FRAMES };
  VgImage *image = vg_image_new (&info, "breathing", NULL);

  if (image == NULL)
    return NULL;
#pragma omp parallel for
  for (int page = 0; page < FRAMES * slices; page++)
    {
      int frame = page / slices;
      double moved = 2 * sin (3.65 * frame), z = page % slices - 0.6 * moved;
      double rise = 1 + 0.8 * (1 - exp (-MAX (frame - 6, 0) / 5.0));
      float *to = (float *) image->data + (gsize) page * SIDE * SIDE;

      for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
          {
            double v = y - moved, far = hypot (hypot (x - 50, v - 60), 2 * (z - slices / 2.0));
            double organ = 1 / (1 + exp (far - 30));

            *to++ = (float) (100 + 60 * sin (0.2 * x) * sin (0.17 * v + 0.3 * z) +
                             200 * organ * rise);
          }
    }
  return image;
}

enum { CURVES = 512, BEST_CURVES = 64 };

typedef struct
{
  VgPerfusionProblem *problem;
  VgPerfusionDictionary *dictionary;
  VgPerfusionPaper *paper;
  VgPerfusionDeconvolution *deconvolution;
  VgPerfusionModels models;
  float *samples;
  double *lanes, *scratch, values[VG_PERFUSION_FIT_VALUES * VG_PERFUSION_LANES];
} Work;

static void
take_lanes (Work *self, gsize batch)
{
  for (int i = 0; i < self->problem->n; i++)
    for (gsize l = 0; l < VG_PERFUSION_LANES; l++)
      self->lanes[(gsize) i * VG_PERFUSION_LANES + l] =
          self->samples[(gsize) i * CURVES + batch * VG_PERFUSION_LANES + l];
}

static void
run_default (gpointer data)
{
  VgPerfusionFitOptions options = vg_perfusion_fit_options_default ();
  Work *self = data;

  for (gsize b = 0; b < CURVES / VG_PERFUSION_LANES; b++)
    {
      take_lanes (self, b);
      vg_perfusion_fit_batch (self->problem, self->dictionary, &options, self->lanes,
                              VG_PERFUSION_LANES, self->scratch, self->values);
    }
}

static void
run_deconvolution (gpointer data)
{
  Work *self = data;

  for (gsize b = 0; b < CURVES / VG_PERFUSION_LANES; b++)
    {
      take_lanes (self, b);
      vg_perfusion_deconvolve_batch (self->deconvolution, self->problem, self->lanes,
                                     VG_PERFUSION_LANES, self->scratch, self->values, NULL);
    }
}

/* Factors the input for every onset. */
static void
run_factors (gpointer data)
{
  Work *self = data;

  g_clear_pointer (&self->deconvolution, vg_perfusion_deconvolution_free);
  self->deconvolution = vg_perfusion_deconvolution_new (self->problem, 0.25, VG_PERFUSION_TIKHONOV,
                                                        0, 1, NULL);
}

enum { PAPER_CURVES = 16 };

static void
run_paper (gpointer data)
{
  Work *self = data;
  VgSimplex simplex;

  take_lanes (self, 0);
  for (int l = 0; l < PAPER_CURVES; l++)
    vg_perfusion_paper_fit (self->paper, self->lanes + l, VG_PERFUSION_LANES, &simplex,
                            self->scratch);
}

static void
run_dictionary (gpointer data)
{
  Work *self = data;

  vg_perfusion_dictionary_free (vg_perfusion_dictionary_new (self->problem));
}

static void
measure_paper (VgBench *bench, Work *work, const char *id, const char *what,
               VgPerfusionConvolution convolution, double peer)
{
  work->paper = vg_perfusion_paper_new (work->problem, convolution);
  g_free (work->scratch);
  work->scratch = g_new (double, vg_perfusion_paper_scratch (work->paper));
  bench->add (bench,
              &(VgBenchRow){ id, what, 1e6 * bench->time (bench, run_paper, work, 3) / PAPER_CURVES,
                             "us/voxel", peer, "the same with GSL's FFT, one thread" });
  g_clear_pointer (&work->paper, vg_perfusion_paper_free);
}

static void
work_init (Work *self, VgPerfusionProblem *problem)
{
  gsize n = (gsize) problem->n;

  *self = (Work){ .problem = problem, .dictionary = vg_perfusion_dictionary_new (problem) };
  self->samples = g_new (float, n *CURVES);
  self->lanes = g_new (double, n *VG_PERFUSION_LANES);
  self->scratch = g_new (double, vg_perfusion_fit_scratch (problem));
  vg_perfusion_bench_volume (problem, CURVES, 1, self->samples);
}

static void
work_clear (Work *self)
{
  vg_perfusion_problem_free (self->problem);
  vg_perfusion_dictionary_free (self->dictionary);
  g_free (self->samples);
  g_free (self->lanes);
  g_free (self->scratch);
}

/* Deconvolution with and without fitted onsets. */
static void
measure_deconvolution (VgBench *bench)
{
  static const struct
  {
    const char *id, *what;
    VgPerfusionDelays delays;
  } rows[] = {
    { "deconvolution_48_cpu_1_thread", "deconvolution, no delays, one thread",
      VG_PERFUSION_DELAYS_NONE },
    { "deconvolution_delays_48_cpu_1_thread", "deconvolution with 17 onsets, one thread",
      VG_PERFUSION_DELAYS_FREE },
  };
  Work work;

  work_init (&work, vg_perfusion_bench_problem (48));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      work.problem->bounds.delays = rows[i].delays;
      run_factors (&work);
      g_free (work.scratch);
      work.scratch = g_new (double, vg_perfusion_deconvolution_scratch (work.deconvolution));
      bench->add (bench,
                  &(VgBenchRow){ rows[i].id, rows[i].what,
                                 1e6 * bench->time (bench, run_deconvolution, &work, 3) / CURVES,
                                 "us/voxel", NAN, NULL });
    }
  bench->add (bench, &(VgBenchRow){
                         "deconvolution_factors_48", "the singular values of 17 onsets, one thread",
                         1e3 * bench->time (bench, run_factors, &work, 3), "ms", NAN, NULL });
  vg_perfusion_deconvolution_free (work.deconvolution);
  work_clear (&work);
}

static void
run_best (gpointer data)
{
  VgPerfusionFitOptions options = vg_perfusion_fit_options_default ();
  Work *self = data;

  for (gsize b = 0; b < BEST_CURVES / VG_PERFUSION_LANES; b++)
    {
      take_lanes (self, b);
      vg_perfusion_fit_best (&self->models, &options, self->lanes, VG_PERFUSION_LANES,
                             self->scratch, self->values);
    }
}

/* The fits of five models and the choice among them. */
static void
measure_best (VgBench *bench)
{
  VgPerfusionProblem *problems[VG_PERFUSION_CANDIDATES] = { NULL };
  VgPerfusionGrid *grids[VG_PERFUSION_CANDIDATES] = { NULL };
  Work work;

  work_init (&work, vg_perfusion_bench_problem (48));
  work.models = (VgPerfusionModels){ .dictionary = work.dictionary, .significance = 0.01 };
  work.models.problems[0] = work.problem;
  for (int m = 1; m < VG_PERFUSION_CANDIDATES; m++)
    {
      const VgPerfusionProblem *p = work.problem;

      problems[m] = vg_perfusion_problem_new ((VgPerfusionModel) m, p->n, p->times_s, p->artery,
                                              p->portal, NULL, &p->bounds);
      grids[m] = vg_perfusion_grid_new (problems[m], 1);
      work.models.problems[m] = problems[m];
      work.models.grids[m] = grids[m];
    }
  bench->add (bench, &(VgBenchRow){ "best_48_cpu_1_thread",
                                    "the best of five models, two inputs, one thread",
                                    1e6 * bench->time (bench, run_best, &work, 3) / BEST_CURVES,
                                    "us/voxel", NAN, NULL });
  for (int m = 1; m < VG_PERFUSION_CANDIDATES; m++)
    {
      vg_perfusion_grid_free (grids[m]);
      vg_perfusion_problem_free (problems[m]);
    }
  work_clear (&work);
}

/* Uneven frames as scanners record them: every other frame is 10 ms late, so each interval has
 * its own constants. */
static void
measure_uneven (VgBench *bench, int n)
{
  Work work;

  work_init (&work, make_problem (n, 0.01));
  bench->add (bench, &(VgBenchRow){ "default_48_uneven_cpu_1_thread",
                                    "default solver, frames not evenly spaced, one thread",
                                    1e6 * bench->time (bench, run_default, &work, 3) / CURVES,
                                    "us/voxel", NAN, NULL });
  work_clear (&work);
}

static void
measure (VgBench *bench, int n, const char *ids[4], double peer, double paper_peer)
{
  Work work;

  work_init (&work, vg_perfusion_bench_problem (n));
  bench->add (bench,
              &(VgBenchRow){ ids[0], "default solver, five unknowns with errors, one thread",
                             1e6 * bench->time (bench, run_default, &work, 3) / CURVES, "us/voxel",
                             peer, "Levenberg-Marquardt from one start, one thread" });
  bench->add (bench, &(VgBenchRow){ ids[1], "the dictionary of a pair of inputs",
                                    1e3 * bench->time (bench, run_dictionary, &work, 3), "ms", NAN,
                                    NULL });
  measure_paper (bench, &work, ids[2], "the paper's solver, Block-FFT, one thread",
                 VG_PERFUSION_CONVOLUTION_BLOCK, paper_peer);
  measure_paper (bench, &work, ids[3], "the paper's solver, padded FFT, one thread",
                 VG_PERFUSION_CONVOLUTION_FFT, paper_peer);
  work_clear (&work);
}

void
vg_perfusion_bench (const VgContext *context, VgBench *bench)
{
  static const char *few[] = { "default_48_cpu_1_thread", "dictionary_48",
                               "paper_block_48_cpu_1_thread", "paper_padded_48_cpu_1_thread" };
  static const char *many[] = { "default_128_cpu_1_thread", "dictionary_128",
                                "paper_block_128_cpu_1_thread", "paper_padded_128_cpu_1_thread" };

  (void) context;
  measure (bench, 48, few, 12.8, 345);
  measure_uneven (bench, 48);
  measure_deconvolution (bench);
  measure_best (bench);
  if (!bench->quick)
    measure (bench, 128, many, 19.3, 964);
}
