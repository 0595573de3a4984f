/* SPDX-License-Identifier: MIT */
/* The figures of the shown map. */
#include "vg-config.h"
#include "app/export/vg-export-private.h"
#include "app/figure/vg-map-figure.h"

/* What computed the map, for those who find the figure alone. */
static char *
describe (const VgExportInfo *info, const VgExportComparison *shown)
{
  g_autoptr (GString) text = g_string_new ("Vivograph " VG_VERSION);

  if (info->command != NULL)
    g_string_append_printf (text, "\n%s", info->command);
  if (shown != NULL)
    {
      g_string_append (text, "\nThe command computes the current result. It was compared with:");
      for (guint i = 0; i < shown->kept->len; i++)
        g_string_append_printf (text, "\n%s", (const char *) shown->names->pdata[i]);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
write_png (const char *path, const VgFigure *figure, const VgExportInfo *info, GError **error)
{
  double dpi = info->options->figure_dpi > 0 ? info->options->figure_dpi : VG_FIGURE_USUAL_DPI;
  int columns, rows;
  g_autofree guint8 *rgba = vg_figure_to_rgba (figure, dpi, &columns, &rows, error);

  return rgba != NULL &&
         vg_write_png_described (path, rgba, columns, rows, figure->description, dpi, error);
}

static gboolean
write_svg (const char *path, const VgFigure *figure, const VgExportInfo *info, GError **error)
{
  g_autofree char *svg = vg_figure_to_svg (figure, TRUE);

  return vg_write_bytes (path, svg, strlen (svg), error);
}

static gboolean
write_pdf (const char *path, const VgFigure *figure, const VgExportInfo *info, GError **error)
{
  g_autoptr (GBytes) pdf = vg_figure_to_pdf (figure, error);
  gsize length = 0;
  gconstpointer bytes = pdf != NULL ? g_bytes_get_data (pdf, &length) : NULL;

  return pdf != NULL && vg_write_bytes (path, bytes, length, error);
}

gboolean
vg_export_write_figures (VgStaging *staging, const char *prefix, const VgMapView *view,
                         const VgMapView *beside, const VgExportComparison *shown,
                         const VgExportInfo *info, GError **error)
{
  static const struct
  {
    VgFigureFormat format;
    const char *name;
    gboolean (*write) (const char *path, const VgFigure *figure, const VgExportInfo *info,
                       GError **error);
  } files[] = { { VG_FIGURE_PNG, "figure.png", write_png },
                { VG_FIGURE_SVG, "figure.svg", write_svg },
                { VG_FIGURE_PDF, "figure.pdf", write_pdf } };
  const VgExportOptions *options = info->options;
  const VgExportComparison *comparison = beside != NULL ? shown : NULL;
  g_autofree char *description = NULL;
  g_autoptr (VgFigure) figure = NULL;

  if (options == NULL || options->figures == 0)
    return TRUE;
  description = describe (info, shown);
  figure = vg_map_figure_new (
      view,
      &(VgMapFigureSpec){
          .width_mm = options->figure_mm > 0 ? options->figure_mm : VG_FIGURE_USUAL_MM,
          .description = description,
          .regions = info->regions,
          .beside = beside,
          .n_beside = comparison != NULL ? comparison->kept->len : 0,
          .names = comparison != NULL ? (const char *const *) comparison->names->pdata : NULL,
          .wipe = comparison != NULL && comparison->layout == VG_LAYOUT_WIPE ? comparison->wipe
                                                                             : 0 },
      error);
  for (guint i = 0; figure != NULL && i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *name = g_strconcat (prefix, files[i].name, NULL), *path = NULL;

      if ((info->options->figures & files[i].format) == 0)
        continue;
      path = vg_staging_path (staging, name, error);
      if (path == NULL || !files[i].write (path, figure, info, error))
        return FALSE;
    }
  return figure != NULL;
}
