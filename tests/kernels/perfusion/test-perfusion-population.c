/* SPDX-License-Identifier: MIT */
/* The population AIFs against published values, their dose and haematocrit, and the fit of their
 * arrival. */
#include "tests/kernels/perfusion/support/perfusion-study-fixture.h"
#include "kernels/perfusion/model/perfusion-population.h"

typedef struct
{
  double t, value;
} Known;

static double
population (VgPerfusionPopulationKind kind, double t_s)
{
  return vg_perfusion_population (kind)->concentration (t_s);
}

static void
assert_known (VgPerfusionPopulationKind kind, double unit_s, const Known *known, guint n,
              double tolerance)
{
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (population (kind, unit_s * known[i].t), known[i].value,
                                    tolerance * known[i].value);
}

/* Minutes and mM, of OSIPI's code collection (test/PopulationAIF_DCE/data/GeorgiouAIF_ref.csv,
 * commit fd0917a1), which has them from the paper's supporting information. */
static void
test_georgiou (void)
{
  static const Known known[] = {
    { 0.0200000000, 0.0582917437 }, { 0.0300000000, 0.3121631417 }, { 0.0416666667, 1.0355824133 },
    { 0.0500000000, 1.8551645934 }, { 0.0833333333, 6.1729596918 }, { 0.1000000000, 7.7798734826 },
    { 0.1250000000, 8.6454534111 }, { 0.1666666667, 7.1248932772 }, { 0.2083333333, 4.6290427186 },
    { 0.2500000000, 2.6846510220 }, { 0.2916666667, 1.5521619868 }, { 0.3333333333, 1.1514556651 },
    { 0.3750000000, 1.2853718432 }, { 0.4166666667, 1.6506146753 }, { 0.5000000000, 2.0071733391 },
    { 0.5833333333, 1.6000263269 }, { 0.6666666667, 1.3285287414 }, { 0.7500000000, 1.4539500189 },
    { 0.8750000000, 1.4453228831 }, { 1.0000000000, 1.2766257372 }, { 1.2500000000, 1.2155871537 },
    { 1.5000000000, 1.1381964682 }, { 2.0000000000, 1.0015147319 }, { 2.5000000000, 0.9102774030 },
    { 3.0000000000, 0.8395111331 }, { 3.5000000000, 0.7819856468 }, { 4.0000000000, 0.7327145454 },
    { 4.5000000000, 0.6890148508 }, { 4.9166666667, 0.6556985226 },
  };

  assert_known (VG_PERFUSION_GEORGIOU, 60, known, G_N_ELEMENTS (known), 1e-4);
  g_assert_cmpfloat (population (VG_PERFUSION_GEORGIOU, 0), ==, 0);
  g_assert_cmpfloat (population (VG_PERFUSION_GEORGIOU, -5), ==, 0);
  /* The sum of all passes, and its limit. */
  g_assert_cmpfloat_with_epsilon (population (VG_PERFUSION_GEORGIOU, 1800),
                                  population (VG_PERFUSION_GEORGIOU, 1800.0001), 1e-7);
}

/* The convolution of the bolus with the washout, by Simpson's rule; and the area of Parker's curve,
 * to which Orton et al. fitted theirs. */
static void
test_orton (void)
{
  const double ab = 2.84, mb = 22.8 / 60, ag = 1.36 / 60, mg = 0.171 / 60, end = 2 * G_PI / mb;
  double own = 0, parker = 0;

  for (double t = 1; t < 300; t += 7)
    {
      enum { PARTS = 2000 };
      double last = MIN (t, end), h = last / PARTS, sum = 0;

      for (int i = 0; i <= PARTS; i++)
        sum += (i == 0 || i == PARTS ? 1
                : i % 2              ? 4
                                     : 2) *
               h / 3 * ab * (1 - cos (mb * h * i)) * exp (-mg * (t - h * i));
      g_assert_cmpfloat_with_epsilon (population (VG_PERFUSION_ORTON, t),
                                      (t < end ? ab * (1 - cos (mb * t)) : 0) + ag * sum, 1e-9);
    }
  for (double t = 0; t < 300; t += 0.1)
    {
      own += population (VG_PERFUSION_ORTON, t);
      parker += population (VG_PERFUSION_PARKER, t);
    }
  g_assert_cmpfloat_with_epsilon (own, parker, 0.05 * parker);
  g_assert_cmpfloat (population (VG_PERFUSION_ORTON, -1), ==, 0);
}

/* Seconds and mM, of preclinicalAIF_ref.csv in OSIPI's folder, commit e1a1f818. */
static void
test_mcgrath (void)
{
  static const Known known[] = {
    { 0.5, 0.3721428571428571 },
    { 3.5, 2.605 },
    { 7, 5.21 },
    { 7.5, 5.132997215392602 },
    { 10, 4.7725073985308395 },
    { 20, 3.669206830452877 },
    { 30, 2.956389589977385 },
    { 60, 1.9847787467127338 },
    { 90, 1.6792870347069027 },
    { 120, 1.5488392417164965 },
    { 150, 1.4660250988228964 },
    { 200, 1.3556093568412981 },
  };

  assert_known (VG_PERFUSION_MCGRATH, 1, known, G_N_ELEMENTS (known), 1e-9);
  g_assert_cmpfloat (population (VG_PERFUSION_MCGRATH, -1), ==, 0);
}

/* The first concentration is the dose in the plasma of a mouse, about 60 ml per kg; 11.95 and 4.67
 * kg/l halve in 35.5 and 770 s. */
static void
test_checkley (void)
{
  static const Known known[] = {
    { 0, 4.986 },
    { 35.546, 3.1493 },
    { 770.16, 0.70051 },
  };

  assert_known (VG_PERFUSION_CHECKLEY, 1, known, G_N_ELEMENTS (known), 1e-4);
  g_assert_cmpfloat_with_epsilon (0.3 / population (VG_PERFUSION_CHECKLEY, 0), 0.060, 0.001);
  g_assert_cmpfloat (population (VG_PERFUSION_CHECKLEY, -1), ==, 0);
}

/* The dose multiplies; curves of whole blood are divided by the plasma fraction, those of plasma
 * are not; a dose that is not known is refused. */
static void
test_dose (void)
{
  static const double doses[] = { 0.1, 0.1, 0.1, 0, 0.3 };

  for (int kind = 0; kind < VG_PERFUSION_N_POPULATIONS; kind++)
    {
      Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
      double plasma = kind == VG_PERFUSION_CHECKLEY ? 1 : 1 - (double) 0.3f;
      g_autoptr (GError) error = NULL;

      set (&f, "artery", "");
      set (&f, "haematocrit", "0.3");
      f.params->population = kind;
      for (int scaled = 0; scaled < 2; scaled++)
        {
          double factor = scaled ? 0.05 / doses[kind] : 1;
          g_autoptr (VgPerfusionStudy) study = NULL;

          f.params->dose = scaled ? 0.05f : 0;
          if (!vg_perfusion_operation.validate (f.params, &error))
            {
              g_assert_cmpint (kind, ==, VG_PERFUSION_MCGRATH);
              g_assert_nonnull (strstr (error->message, "cannot be scaled"));
              break;
            }
          g_assert_false (scaled && kind == VG_PERFUSION_MCGRATH);
          study = study_of (&f, NULL);
          g_assert_true (study->population && isnan (study->arrival_s));
          for (int i = 0; i < FRAMES; i++)
            g_assert_cmpfloat_with_epsilon (
                study->artery[i], factor / plasma * population (kind, STEP * i - 10), 1e-6);
        }
      fixture_clear (&f);
    }
}

enum { N = 60, TISSUES = 40 };

typedef struct
{
  VgPerfusionPopulationKind kind;
  double arrival, noise; /* s; standard deviation of a voxel */
  gboolean dual;
  double artery; /* fraction of the AIF in voxel 0; 0: voxel 0 is tissue */
  guint32 seed;
} Series;

/* 60 frames 2.5 s apart of voxels with different inflows, by sums of 0.02 s. */
static VgImage *
series_new (const Series *s)
{
  enum { FINE = 50 };
  VgImageInfo info = { .type = VG_F32,
                       .width = TISSUES,
                       .height = 1,
                       .channels = 1,
                       .bins = 1,
                       .slices = 1,
                       .frames = N,
                       .frame_interval_s = 2.5 };
  VgImage *image = vg_image_new (&info, "series", NULL);
  const int last = (int) (2.5 * N * FINE);
  g_autofree double *artery = g_new (double, last), *portal = g_new0 (double, last);
  GRand *rand = g_rand_new_with_seed (s->seed);

  for (int j = 0; j < last; j++)
    artery[j] = population (s->kind, (j + 0.5) / FINE - s->arrival) / (1 - 0.42);
  for (int j = 0; s->dual && j < last; j += 5)
    {
      double sum = 0;

      for (int i = 0; i < j; i += 5)
        sum += artery[j - i] * vg_perfusion_gut_response ((double) i / FINE) * 5 / FINE;
      for (int i = j; i < MIN (j + 5, last); i++)
        portal[i] = sum;
    }
  for (int x = 0; x < TISSUES; x++)
    {
      double ka = (20 + x % 7) / 6000., kp = s->dual ? (60 + 3 * (x % 5)) / 6000. : 0,
             kl = 400 / 6000., c = 0;

      for (int j = 0; j < last; j++)
        {
          if (j % (int) (2.5 * FINE) == 0)
            ((float *) image->data)[j / (int) (2.5 * FINE) * TISSUES + x] =
                (float) ((x == 0 && s->artery > 0 ? s->artery * artery[j] : c) +
                         s->noise * sqrt (-2 * log (1 - g_rand_double (rand))) *
                             cos (2 * G_PI * g_rand_double (rand)));
          c += (ka * artery[j] + kp * portal[j] - kl * c) / FINE;
        }
    }
  g_rand_free (rand);
  return image;
}

/* The study of a series whose arrival is fitted to the tissue, or to voxel 0 as the artery. */
static VgPerfusionStudy *
arrival_of (const Series *s, const char *arrival, GError **error)
{
  Fixture f = { .image = series_new (s), .params = vg_params_new (&vg_perfusion_operation.params) };
  VgPerfusionStudy *study;

  f.params->signal = VG_PERFUSION_SIGNAL_CONCENTRATION;
  f.params->population = s->kind;
  f.params->inputs = !s->dual;
  set (&f, "arrival", arrival);
  if (s->artery > 0)
    {
      set (&f, "artery", "rect:0,0,1,1");
      set (&f, "mask", "rect:1,0,39,1");
    }
  study = study_of (&f, error);
  fixture_clear (&f);
  return study;
}

/* Without noise the arrival is found within 6 % of a frame interval, also by artery curves
 * with partial volume; the AIF is the population's at this time. */
static void
test_arrival (void)
{
  for (int kind = 0; kind < VG_PERFUSION_N_POPULATIONS; kind++)
    for (int way = 0; way < 3; way++)
      {
        Series s = { kind, 21.3 + 4.1 * kind, 0, way == 1, way == 2 ? 0.3 : 0, 0 };
        g_autoptr (VgPerfusionStudy) study = arrival_of (&s, way == 2 ? "artery" : "tissue", NULL);

        g_assert_cmpfloat_with_epsilon (study->arrival_s, s.arrival, 0.15);
        g_assert_cmpfloat (study->arrival_error_s, <, 0.15);
        g_assert_true (study->population);
        for (int i = 0; i < N; i++)
          g_assert_cmpfloat_with_epsilon (
              study->artery[i],
              population (kind, 2.5 * i - study->arrival_s) /
                  (kind == VG_PERFUSION_CHECKLEY ? 1 : 1 - (double) 0.42f),
              1e-6);
      }
}

/* With noise, the errors are as large as the scatter. */
static void
test_arrival_error (void)
{
  enum { TRIALS = 100 };
  double sum = 0, squares = 0, error = 0;

  for (int i = 0; i < TRIALS; i++)
    {
      Series s = { VG_PERFUSION_PARKER, 30, 0.2, FALSE, 0, 1 + (guint32) i };
      g_autoptr (VgPerfusionStudy) study = arrival_of (&s, "tissue", NULL);

      sum += study->arrival_s - 30;
      squares += pow (study->arrival_s - 30, 2);
      error += study->arrival_error_s;
    }
  sum /= TRIALS;
  squares = sqrt (squares / TRIALS - sum * sum);
  g_test_message ("bias %g s, scatter %g s, error %g s", sum, squares, error / TRIALS);
  g_assert_cmpfloat (fabs (sum), <, 0.3 * squares + 0.05);
  g_assert_cmpfloat (error / TRIALS, >, 0.75 * squares);
  g_assert_cmpfloat (error / TRIALS, <, 1.33 * squares);
}

/* Curves that do not tell the arrival: noise alone, a bolus before the series or after its end; and
 * no artery to fit to. */
static void
test_arrival_unknown (void)
{
  static const struct
  {
    Series series;
    const char *arrival, *message;
  } cases[] = {
    { { VG_PERFUSION_PARKER, 1e4, 0.1, FALSE, 0, 7 }, "tissue", "does not determine the" },
    { { VG_PERFUSION_PARKER, -40, 0, FALSE, 0, 7 }, "tissue", "does not determine the" },
    { { VG_PERFUSION_PARKER, 148, 0.001, TRUE, 0, 7 }, "tissue", "does not determine the" },
    { { VG_PERFUSION_PARKER, 30, 0, FALSE, 0, 7 }, "artery", "no artery is given" },
    { { VG_PERFUSION_PARKER, 1e4, 0.1, FALSE, 1e-9, 7 }, "artery", "does not determine the" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      VgPerfusionStudy *study = arrival_of (&cases[i].series, cases[i].arrival, &error);

      g_assert_null (study);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, cases[i].message));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfusion-population/georgiou", test_georgiou);
  g_test_add_func ("/perfusion-population/orton", test_orton);
  g_test_add_func ("/perfusion-population/mcgrath", test_mcgrath);
  g_test_add_func ("/perfusion-population/checkley", test_checkley);
  g_test_add_func ("/perfusion-population/dose", test_dose);
  g_test_add_func ("/perfusion-population/arrival", test_arrival);
  g_test_add_func ("/perfusion-population/arrival-error", test_arrival_error);
  g_test_add_func ("/perfusion-population/arrival-unknown", test_arrival_unknown);
  return g_test_run ();
}
