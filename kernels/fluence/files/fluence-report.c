/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/files/fluence-report.h"
#include "kernels/fluence/model/fluence-names.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"
#include <math.h>
#include <string.h>
/* The arrays of a report, and the text of an .mco file as MCML 1.2.2 writes
 * it: five digits, each keyword at the start of a line. */

const char *const vg_fluence_light_words[5] = {
  [VG_FLUENCE_PENCIL] = "a thin beam",
  [VG_FLUENCE_FLAT] = "a flat beam with its edge at",
  [VG_FLUENCE_GAUSSIAN] = "a Gaussian beam with 1/e^2 at",
  [VG_FLUENCE_RING] = "a ring of",
  [VG_FLUENCE_POINT] = "an isotropic point at a depth of",
};

VgFluenceReport *
vg_fluence_report_new (const VgTable *layers, int nz, int nr, int na, gboolean errors,
                       GError **error)
{
  VgFluenceReport *self = g_new0 (VgFluenceReport, 1);
  gsize z = (gsize) nz, r = (gsize) nr, a = (gsize) na;

  self->nz = nz;
  self->nr = nr;
  self->na = na;
  self->power_mw = 1.0;
  self->layers = vg_table_copy (layers);
  self->a_l = g_new0 (double, layers->rows);
  self->a_z = g_new0 (double, z);
  self->rd_r = g_new0 (double, r);
  self->tt_r = g_new0 (double, r);
  self->rd_a = g_new0 (double, a);
  self->tt_a = g_new0 (double, a);
  self->a_rz = g_try_new0 (double, z *r);
  self->rd_ra = g_try_new0 (double, r *a);
  self->tt_ra = g_try_new0 (double, r *a);
  if (errors)
    {
      self->a_l_error = g_new0 (double, layers->rows);
      self->rd_r_error = g_new0 (double, r);
      self->tt_r_error = g_new0 (double, r);
      self->rd_a_error = g_new0 (double, a);
      self->tt_a_error = g_new0 (double, a);
    }
  if (self->a_rz != NULL && self->rd_ra != NULL && self->tt_ra != NULL)
    return self;
  g_set_error (
      error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
      "there is not enough memory for the results of %d x %d x %d bins; set fewer, larger bins", nz,
      nr, na);
  vg_fluence_report_free (self);
  return NULL;
}

void
vg_fluence_report_free (VgFluenceReport *self)
{
  if (self == NULL)
    return;
  vg_table_free (self->layers);
  g_free (self->remark);
  g_free (self->a_l);
  g_free (self->a_z);
  g_free (self->rd_r);
  g_free (self->tt_r);
  g_free (self->rd_a);
  g_free (self->tt_a);
  g_free (self->a_rz);
  g_free (self->rd_ra);
  g_free (self->tt_ra);
  g_free (self->a_l_error);
  g_free (self->rd_r_error);
  g_free (self->tt_r_error);
  g_free (self->rd_a_error);
  g_free (self->tt_a_error);
  g_free (self);
}

/* ---- Writing ---- */

/* Appends VALUE by FORMAT, independent of the locale, with spaces before it up to WIDTH. */
static void
put (GString *text, const char *format, int width, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, format, value);
  for (int i = (int) strlen (number); i < width; i++)
    g_string_append_c (text, ' ');
  g_string_append (text, number);
}

/* Appends VALUE as "%12.4E" does.  A report has tens of thousands of numbers, and printf would take
 * longer for them than everything else here, especially in programs that extend it, as numpy does.
 * Powers of ten up to 1e22 are exact, so the error of a scaled value is below 1e-10.  Where that
 * could change the rounding, printf is used. */
static void
put_bin (GString *text, double value)
{
  static const double tens[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
  char number[] = "  0.0000E+00";
  int exponent = 0, digits = 0;

  if (value >= 1e-17 && value < 1e17)
    {
      double scaled;

      exponent = (int) floor (log10 (value));
      scaled = exponent <= 4 ? value * tens[4 - exponent] : value / tens[exponent - 4];
      digits = (int) (scaled + 0.5);
      /* also if the logarithm of a number near a power of ten was not exact */
      if (digits < 10000 || digits > 99999 || fabs (scaled - floor (scaled) - 0.5) < 1e-9)
        digits = 0;
    }
  if (digits == 0 && (value != 0.0 || signbit (value)))
    {
      put (text, "%.4E", 12, value);
      return;
    }
  for (int i = 7; i >= 2; i -= i == 4 ? 2 : 1, digits /= 10)
    number[i] = (char) ('0' + digits % 10);
  number[9] = exponent < 0 ? '-' : '+';
  number[10] = (char) ('0' + ABS (exponent) / 10);
  number[11] = (char) ('0' + ABS (exponent) % 10);
  g_string_append_len (text, number, 12);
}

static void
put_column (GString *text, const char *head, int n, const double *values)
{
  if (isnan (values[0])) /* not in the file it was read from */
    return;
  g_string_append_printf (text, "%s\n", head);
  for (int i = 0; i < n; i++)
    {
      put_bin (text, values[i]);
      g_string_append_c (text, '\n');
    }
  g_string_append_c (text, '\n');
}

static void
put_matrix (GString *text, const char *key, const char *second, const char *unit, gsize n,
            const double *values)
{
  if (isnan (values[0]))
    return;
  g_string_append_printf (
      text,
      "# %s[r][%s]. %s\n# %s[0][0], [0][1],..[0][n%s-1]\n# %s[1][0], [1][1],..[1][n%s-1]\n# ...\n"
      "# %s[nr-1][0], [nr-1][1],..[nr-1][n%s-1]\n%s\n",
      key, second, unit, key, second, key, second, key, second, key);
  for (gsize i = 0; i < n; i++)
    {
      put_bin (text, values[i]);
      g_string_append_c (text, i % 5 == 4 || i + 1 == n ? '\n' : ' ');
    }
  g_string_append_c (text, '\n');
}

static void
put_inputs (GString *text, const VgFluenceReport *self)
{
  const VgTable *layers = self->layers;

  g_string_append_printf (
      text, "InParm \t\t\t# Input parameters. cm is used.\n%s \tA\t\t# output file name, ASCII.\n",
      self->name);
  g_string_append_printf (text, "%.0f \t\t\t# No. of photons\n", self->photons);
  put (text, "%.9G", 0, self->dz);
  g_string_append_c (text, '\t');
  put (text, "%.9G", 0, self->dr);
  g_string_append_printf (text, "\t\t# dz, dr [cm]\n%d\t%d\t%d\t# No. of dz, dr, da.\n\n", self->nz,
                          self->nr, self->na);
  g_string_append_printf (
      text, "%d\t\t\t\t\t# Number of layers\n#n\tmua\tmus\tg\td\t# One line for each layer\n",
      layers->rows);
  put (text, "%.9G", 0, self->n_above);
  g_string_append (text, "\t\t\t\t\t# n for medium above\n");
  for (int l = 0; l < layers->rows; l++)
    {
      for (int c = 0; c < layers->columns; c++)
        {
          put (text, "%.9G", 0, layers->values[l * layers->columns + c]);
          g_string_append_c (text, '\t');
        }
      g_string_append_printf (text, "# layer %d\n", l + 1);
    }
  put (text, "%.9G", 0, self->n_below);
  g_string_append (text, "\t\t\t\t\t# n for medium below\n\n");
}

static void
put_totals (GString *text, const VgFluenceReport *self)
{
  const double values[] = { self->specular, self->reflectance, self->absorbed,
                            self->transmittance };
  static const char *const names[] = { "Specular reflectance", "Diffuse reflectance",
                                       "Absorbed fraction", "Transmittance" };

  g_string_append (text, "RAT #Reflectance, absorption, transmission. \n");
  for (int i = 0; i < 4; i++)
    {
      gsize begin = text->len;

      put (text, "%.6G", 0, values[i]);
      g_string_append_printf (text, "%*s \t#%s [-]\n", (int) (begin + 14 - text->len), "",
                              names[i]);
    }
  if (isnan (self->a_l[0]))
    return;
  g_string_append (text, "\nA_l #Absorption as a function of layer. [-]\n");
  for (int l = 0; l < self->layers->rows; l++)
    {
      put (text, "%.4G", 12, self->a_l[l]);
      g_string_append_c (text, '\n');
    }
  g_string_append_c (text, '\n');
}

char *
vg_fluence_mco_write (const VgFluenceReport *self)
{
  const gsize number = 13, rest = 4096;
  gsize nz = (gsize) self->nz, nr = (gsize) self->nr, na = (gsize) self->na;
  GString *text = g_string_sized_new (number * (nz * nr + 2 * nr * na + nz + 2 * (nr + na)) + rest);

  g_string_append (
      text,
      "A1 \t# Version number of the file format.\n\n####\n# Data categories include: \n# InParm, "
      "RAT, \n"
      "# A_l, A_z, Rd_r, Rd_a, Tt_r, Tt_a, \n# A_rz, Rd_ra, Tt_ra \n####\n\n");
  /* MCML's comment with the time of the run is omitted, so that equal runs give equal files. */
  if (!self->clamped)
    g_string_append (text, "# " VG_FLUENCE_WRITTEN "\n");
  if (self->remark != NULL)
    g_string_append_printf (text, "# %s\n", self->remark);
  g_string_append_c (text, '\n');
  put_inputs (text, self);
  put_totals (text, self);
  put_column (text, "A_z #A[0], [1],..A[nz-1]. [1/cm]", self->nz, self->a_z);
  put_column (text, "Rd_r #Rd[0], [1],..Rd[nr-1]. [1/cm2]", self->nr, self->rd_r);
  put_column (text, "Rd_a #Rd[0], [1],..Rd[na-1]. [sr-1]", self->na, self->rd_a);
  put_column (text, "Tt_r #Tt[0], [1],..Tt[nr-1]. [1/cm2]", self->nr, self->tt_r);
  put_column (text, "Tt_a #Tt[0], [1],..Tt[na-1]. [sr-1]", self->na, self->tt_a);
  put_matrix (text, "A_rz", "z", "[1/cm3]", nr * nz, self->a_rz);
  put_matrix (text, "Rd_ra", "a", "[1/(cm2sr)].", nr * na, self->rd_ra);
  put_matrix (text, "Tt_ra", "a", "[1/(cm2sr)].", nr * na, self->tt_ra);
  return g_string_free (text, FALSE);
}

/* Appends the shortest text that reads back as VALUE. */
static void
put_exact (GString *text, double value, const char *behind)
{
  vg_text_append_number (text, value);
  g_string_append (text, behind);
}

char *
vg_fluence_mci_write (const VgFluenceReport *self, const VgFluenceParams *params)
{
  const VgTable *layers = params->layers;
  g_auto (GStrv) names = vg_fluence_names_get (params);
  double photons = params->stop == VG_FLUENCE_STOP_PHOTONS ? params->photons : self->photons;
  GString *text = g_string_new ("# Input of MCML 1.2.2, lengths in cm.\n");

  if (self->remark != NULL && params->beam != VG_FLUENCE_PENCIL)
    g_string_append (
        text,
        "# MCML itself uses a pencil beam; Vivograph reads the light source from the next line.\n");
  if (self->remark != NULL) /* only the part about the light source */
    g_string_append_printf (text, "# %.*s\n", (int) strcspn (self->remark, ";"), self->remark);
  g_string_append_printf (
      text, "1.0\t# file version\n1\t# number of runs\n\n%s\tA\t# output file, ASCII\n",
      *self->name != '\0' ? self->name : "fluence.mco");
  g_string_append_printf (text, "%.0f\t# photons\n", floor (photons));
  put_exact (text, params->dz_cm, "\t");
  put_exact (text, params->dr_cm, "\t# dz, dr [cm]\n");
  g_string_append_printf (text,
                          "%d\t%d\t%d\t# numbers of dz, dr, da\n\n%d\t# number of layers\n# n, mua "
                          "[1/cm], mus [1/cm], g, d [cm]\n",
                          params->nz, params->nr, params->na, layers->rows);
  put_exact (text, params->n_above, "\t# n of the medium above\n");
  for (int l = 0; l < layers->rows; l++)
    {
      for (int c = 0; c < layers->columns; c++)
        put_exact (text, layers->values[l * layers->columns + c], "\t");
      g_string_append_printf (text, *names[l] != '\0' ? "# layer %d: %s\n" : "# layer %d\n", l + 1,
                              names[l]);
    }
  put_exact (text, params->n_below, "\t# n of the medium below\n");
  return g_string_free (text, FALSE);
}
