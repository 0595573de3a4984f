/* SPDX-License-Identifier: MIT */
#include "kernels/contour/measure/contour-positive.h"
#include "kernels/contour/model/contour-stain.h"
#include <math.h>

/* Below this density of DAB, relative to haematoxylin, nuclei have no DAB: in nuclei of four crops
 * and a slide with H&E that the thresholds call positive it is 0.30 to 0.37, in 1+ nuclei of a
 * section with DAB about 1.  Fewer nuclei do not tell. */
#define LEAST_SHARE 0.5
enum { FEW_POSITIVE = 10 };

gboolean
vg_contour_positive_is_on (const VgContourParams *params, const VgImageInfo *info)
{
  return params->positivity && info->channels >= 3;
}

VgContourPositive
vg_contour_positive_measure (const VgContourMask *mask, const VgImage *image,
                             const VgContourScale *scale, const VgContourParams *params)
{
  const double thresholds[] = { params->weak_od, params->moderate_od, params->strong_od };
  double rows[2][3], sums[2] = { 0.0, 0.0 };
  VgContourPositive self = { 0.0, 0.0, 0 };

  vg_contour_stain_pair (VG_CONTOUR_DAB, rows);
  for (int y = 0; y < mask->box.height; y++)
    for (int x = 0; x < mask->box.width; x++)
      {
        double density[3];

        if (!mask->bits[y * mask->box.width + x])
          continue;
        vg_contour_pixel_density (image, scale,
                                  (gsize) (mask->box.y + y) * (gsize) image->info.width +
                                      (gsize) (mask->box.x + x),
                                  density);
        for (int k = 0; k < 2; k++)
          for (int c = 0; c < 3; c++)
            sums[k] += rows[k][c] * density[c];
      }
  self.haematoxylin = sums[0] / (G_LN10 * (double) mask->area);
  self.dab = sums[1] / (G_LN10 * (double) mask->area);
  for (guint k = 0; k < G_N_ELEMENTS (thresholds); k++)
    self.grade += self.dab >= thresholds[k];
  return self;
}

void
vg_contour_counts_count (VgContourCounts *self, const VgContourPositive *positive)
{
  self->classes[positive->grade]++;
  if (positive->grade == 0)
    return;
  self->haematoxylin += positive->haematoxylin;
  self->dab += positive->dab;
}

/* A warning if positive nuclei have no DAB, owned; NULL: they have, or there are too few. */
static char *
advise (const VgContourCounts *self)
{
  const guint positive = self->classes[1] + self->classes[2] + self->classes[3];

  if (positive < FEW_POSITIVE || !(self->dab < LEAST_SHARE * self->haematoxylin))
    return NULL;
  return g_strdup_printf (
      "No brown stain was found, so the percentage and the H-score are not valid: in the nuclei "
      "counted as positive, DAB has only %.0f %% of the optical density of haematoxylin, as on "
      "slides without DAB. Switch DAB positivity off, or check the colours of the image.",
      100.0 * self->dab / self->haematoxylin);
}

void
vg_contour_counts_add (const VgContourCounts *self, VgMetrics *metrics)
{
  const guint *n = self->classes;
  double all = n[0] + n[1] + n[2] + n[3], positive = all > 0.0 ? 1.0 - n[0] / all : NAN;
  g_autofree char *advice = advise (self);

  vg_metrics_add (metrics, "positive_percent", "Positive nuclei (DAB)", "%", 100.0 * positive,
                  advice);
  vg_metrics_mark (metrics, advice != NULL ? VG_NUMBER_GRAVE : 0);
  vg_metrics_add (metrics, "positive_percent_error", "Standard error of positive nuclei", "%",
                  100.0 * sqrt (positive * (1.0 - positive) / all), NULL);
  vg_metrics_add (metrics, "h_score", "H-score", "",
                  all > 0.0 ? 100.0 * (n[1] + 2.0 * n[2] + 3.0 * n[3]) / all : NAN, NULL);
  vg_metrics_add (metrics, "nuclei_negative", "Negative nuclei", "", n[0], NULL);
  vg_metrics_add (metrics, "nuclei_1", "Nuclei 1+", "", n[1], NULL);
  vg_metrics_add (metrics, "nuclei_2", "Nuclei 2+", "", n[2], NULL);
  vg_metrics_add (metrics, "nuclei_3", "Nuclei 3+", "", n[3], NULL);
}

void
vg_contour_add_colourless (VgMetrics *metrics, gboolean colourless)
{
  vg_metrics_add_quiet (metrics, "colourless", "No colours for DAB", "", colourless,
                        colourless ? "Nuclei were not classified, because the image is grey. DAB "
                                     "positivity needs a colour image."
                                   : NULL);
}
