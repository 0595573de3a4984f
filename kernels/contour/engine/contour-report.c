/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-report.h"
#include "kernels/contour/shapes/contour-outline.h"
#include "kernels/contour/engine/contour-run.h"
#include "kernels/base/vg-text.h"
#include "kernels/shared/vg-outlines-draw.h"
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>
/* Text outputs: the outlines as GeoJSON that QuPath opens, and a row per nucleus. */

const VgObjectColumn vg_contour_columns[] = {
  { "id", N_ ("Nucleus"), NULL, TRUE },
  { "seed_x", N_ ("Seed x"), "px", FALSE },
  { "seed_y", N_ ("Seed y"), "px", FALSE },
  { "x", "x", "px", FALSE },
  { "y", "y", "px", FALSE },
  { "area_px2", N_ ("Area"), "px\302\262", TRUE },
  { "area_um2", N_ ("Area"), "\302\265m\302\262", FALSE, "area_px2" },
  { "perimeter_px", N_ ("Perimeter"), "px", FALSE },
  { "perimeter_um", N_ ("Perimeter"), "\302\265m", FALSE, "perimeter_px" },
  { "major_px", N_ ("Long axis"), "px", TRUE },
  { "major_um", N_ ("Long axis"), "\302\265m", FALSE, "major_px" },
  { "minor_px", N_ ("Short axis"), "px", TRUE },
  { "minor_um", N_ ("Short axis"), "\302\265m", FALSE, "minor_px" },
  { "eccentricity", N_ ("Eccentricity"), NULL, TRUE },
  { "angle_degrees", N_ ("Angle"), "\302\260", FALSE },
  { "mean_stain", N_ ("Mean stain"), NULL, TRUE },
  { "mean_od", N_ ("Mean optical density"), "OD", FALSE, "mean_stain" },
  { "overlap_px2", N_ ("Overlap"), "px\302\262", FALSE },
  { "overlap_um2", N_ ("Overlap"), "\302\265m\302\262", FALSE, "overlap_px2" },
  { "doubt", N_ ("Doubt"), NULL, FALSE },
  { "partners", N_ ("Overlaps"), NULL, TRUE },
  { "class", N_ ("Class"), NULL, TRUE, .optional = TRUE },
  { "haematoxylin_od", N_ ("Haematoxylin"), "OD", FALSE, .optional = TRUE },
  { "dab_od", N_ ("DAB"), "OD", TRUE, .optional = TRUE },
  { "verdict", N_ ("Verdict"), NULL, TRUE, .optional = TRUE },
  { "true_nucleus", N_ ("True nucleus"), NULL, FALSE, .optional = TRUE },
  { "region", N_ ("Region"), NULL, TRUE, .optional = TRUE },
  { NULL },
};

/* The verdict on a nucleus in the table. */
static const char *const words[VG_OUTLINE_LOOKS] = {
  [VG_OUTLINE_NUMBERED] = "",
  [VG_OUTLINE_CORRECT] = N_ ("correct"),
  [VG_OUTLINE_FALSE] = N_ ("false"),
  [VG_OUTLINE_MISSED] = "",
  [VG_OUTLINE_MERGED] = N_ ("merged"),
  [VG_OUTLINE_SPLIT] = N_ ("split"),
  [VG_OUTLINE_TRUE] = "",
};

/* The columns of the class. */
static const char *const of_class[] = { "class", "haematoxylin_od", "dab_od", NULL };

enum { FEW_SEEDS = 4 };
/* Largest distance in pixels of an outline in GeoJSON from its contour. */
#define TOLERANCE_PX 0.25
/* Fraction of contours far from convergence from which there is advice: in most images a few move
 * on for long. */
#define MATTERS 0.05
#define FAR_DEGREES 10.0
/* Pixels below which stains are seldom estimated well: of six crops of 256 x 320 none was better
 * with its own stains, of four of 512 x 512 three were. */
#define SMALL_PICTURE 200000

VgContourPosition
vg_contour_position_of (const VgImageInfo *info, const VgContourScale *scale)
{
  VgContourPosition place = { info->origin[0],
                              info->origin[1],
                              info->downsample > 0.0 ? info->downsample : 1.0,
                              { 0.0, 0.0 },
                              scale != NULL && scale->stained };

  if (vg_image_info_pixel_um (info, place.um))
    for (int k = 0; k < 2; k++)
      place.um[k] /= place.scale;
  return place;
}

/* Full axes of the ellipse with these central moments. */
static void
measure_axes (double sxx, double syy, double sxy, double *major, double *minor)
{
  double difference = 0.5 * (sxx - syy), mean = 0.5 * (sxx + syy),
         root = sqrt (difference * difference + sxy * sxy);

  *major = 4.0 * sqrt (mean + root);
  *minor = 4.0 * sqrt (MAX (mean - root, 0.0));
}

/* Pixel moments of a solid ellipse are a quarter of its squared half-axes. */
static void
measure_moments (const VgContourMask *mask, const VgContourPosition *place, VgContourRow *row)
{
  const double ux = place->scale * place->um[0], uy = place->scale * place->um[1];
  double sx = 0.0, sy = 0.0, sxx = 0.0, syy = 0.0, sxy = 0.0, n = (double) mask->area;

  for (int y = 0; y < mask->box.height; y++)
    for (int x = 0; x < mask->box.width; x++)
      if (mask->bits[y * mask->box.width + x])
        {
          sx += x;
          sy += y;
          sxx += (double) x * x;
          syy += (double) y * y;
          sxy += (double) x * y;
        }
  sx /= n;
  sy /= n;
  sxx = sxx / n - sx * sx + 1.0 / 12.0; /* a pixel is a square, not a point */
  syy = syy / n - sy * sy + 1.0 / 12.0;
  sxy = sxy / n - sx * sy;
  row->x = mask->box.x + sx + 0.5;
  row->y = mask->box.y + sy + 0.5;
  measure_axes (sxx, syy, sxy, &row->major, &row->minor);
  measure_axes (sxx * ux * ux, syy * uy * uy, sxy * ux * uy, &row->major_um, &row->minor_um);
  row->eccentricity = sqrt (MAX (1.0 - row->minor * row->minor / (row->major * row->major), 0.0));
  row->angle_degrees = 0.5 * atan2 (2.0 * sxy, sxx - syy) * 180.0 / G_PI;
}

void
vg_contour_row_measure (VgContourRow *self, const VgContourObject *object,
                        const VgContourMask *mask, const VgContourShape *outline,
                        const float *stain, const float *density, int width,
                        const VgContourPosition *place)
{
  double *const points[] = { &self->seed_x, &self->seed_y, &self->x, &self->y },
                *const lengths[] = { &self->perimeter, &self->major, &self->minor };

  *self = (VgContourRow){ .seed_x = object->seed_x,
                          .seed_y = object->seed_y,
                          .area = vg_contour_shape_area (outline) * place->scale * place->scale,
                          .perimeter = vg_contour_perimeter (outline, 1.0, 1.0),
                          .perimeter_um = vg_contour_perimeter (
                              outline, place->scale * place->um[0], place->scale * place->um[1]) };
  self->area_um2 = self->area * place->um[0] * place->um[1];
  measure_moments (mask, place, self);
  for (int y = 0; y < mask->box.height; y++)
    for (int x = 0; x < mask->box.width; x++)
      if (mask->bits[y * mask->box.width + x])
        {
          gsize at = (gsize) (mask->box.y + y) * (gsize) width + (gsize) (mask->box.x + x);

          self->stain += stain[at];
          self->density += density != NULL ? density[at] : 0.0f;
        }
  self->stain /= (double) mask->area;
  self->density /= (double) mask->area;
  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    *points[i] = (i % 2 ? place->y : place->x) + place->scale * *points[i];
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    *lengths[i] *= place->scale;
}

static void
append (GString *text, const char *before, double value)
{
  g_string_append (text, before);
  vg_text_append_decimal (text, value);
}

static gboolean
knows_um (const VgContourPosition *place)
{
  return place->um[0] > 0.0;
}

/* A column in micrometres needs a pixel size, one of the optical density a stain, and the optional
 * ones classes or a truth. */
static gboolean
has_column (const VgObjectColumn *column, const VgContourPosition *place)
{
  if (g_str_equal (column->id, "region"))
    return FALSE; /* the program knows the regions */
  if (column->optional)
    return g_strv_contains (of_class, column->id) ? place->classed : place->judged;
  return column->of == NULL ||
         (g_str_equal (column->of, "mean_stain") ? place->stained : knows_um (place));
}

void
vg_contour_table_head (GString *text, const VgContourPosition *place)
{
  for (guint k = 0; vg_contour_columns[k].id != NULL; k++)
    if (has_column (&vg_contour_columns[k], place))
      g_string_append_printf (text, "%s%s", k > 0 ? "," : "", vg_contour_columns[k].id);
  g_string_append_c (text, '\n');
}

void
vg_contour_table_row (GString *text, guint id, const VgContourRow *row, double overlap,
                      const char *partners, const VgContourPosition *place)
{
  /* in the columns' order, between the number and the partners */
  const double values[] = { row->seed_x,
                            row->seed_y,
                            row->x,
                            row->y,
                            row->area,
                            row->area_um2,
                            row->perimeter,
                            row->perimeter_um,
                            row->major,
                            row->major_um,
                            row->minor,
                            row->minor_um,
                            row->eccentricity,
                            row->angle_degrees,
                            row->stain,
                            row->density,
                            overlap,
                            overlap * place->um[0] * place->um[1],
                            row->doubt };

  g_string_append_printf (text, "%u", id);
  for (guint k = 0; k < G_N_ELEMENTS (values); k++)
    if (has_column (&vg_contour_columns[k + 1], place))
      append (text, ",", values[k]);
  g_string_append_printf (text, ",%s", partners);
  if (place->classed)
    {
      g_string_append_printf (text, ",%s",
                              vg_outlines_ink (vg_contour_class_look (row->positive.grade))->name);
      append (text, ",", row->positive.haematoxylin);
      append (text, ",", row->positive.dab);
    }
  if (place->judged)
    g_string_append_printf (text, ",%s,%u", words[row->verdict.look], row->verdict.number);
  g_string_append_c (text, '\n');
}

static void
write_rings (GString *text, const VgContourShape *outline, const VgContourPosition *place)
{
  const VgContourPoint *p = &g_array_index (outline->points, VgContourPoint, 0);
  guint start = 0;

  for (guint r = 0; r < outline->ring_ends->len; r++)
    {
      guint end = g_array_index (outline->ring_ends, guint, r);
      g_autofree gboolean *kept = g_new (gboolean, end - start + 1);

      vg_contour_simplify (p + start, end - start, TOLERANCE_PX, kept);
      kept[end - start] = TRUE; /* closed: the first point again */
      g_string_append (text, r > 0 ? ", [" : "[");
      for (guint i = start; i <= end; i++)
        {
          const VgContourPoint *q = &p[i < end ? i : start];

          if (!kept[i - start])
            continue;
          append (text, i > start ? ", [" : "[", place->x + place->scale * q->x);
          append (text, ", ", place->y + place->scale * q->y);
          g_string_append (text, "]");
        }
      g_string_append (text, "]");
      start = end;
    }
}

void
vg_contour_json_head (GString *text)
{
  g_string_append (text, "{\"type\": \"FeatureCollection\", \"features\": [\n");
}

/* A name in the form of a UUID (RFC 4122, version 5) that follows from the nucleus: the same in
 * each export. */
static char *
name_of (guint id, const VgContourRow *row)
{
  g_autofree char *text = g_strdup_printf ("%u %.4f %.4f %.4f %.4f %.4f", id, row->seed_x,
                                           row->seed_y, row->x, row->y, row->area);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA1, text, -1);

  sum[12] = '5';
  sum[16] = "89ab"[g_ascii_xdigit_value (sum[16]) & 3];
  return g_strdup_printf ("%.8s-%.4s-%.4s-%.4s-%.12s", sum, sum + 8, sum + 12, sum + 16, sum + 20);
}

void
vg_contour_json_row (GString *text, guint id, const VgContourRow *row, double overlap,
                     const VgContourShape *outline, const VgContourPosition *place, gboolean first)
{
  g_autofree char *name = name_of (id, row);
  static const VgOutlineInk nucleus = { "Nucleus", { 54, 102, 201 }, 0xff };
  const VgOutlineInk *ink = place->classed
                                ? vg_outlines_ink (vg_contour_class_look (row->positive.grade))
                                : &nucleus;

  g_string_append_printf (text,
                          "%s{\"type\": \"Feature\", \"id\": \"%s\", \"geometry\": {\"type\": "
                          "\"Polygon\", \"coordinates\": [",
                          first ? "" : ",\n", name);
  write_rings (text, outline, place);
  g_string_append_printf (
      text,
      "]}, \"properties\": {\"objectType\": \"detection\", \"name\": \"Nucleus %u\", "
      "\"classification\": {\"name\": \"%s\", \"color\": [%u, %u, %u]}, \"measurements\": {",
      id, ink->name, ink->rgb[0], ink->rgb[1], ink->rgb[2]);
  append (text, "\"Area px^2\": ", row->area);
  append (text, ", \"Perimeter px\": ", row->perimeter);
  append (text, ", \"Long axis px\": ", row->major);
  append (text, ", \"Short axis px\": ", row->minor);
  append (text, ", \"Eccentricity\": ", row->eccentricity);
  append (text, ", \"Mean stain\": ", row->stain);
  if (place->stained)
    append (text, ", \"Stain OD mean\": ", row->density);
  if (place->classed)
    {
      append (text, ", \"Hematoxylin OD mean\": ", row->positive.haematoxylin);
      append (text, ", \"DAB OD mean\": ", row->positive.dab);
    }
  append (text, ", \"Overlap px^2\": ", overlap);
  if (isfinite (row->doubt))
    append (text, ", \"Doubt\": ", row->doubt);
  if (knows_um (place))
    {
      append (text, ", \"Area \302\265m^2\": ", row->area_um2);
      append (text, ", \"Perimeter \302\265m\": ", row->perimeter_um);
      append (text, ", \"Long axis \302\265m\": ", row->major_um);
      append (text, ", \"Short axis \302\265m\": ", row->minor_um);
      append (text, ", \"Overlap \302\265m^2\": ", overlap * place->um[0] * place->um[1]);
    }
  g_string_append (text, "}}}");
}

void
vg_contour_json_end (GString *text)
{
  g_string_append (text, "\n]}\n");
}

void
vg_contour_add_moving (VgMetrics *metrics, guint moving, guint far_from_convergence, guint objects)
{
  g_autofree char *advice = far_from_convergence > MATTERS * objects
                                ? g_strdup_printf ("%u of %u contours had not converged when the "
                                                   "iterations ended. Raise Iterations.",
                                                   far_from_convergence, objects)
                                : NULL;

  vg_metrics_add (metrics, "moving", "Not converged", "", moving, advice);
}

/* Returns a warning, owned; NULL: nuclei may have this RADIUS_UM.  Nuclei of animal cells have 2 to
 * 15 um; the limits leave room for yeast and for giant cells. */
static char *
advise_on_radius (double radius_um)
{
  const double least = 0.5, most = 40.0;

  if (!(radius_um > most) && !(radius_um < least && radius_um > 0.0))
    return NULL;
  return g_strdup_printf ("The objects have a radius of %.3g \302\265m, but nuclei have 2 to 15 "
                          "\302\265m. Check the pixel size, and whether the image shows nuclei.",
                          radius_um);
}

void
vg_contour_add_sizes (VgMetrics *metrics, double mean_area, double radius,
                      const VgContourPosition *place)
{
  vg_metrics_add (metrics, "mean_area", "Mean area", "px\302\262", mean_area, NULL);
  if (knows_um (place))
    vg_metrics_add (metrics, "mean_area_um2", "Mean area", "\302\265m\302\262",
                    mean_area * place->um[0] * place->um[1], NULL);
  vg_metrics_add (metrics, "radius_px", "Nucleus radius", "px", radius, NULL);
  if (knows_um (place))
    {
      double radius_um = radius * place->scale * sqrt (place->um[0] * place->um[1]);
      g_autofree char *advice = advise_on_radius (radius_um);

      vg_metrics_add (metrics, "radius_um", "Nucleus radius", "\302\265m", radius_um, advice);
      vg_metrics_mark (metrics, advice != NULL ? VG_NUMBER_GRAVE : 0);
    }
}

void
vg_contour_add_losses (VgMetrics *metrics, const VgContourLosses *losses, guint seeds,
                       double radius, gboolean measured)
{
  g_autofree char *advice =
      seeds >= FEW_SEEDS && 2 * losses->vanished > seeds
          ? g_strdup_printf (
                "Most contours disappeared, so a radius of %.3g px may not fit these nuclei. %s",
                radius,
                measured ? "It was measured in the image. Set it by hand."
                         : "Set it to 0 to measure it.")
          : NULL;

  vg_metrics_add_quiet (metrics, "split", "Split", "", losses->split, NULL);
  vg_metrics_add_quiet (metrics, "vanished", "Dissolved", "", losses->vanished, advice);
  vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
  if (!measured)
    vg_metrics_propose (metrics, "radius_px", 0);
  vg_metrics_add_quiet (metrics, "faint", "Too faint", "", losses->faint, NULL);
  vg_metrics_add_quiet (metrics, "merged", "Merged with another", "", losses->merged, NULL);
  vg_metrics_add_quiet (metrics, "large", "Too large", "", losses->large, NULL);
  vg_metrics_add_quiet (metrics, "ragged", "Not solid enough", "", losses->ragged, NULL);
  vg_metrics_add_quiet (metrics, "spoilt", "In artefacts", "", losses->spoilt, NULL);
}

void
vg_contour_add_tissue_density (VgMetrics *metrics, double nuclei, double area_mm2)
{
  vg_metrics_add (metrics, "nuclei_per_tissue_mm2", "Nuclei per area of tissue", "1/mm\302\262",
                  area_mm2 > 0.0 ? nuclei / area_mm2 : NAN, NULL);
  vg_metrics_add (metrics, "nuclei_per_tissue_mm2_error",
                  "Standard error of nuclei per area of tissue", "1/mm\302\262",
                  area_mm2 > 0.0 ? sqrt (nuclei) / area_mm2 : NAN, NULL);
}

void
vg_contour_add_matters (VgMetrics *metrics, const gint64 pixels[VG_CONTOUR_MATTERS], guint nuclei,
                        const VgContourPosition *place)
{
  static const char *const names[][3] = {
    [VG_CONTOUR_TISSUE] = { "tissue_area", "tissue_area_mm2", "Tissue" },
    [VG_CONTOUR_INK] = { "ink_area", "ink_area_mm2", "Pen ink" },
    [VG_CONTOUR_DENSE] = { "dense_area", "dense_area_mm2", "Fold or keratin" },
  };
  const double spoilt = (double) (pixels[VG_CONTOUR_INK] + pixels[VG_CONTOUR_DENSE]),
               px2 = place->scale * place->scale, mm2 = px2 * place->um[0] * place->um[1] * 1e-6;
  gint64 judged = 0;

  for (int m = 0; m < VG_CONTOUR_MATTERS; m++)
    judged += pixels[m];
  if (judged == 0) /* the image has no colours to judge by */
    return;
  for (int m = VG_CONTOUR_TISSUE; m < VG_CONTOUR_MATTERS; m++)
    {
      vg_metrics_add_quiet (metrics, names[m][0], names[m][2], "px\302\262",
                            (double) pixels[m] * px2,
                            m == VG_CONTOUR_DENSE && spoilt > (double) pixels[VG_CONTOUR_TISSUE]
                                ? "Most of the tissue counts as artefacts. Check the map "
                                  "Artefacts; if it is wrong, switch Leave out artefacts off."
                                : NULL);
      if (knows_um (place))
        vg_metrics_add_quiet (metrics, names[m][1], names[m][2], "mm\302\262",
                              (double) pixels[m] * mm2, NULL);
    }
  if (knows_um (place))
    vg_contour_add_tissue_density (metrics, nuclei, (double) pixels[VG_CONTOUR_TISSUE] * mm2);
}

void
vg_contour_add_stain (VgMetrics *metrics, const VgContourScale *scale)
{
  const char *advice =
      !isfinite (scale->apart_degrees)
          ? "The stains of this image could not be separated, so standard stain colours were used."
      : scale->apart_degrees > FAR_DEGREES
          ? "The stain colour found differs much from the standard one. Check that the map Stain "
            "shows the nuclei, or set Stain to Haematoxylin."
      : scale->sought_pixels < SMALL_PICTURE
          ? "The image is small, so its stain colours are uncertain. Check that the map Stain "
            "shows the nuclei, or set Stain to Haematoxylin."
          : NULL;

  if (scale->missing > 0)
    vg_metrics_add (metrics, "pixels_missing", "Missing pixels", "", (double) scale->missing,
                    "Pixels that are not numbers count as background.");
  if (scale->known && !scale->stained)
    {
      vg_metrics_add (metrics, "nuclei_dark", "Nuclei darker than the background", "", scale->dark,
                      scale->doubtful
                          ? "It is unclear whether nuclei are darker or brighter than the "
                            "background. If contours lie between nuclei, set Polarity."
                          : NULL);
      vg_metrics_mark (metrics, scale->doubtful ? 0 : VG_NUMBER_QUIET);
    }
  if (scale->sought)
    vg_metrics_add (metrics, "stain_apart_degrees", "Angle to the standard stain", "\302\260",
                    scale->apart_degrees, advice);
}

void
vg_contour_add_force (VgMetrics *metrics, const char *without_net)
{
  g_autofree char *advice = without_net != NULL
                                ? g_strdup_printf ("The classical force was used, because the "
                                                   "network cannot be loaded: %s.",
                                                   without_net)
                                : NULL;

  vg_metrics_add_quiet (metrics, "without_network", "Network missing", "", advice != NULL, advice);
}
