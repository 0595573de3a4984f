/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/engine/lifetime-guides.h"
#include "kernels/lifetime/engine/lifetime-checks.h"
#include <math.h>
/* The phasor of a single lifetime is 1 / (1 - i w tau), on the semicircle about (1/2, 0).  The
 * phasor of a mixture is the mean weighted by photons, so mixtures of two lifetimes lie on a
 * straight line.  If a fraction f of a donor transfers energy with efficiency E, it emits f (1 -
 * E) photons with lifetime tau (1 - E), besides 1 - f with lifetime tau. */

typedef struct
{
  double g, s;
} Phasor;

static Phasor
phasor_of (double w, double tau)
{
  double t = w * tau;

  return (Phasor){ 1.0 / (1.0 + t * t), t / (1.0 + t * t) };
}

/* LABEL is drawn below the base; NULL: none. */
static void
add_semicircle (VgOverlay *overlay, const char *label)
{
  enum { PARTS = 96 };

  vg_overlay_line (overlay, 0.0, 0.0, 1.0, 0.0, label);
  for (int i = 0; i < PARTS; i++)
    {
      double a = G_PI * i / PARTS, b = G_PI * (i + 1) / PARTS;

      vg_overlay_line (overlay, 0.5 + 0.5 * cos (a), 0.5 * sin (a), 0.5 + 0.5 * cos (b),
                       0.5 * sin (b), NULL);
    }
}

/* Adds ticks at round lifetimes, as far apart as their labels need. */
static void
add_ticks (VgOverlay *overlay, double w)
{
  static const double steps[] = { 1.0, 2.0, 3.0, 4.0, 6.0, 8.0 };
  double first = pow (10.0, floor (log10 (0.05 / w)));
  Phasor last = { 1.0, 0.0 };

  for (int decade = 0; decade < 4; decade++)
    for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
      {
        double tau = first * pow (10.0, decade) * steps[i];
        Phasor at = phasor_of (w, tau);
        g_autofree char *label = NULL;

        if (hypot (at.g - last.g, at.s - last.s) < 0.075 || hypot (at.g, at.s) < 0.075)
          continue;
        label = g_strdup_printf ("%.4g ns", tau);
        vg_overlay_point (overlay, at.g, at.s, label);
        last = at;
      }
}

static void
add_mixture (VgOverlay *overlay, double w, const VgLifetimeParams *params)
{
  Phasor a = phasor_of (w, params->guide_1_ns), b = phasor_of (w, params->guide_2_ns);

  vg_overlay_line (overlay, a.g, a.s, b.g, b.s, NULL);
  for (int percent = 0; percent <= 100; percent += 25)
    {
      double f = percent / 100.0;
      g_autofree char *label = percent == 0
                                   ? g_strdup_printf ("%.4g ns", (double) params->guide_2_ns)
                               : percent == 100
                                   ? g_strdup_printf ("%.4g ns", (double) params->guide_1_ns)
                                   : g_strdup_printf ("%d %%", percent);

      vg_overlay_point (overlay, f * a.g + (1.0 - f) * b.g, f * a.s + (1.0 - f) * b.s, label);
    }
}

static Phasor
donor_at (double w, const VgLifetimeParams *params, double efficiency)
{
  double share = params->fret_share / 100.0, background = params->fret_background / 100.0;
  double quenched = share * (1.0 - efficiency), free = 1.0 - share,
         all = quenched + free + background;
  Phasor a = phasor_of (w, params->donor_ns * (1.0 - efficiency)),
         b = phasor_of (w, params->donor_ns);

  if (!(all > 0.0)) /* No light: the end of the trajectory. */
    return a;
  return (Phasor){ (quenched * a.g + free * b.g) / all, (quenched * a.s + free * b.s) / all };
}

static void
add_fret (VgOverlay *overlay, double w, const VgLifetimeParams *params)
{
  enum { PARTS = 50 };
  double efficiency = params->fret_efficiency / 100.0;
  Phasor at = donor_at (w, params, 0.0), next;
  g_autofree char *label = g_strdup_printf ("E = %.3g %%", (double) params->fret_efficiency);

  vg_overlay_point (overlay, at.g, at.s, "Donor");
  for (int i = 1; i <= PARTS; i++, at = next)
    {
      next = donor_at (w, params, (double) i / PARTS);
      vg_overlay_line (overlay, at.g, at.s, next.g, next.s, NULL);
    }
  at = donor_at (w, params, efficiency);
  vg_overlay_point (overlay, at.g, at.s, label);
}

VgOverlay *
vg_lifetime_guides (const void *data, const VgImageInfo *info, guint output)
{
  const VgLifetimeParams *params = data;
  VgOverlay *overlay;
  double period = params->period_ns, w;
  gboolean calibrated;

  if (output != VG_LIFETIME_OUTPUT_DENSITY || info == NULL)
    return NULL;
  if (!(period > 0.0))
    period = vg_lifetime_bin_width (params) * (double) info->bins;
  w = 2.0 * G_PI * params->harmonic / period;
  calibrated = vg_lifetime_copy_params (params).irf_kind != VG_LIFETIME_IRF_NONE;
  overlay = vg_overlay_new ();
  add_semicircle (overlay, calibrated ? NULL : "Not calibrated: choose an IRF");
  add_ticks (overlay, w);
  overlay->accent = TRUE;
  if (params->guide == VG_LIFETIME_GUIDE_MIXTURE)
    add_mixture (overlay, w, params);
  else if (params->guide == VG_LIFETIME_GUIDE_FRET)
    add_fret (overlay, w, params);
  return overlay;
}
