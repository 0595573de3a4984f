/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/model/fluence-medium.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-sort.h"
#include <math.h>

#define CM_PER_PS 0.0299792458
/* Largest depth of a source in its layer, in mean free paths.  There the rounding error of a depth
 * is below 1 % of a mean free path. */
#define VG_FLUENCE_MOST_PATHS 1e5

static double
cell (const VgTable *layers, int row, int column)
{
  return layers->values[row * layers->columns + column];
}

static gboolean
refuse (GError **error, const char *message)
{
  g_set_error_literal (error, VG_USAGE_ERROR, 0, message);
  return FALSE;
}

static double
total_depth (const VgTable *layers)
{
  double depth = 0.0;

  for (int l = 0; l < layers->rows; l++)
    depth += cell (layers, l, VG_FLUENCE_D);
  return depth;
}

/* The layer at depth *Z, 0-based; *Z becomes the depth below its top. */
static int
find_layer (const VgTable *layers, double *z)
{
  int l = 0;

  for (; l + 1 < layers->rows && *z >= cell (layers, l, VG_FLUENCE_D); l++)
    *z -= cell (layers, l, VG_FLUENCE_D);
  return l;
}

/* Depths are floats with 24 binary digits, too few to resolve free paths deep in a layer. */
static gboolean
check_source (const VgFluenceParams *params, GError **error)
{
  const VgTable *layers = params->layers;
  double z = params->source_depth_cm, mut;
  int l;

  if (params->beam != VG_FLUENCE_POINT)
    return TRUE;
  if (z >= total_depth (layers))
    {
      g_set_error (
          error, VG_USAGE_ERROR, 0,
          "the source at %g cm lies below the tissue, which ends at %g cm; lower Source depth", z,
          total_depth (layers));
      return FALSE;
    }
  l = find_layer (layers, &z);
  mut = cell (layers, l, VG_FLUENCE_MUA) + cell (layers, l, VG_FLUENCE_MUS);
  if (z * mut <= VG_FLUENCE_MOST_PATHS)
    return TRUE;
  g_set_error (error, VG_USAGE_ERROR, 0,
               "the source lies %.3g mean free paths deep in layer %d, more than the %g that can "
               "be resolved; lower Source depth, or split the layer",
               z * mut, l + 1, VG_FLUENCE_MOST_PATHS);
  return FALSE;
}

gboolean
vg_fluence_validate (const void *data, GError **error)
{
  const VgFluenceParams *params = data;

  if (params->layers == NULL || params->layers->rows < 1)
    return refuse (error, "there is no tissue; add at least one row to Layers");
  if (params->photons != floor (params->photons))
    return refuse (error, "Photons is not a whole number; set one such as 1e6");
  if ((double) (params->nz + params->layers->rows) * (params->nr + 1) > VG_FLUENCE_MAX_CELLS)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "%d x %d bins are more than the maximum of 1e9; lower Depth bins or Radius bins",
                   params->nz, params->nr);
      return FALSE;
    }
  if ((double) params->na * (params->nr + 1) > VG_FLUENCE_MAX_EXITS)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "%d radii x %d angles are more than the maximum of 1.3e8; lower Radius bins or "
                   "Angle bins",
                   params->nr, params->na);
      return FALSE;
    }
  if (!check_source (params, error))
    return FALSE;
  if (params->compare && (params->reference_file == NULL || *params->reference_file == '\0'))
    return refuse (error, "the comparison needs an .mco file; choose one under Earlier run");
  return TRUE;
}

/* Reflectance at normal incidence of a stack of clear layers with COUNT refractive indices N,
 * without interference.  Interfaces are added one by one from below, by MCML's formula for one
 * layer. */
static double
stack_reflectance (const double *n, int count)
{
  double reflectance = 0.0;

  for (int i = count - 2; i >= 0; i--)
    {
      double r = (n[i] - n[i + 1]) / (n[i] + n[i + 1]);

      r *= r;
      reflectance = r + (1.0 - r) * (1.0 - r) * reflectance / (1.0 - r * reflectance);
    }
  return reflectance;
}

static void
set_launch (VgFluenceMedium *self, const VgFluenceParams *params)
{
  int clear = 0;
  g_autofree double *n = g_new (double, self->n_layers + 2);

  while (clear < self->n_layers && self->mut[clear] == 0.0)
    clear++;
  for (int i = 0; i < self->n_layers + 2; i++)
    n[i] = i == 0               ? params->n_above
           : i > self->n_layers ? params->n_below
                                : cell (params->layers, i - 1, VG_FLUENCE_N);
  self->isotropic = params->beam == VG_FLUENCE_POINT;
  self->start_x = params->beam == VG_FLUENCE_RING ? (float) params->beam_radius_cm : 0.0f;
  if (self->isotropic)
    {
      double z = params->source_depth_cm;

      self->start_layer = find_layer (params->layers, &z) + 1;
      self->start_z = (float) z;
      return;
    }
  /* photons start below the clear layers at the top */
  self->all_clear = clear == self->n_layers;
  self->specular = stack_reflectance (n, clear + 2);
  self->start_layer = MIN (clear + 1, self->n_layers);
}

/* Sets the rows of layer L, from depth Z0 to Z1.  Boundaries within 1e-6 bins of a bin's edge are
 * taken to be on it. */
static void
set_rows (VgFluenceMedium *self, int l, double z0, double z1)
{
  double first = floor (z0 / self->dz + 1e-6), last = ceil (z1 / self->dz - 1e-6) - 1.0;
  int low = (int) MIN (first, self->nz), high = (int) MIN (MAX (last, first), self->nz);
  VgFluenceLayer *layer = &self->layers[l + 1];

  layer->fraction = (float) CLAMP (z0 / self->dz - first, 0.0, 1.0);
  layer->row_first = low + l;
  layer->row_last = high + l;
  for (int k = low; k <= high; k++)
    {
      self->row_layer[k + l] = l;
      self->row_bin[k + l] = k;
    }
}

static void
set_albedo (VgFluenceLayer *layer, double lost)
{
  layer->lost_plain = (guint32) MIN (rint (lost * 4294967296.0), 4294967295.0);
  while (lost > 0.0 && lost < 0.5 && layer->lost_shift < 30)
    {
      lost *= 2.0;
      layer->lost_shift++;
    }
  layer->lost = (guint32) MIN (rint (lost * 4294967296.0), 4294967295.0);
}

static void
set_layer (VgFluenceMedium *self, const VgTable *table, int l, double *z)
{
  double mua = cell (table, l, VG_FLUENCE_MUA), mut = mua + cell (table, l, VG_FLUENCE_MUS);
  double g = cell (table, l, VG_FLUENCE_G), z0 = *z;
  VgFluenceLayer *layer = &self->layers[l + 1];

  *z += cell (table, l, VG_FLUENCE_D);
  self->mua[l] = mua;
  self->mut[l] = mut;
  *layer = (VgFluenceLayer){
    .n = (float) cell (table, l, VG_FLUENCE_N),
    .thickness = (float) cell (table, l, VG_FLUENCE_D),
    .hg_one_plus = (float) (1.0 + g),
    .hg_twice = (float) (2.0 * g),
    .hg_square = (float) (0.5 * (1.0 - g) * (1.0 - g)),
    .step = mut > 0.0 ? (float) MAX (-G_LN2 / mut, (double) VG_FLUENCE_CLEAR_STEP)
                      : VG_FLUENCE_CLEAR_STEP,
  };
  set_albedo (layer, mut > 0.0 ? mua / mut : 0.0);
  layer->slowness = (float) (layer->n / CM_PER_PS);
  set_rows (self, l, z0, *z);
}

VgFluenceMedium *
vg_fluence_medium_new (const VgFluenceParams *params)
{
  VgFluenceMedium *self = g_new0 (VgFluenceMedium, 1);
  int n = params->layers->rows;
  double z = 0.0;

  self->n_layers = n;
  self->nz = params->nz;
  self->nr = params->nr;
  self->na = params->na;
  self->most_events = VG_FLUENCE_MAX_EVENTS;
  self->gates = params->time_resolved ? params->gates : 0;
  self->dz = params->dz_cm;
  self->dr = params->dr_cm;
  self->gate_ps = params->gate_ps;
  self->inverse_dz = (float) (1.0 / self->dz);
  self->inverse_dr = (float) (1.0 / self->dr);
  self->inverse_gate = (float) (1.0 / self->gate_ps);
  self->rows = self->nz + n;
  self->columns = self->nr + 1;
  self->cells = (gsize) self->rows * (gsize) self->columns;
  self->layers = g_new0 (VgFluenceLayer, n + 2);
  self->mua = g_new0 (double, n);
  self->mut = g_new0 (double, n);
  self->row_layer = g_new (int, self->rows);
  self->row_bin = g_new (int, self->rows);
  for (int row = 0; row < self->rows; row++)
    self->row_layer[row] = self->row_bin[row] = -1;
  for (int l = 0; l < n; l++)
    set_layer (self, params->layers, l, &z);
  self->layers[0] = (VgFluenceLayer){ .n = (float) params->n_above, .step = VG_FLUENCE_CLEAR_STEP };
  self->layers[n + 1] = (VgFluenceLayer){ .n = (float) params->n_below,
                                          .step = VG_FLUENCE_CLEAR_STEP };
  set_launch (self, params);
  return self;
}

void
vg_fluence_medium_free (VgFluenceMedium *self)
{
  if (self == NULL)
    return;
  g_free (self->layers);
  g_free (self->mua);
  g_free (self->mut);
  g_free (self->row_layer);
  g_free (self->row_bin);
  g_free (self);
}

gboolean
vg_fluence_same_walk (const VgFluenceParams *a, const VgFluenceParams *b)
{
  gboolean pencil_a = a->beam <= VG_FLUENCE_GAUSSIAN, pencil_b = b->beam <= VG_FLUENCE_GAUSSIAN;

  return vg_table_equal (a->layers, b->layers) && a->n_above == b->n_above &&
         a->n_below == b->n_below && a->dz_cm == b->dz_cm && a->dr_cm == b->dr_cm &&
         a->nz == b->nz && a->nr == b->nr && a->na == b->na && a->seed == b->seed &&
         a->reflectance_only == b->reflectance_only && a->time_resolved == b->time_resolved &&
         a->gates == b->gates && a->gate_ps == b->gate_ps && pencil_a == pencil_b &&
         (pencil_a || (a->beam == b->beam && a->beam_radius_cm == b->beam_radius_cm &&
                       a->source_depth_cm == b->source_depth_cm));
}

static void
hint_free (gpointer data)
{
  VgFluenceHint *self = data;

  g_free (self->text);
  g_free (self);
}

G_GNUC_PRINTF (3, 4) static void add_hint (GPtrArray *hints, int place, const char *format, ...)
{
  const guint most = 10;
  VgFluenceHint *hint;
  va_list arguments;

  if (hints->len >= most)
    return;
  hint = g_new (VgFluenceHint, 1);
  va_start (arguments, format);
  *hint = (VgFluenceHint){ place, g_strdup_vprintf (format, arguments) };
  va_end (arguments);
  g_ptr_array_add (hints, hint);
}

static void
hint_at_medium (GPtrArray *hints, const VgTable *layers, int place, double n)
{
  const char *where = place == 0 ? "above" : "below";
  int next = place == 0 ? 0 : layers->rows - 1;

  if (n > (place == 0 ? 1.6 : 1.9))
    add_hint (hints, place,
              "The medium %s has a refractive index of %g. Air has 1, water 1.33, glass 1.5.",
              where, n);
  else if (n > 1.2 && cell (layers, next, VG_FLUENCE_N) < 1.2)
    add_hint (hints, place,
              "The medium %s has a refractive index of %g, and the layer next to it %g. Check that "
              "they are not swapped.",
              where, n, cell (layers, next, VG_FLUENCE_N));
}

/* Whether layer L scatters and absorbs like tissue. */
static gboolean
is_tissue (const VgTable *t, int l)
{
  return cell (t, l, VG_FLUENCE_MUS) >= 1.0 && cell (t, l, VG_FLUENCE_MUA) > 0.0 &&
         cell (t, l, VG_FLUENCE_G) < 1.0;
}

/* Median of mus (1 - g), or of mua, over the other layers of tissue; NaN if there are none. */
static double
median_of_others (const VgTable *t, int l, gboolean absorption)
{
  g_autofree double *values = g_new (double, t->rows);
  int n = 0;

  for (int k = 0; k < t->rows; k++)
    if (k != l && is_tissue (t, k))
      values[n++] = absorption ? cell (t, k, VG_FLUENCE_MUA)
                               : cell (t, k, VG_FLUENCE_MUS) * (1.0 - cell (t, k, VG_FLUENCE_G));
  if (n == 0)
    return NAN;
  vg_sort_doubles (values, (gsize) n);
  return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

/* Adds a hint if layer L scatters and absorbs far less than others: its values may be per mm. */
static void
hint_at_odd_layer (GPtrArray *hints, const VgTable *t, int l)
{
  /* per cm: below it hint_at_layer() adds a hint */
  const double less = 1.0 / 4.0, least = 1.8;
  double reduced = cell (t, l, VG_FLUENCE_MUS) * (1.0 - cell (t, l, VG_FLUENCE_G)),
         others = median_of_others (t, l, FALSE);

  if (is_tissue (t, l) && reduced >= least && reduced < less * others &&
      cell (t, l, VG_FLUENCE_MUA) < less * median_of_others (t, l, TRUE))
    add_hint (hints, l + 1,
              "Layer %d scatters far less than the others: its \302\265s (1 \342\210\222 g) is "
              "%.3g 1/cm, theirs %.3g 1/cm. If its values are in 1/mm, multiply them by 10.",
              l + 1, reduced, others);
}

/* Hints at layer L: mus (1 - g) of tissue is 5 to 50 per cm and seldom below 2. */
static void
hint_at_layer (GPtrArray *hints, const VgTable *t, int l)
{
  double n = cell (t, l, VG_FLUENCE_N), mua = cell (t, l, VG_FLUENCE_MUA),
         mus = cell (t, l, VG_FLUENCE_MUS);
  double g = cell (t, l, VG_FLUENCE_G), d = cell (t, l, VG_FLUENCE_D);

  if (n < 0.9 && mua > 0.0)
    add_hint (hints, l + 1,
              "Layer %d has a refractive index of %g, below that of air. Check that columns or "
              "media are not swapped. The order is n, \302\265a, \302\265s, g, thickness.",
              l + 1, n);
  else if (n > 3.0)
    add_hint (hints, l + 1,
              "Layer %d has a refractive index of %g. Check the order of the columns: n, "
              "\302\265a, \302\265s, g, thickness.",
              l + 1, n);
  else if (mua > mus && mus > 0.0 && mua > 50.0)
    add_hint (hints, l + 1,
              "Layer %d absorbs more (%g) than it scatters (%g). Check the order of the columns: "
              "n, \302\265a, \302\265s, g, thickness.",
              l + 1, mua, mus);
  else if (mus > 0.0 && d < VG_FLUENCE_DEEP_CM &&
           ((mus < 3.0 && d >= 0.5) ||
            (mus >= 1.0 && mua > 0.0 && g < 1.0 && mus * (1.0 - g) < 1.8)))
    add_hint (hints, l + 1,
              "Layer %d scatters little: \302\265s (1 \342\210\222 g) is %.3g 1/cm. If its values "
              "are in 1/mm, multiply them by 10.",
              l + 1, mus * (1.0 - g));
  if (mua == 0.0 && mus * (1.0 - g) * d > 1e3)
    add_hint (hints, l + 1,
              "Layer %d scatters without absorbing and is thick. Photon packets are stopped after "
              "%.0g events.",
              l + 1, (double) VG_FLUENCE_MAX_EVENTS);
  if (d == 0.0)
    add_hint (hints, l + 1, "Layer %d has a thickness of 0.", l + 1);
  if (d >= VG_FLUENCE_DEEP_CM && l + 1 < t->rows && mua + mus > 0.0)
    add_hint (hints, l + 1, "Layer %d is a half-space, so no light reaches the layers below it.",
              l + 1);
}

/* Hints at all layers.  On average mus (1 - g) of tissue is 5 to 50 per cm, and a hundred of its
 * inverse lengths absorb all light. */
static void
hint_at_stack (GPtrArray *hints, const VgTable *t)
{
  const double half_space = 50.0; /* cm: one layer this thick means semi-infinite tissue */
  double depth = total_depth (t), thickness = 0.0, paths = 0.0;

  for (int l = 0; l < t->rows; l++)
    {
      double reduced = cell (t, l, VG_FLUENCE_MUS) * (1.0 - cell (t, l, VG_FLUENCE_G)),
             d = cell (t, l, VG_FLUENCE_D);

      if (cell (t, l, VG_FLUENCE_MUS) < 1.0 || cell (t, l, VG_FLUENCE_MUA) == 0.0 ||
          reduced == 0.0 || d >= VG_FLUENCE_DEEP_CM)
        continue;
      thickness += d;
      paths += d * reduced;
    }
  if (t->rows < 2 && depth >= half_space)
    return;
  if (depth >= 5.0 && depth < VG_FLUENCE_DEEP_CM && paths > 0.0)
    add_hint (hints, 1, "The tissue is %.3g cm thick. If its thickness is in mm, divide it by 10.",
              depth);
  else if (paths > 100.0)
    add_hint (hints, 1,
              "The tissue is %.3g transport lengths thick, more than light can cross. If its "
              "thickness is in mm, divide it by 10.",
              paths);
  if (t->rows > 1 && hints->len == 0 && paths < 4.5 * thickness)
    add_hint (hints, 1,
              "The tissue scatters little: \302\265s (1 \342\210\222 g) is %.3g 1/cm on average. "
              "If values are in 1/mm, multiply them by 10.",
              paths / thickness);
}

/* Hints at a grid that ends above most of the tissue, or inside the beam. */
static void
hint_at_map (GPtrArray *hints, const VgFluenceParams *params)
{
  const VgTable *t = params->layers;
  double depth = total_depth (t), map = params->nz * params->dz_cm,
         radius = params->nr * params->dr_cm, last = 0.0;

  if (params->reflectance_only)
    return;
  if (depth < VG_FLUENCE_DEEP_CM && map < 0.5 * depth)
    add_hint (hints, -1,
              "The map ends at a depth of %.3g cm, but the tissue at %.3g cm. Set Bin sizes to "
              "Fits the tissue to see all of it.",
              map, depth);
  for (int l = 0; depth >= VG_FLUENCE_DEEP_CM && l < t->rows; last += cell (t, l++, VG_FLUENCE_D))
    {
      double mua = cell (t, l, VG_FLUENCE_MUA),
             mut = mua + cell (t, l, VG_FLUENCE_MUS) * (1.0 - cell (t, l, VG_FLUENCE_G));

      if (cell (t, l, VG_FLUENCE_D) < VG_FLUENCE_DEEP_CM || mua == 0.0)
        continue;
      /* diffuse light decreases to 1/e over 1 / sqrt (3 mua mut) */
      if (map < last + 1.0 / sqrt (3.0 * mua * mut))
        add_hint (hints, -1,
                  "The map ends at a depth of %.3g cm, but light reaches %.3g cm and more. Set Bin "
                  "sizes to Fits the tissue to see it.",
                  map, last + 1.0 / sqrt (3.0 * mua * mut));
      break;
    }
  if ((params->beam == VG_FLUENCE_FLAT || params->beam == VG_FLUENCE_GAUSSIAN ||
       params->beam == VG_FLUENCE_RING) &&
      params->beam_radius_cm >= radius)
    add_hint (hints, -1,
              "The beam has a radius of %.3g cm, but the map ends at %.3g cm%s. Set more Radius "
              "bins, or a larger Bin radius.",
              params->beam_radius_cm, radius,
              params->beam == VG_FLUENCE_RING ? ""
                                              : ", so it misses the light that enters outside");
}

GPtrArray *
vg_fluence_hints (const VgFluenceParams *params)
{
  const VgTable *t = params->layers;
  GPtrArray *hints = g_ptr_array_new_with_free_func (hint_free);

  if (t == NULL || t->rows == 0)
    return hints;
  hint_at_medium (hints, t, 0, params->n_above);
  for (int l = 0; l < t->rows; l++)
    {
      hint_at_layer (hints, t, l);
      hint_at_odd_layer (hints, t, l);
    }
  hint_at_medium (hints, t, t->rows + 1, params->n_below);
  hint_at_stack (hints, t);
  hint_at_map (hints, params);
  return hints;
}

char *
vg_fluence_hints_text (const VgFluenceParams *params)
{
  g_autoptr (GPtrArray) hints = vg_fluence_hints (params);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < hints->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "",
                            ((const VgFluenceHint *) hints->pdata[i])->text);
  if (hints->len > 0)
    return g_string_free (text, FALSE);
  g_string_free (text, TRUE);
  return NULL;
}
