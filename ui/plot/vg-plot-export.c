/* SPDX-License-Identifier: MIT */
/* Plots to CSV, PNG, SVG and PDF.  The picture is drawn into memory and
 * written through vg_write_bytes, so that no half file is ever seen. */
#include "ui/plot/vg-plot-export.h"
#include "ui/words/vg-translation.h"
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include "kernels/base/vg-error.h"
#include "io/write/vg-output-file.h"

static cairo_status_t
append (void *bytes, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (bytes, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *
surface_for (const char *path, GByteArray *bytes, int width, int height)
{
  if (g_str_has_suffix (path, ".svg"))
    return cairo_svg_surface_create_for_stream (append, bytes, width, height);
  if (g_str_has_suffix (path, ".pdf"))
    return cairo_pdf_surface_create_for_stream (append, bytes, width, height);
  if (g_str_has_suffix (path, ".png"))
    {
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 2 * width,
                                                             2 * height);
      cairo_surface_set_device_scale (surface, 2, 2);
      return surface;
    }
  return NULL;
}

gboolean
vg_plot_export_drawing (VgPlotDrawing draw, gpointer data, const char *path, int width, int height,
                        GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface = surface_for (path, bytes, width, height);
  cairo_status_t status;
  cairo_t *cr;

  if (surface == NULL)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                   _ ("\"%s\" has an unknown file type. End the name with .png, .svg or .pdf."),
                   path);
      return FALSE;
    }
  cr = cairo_create (surface);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  draw (data, cr, width, height);
  status = cairo_status (cr);
  cairo_destroy (cr);
  if (status == CAIRO_STATUS_SUCCESS && g_str_has_suffix (path, ".png"))
    status = cairo_surface_write_to_png_stream (surface, append, bytes);
  cairo_surface_finish (surface);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                   _ ("The plot cannot be written to \"%s\": %s"), path,
                   cairo_status_to_string (status));
      return FALSE;
    }
  return vg_write_bytes (path, bytes->data, bytes->len, error);
}

static void
draw_scene (gpointer scene, cairo_t *cr, int width, int height)
{
  vg_plot_scene_draw (scene, cr, width, height);
}

gboolean
vg_plot_export (const VgPlotScene *scene, const char *path, int width, int height, GError **error)
{
  VgPlotScene printed = *scene;

  if (scene->curves && g_str_has_suffix (path, ".csv"))
    {
      g_autofree char *csv = vg_curves_to_csv (scene->curves);
      return vg_write_bytes (path, csv, strlen (csv), error);
    }
  printed.dark = FALSE;
  return vg_plot_export_drawing (draw_scene, &printed, path, width, height, error);
}
