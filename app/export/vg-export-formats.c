/* SPDX-License-Identifier: MIT */
/* The maps in further formats, made from their complete TIFF files page by page, so that memory
 * does not grow with the length of a stream. */
#include "app/export/vg-export-private.h"
#include "app/export/vg-methods-text.h"
#include <math.h>
#include <string.h>
#include "app/region/vg-region-file.h"
#include "app/region/vg-region-segments.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-placement.h"
#include "kernels/base/vg-text.h"

enum { PIECE = 1 << 16 };

/* One map on its way into other formats.  What is not wanted is NULL. */
typedef struct
{
  VgExportMap *map;
  gint64 pages_per_frame, page;
  char *nifti_path, *nrrd_path, *csv_path, *dicom_path;
  VgImageInfo info; /* of the NIfTI and NRRD files */
  VgNiftiWriter *nifti;
  VgTextFile *nrrd, *csv;
  GString *text; /* rows that are not written yet */
  gboolean gzip;
  VgDicomWriter *dicom; /* of all maps, borrowed */
  float *volume;        /* all samples, because DICOM is written in one piece */
  gsize filled;         /* samples of `volume` */
} Conversion;

static void
clear_conversion (gpointer data)
{
  Conversion *self = data;

  g_clear_pointer (&self->nifti, vg_nifti_writer_free);
  g_clear_pointer (&self->nrrd, vg_text_file_free);
  g_clear_pointer (&self->csv, vg_text_file_free);
  g_free (self->nifti_path);
  g_free (self->nrrd_path);
  g_free (self->csv_path);
  g_free (self->dicom_path);
  g_free (self->volume);
  if (self->text != NULL)
    g_string_free (self->text, TRUE);
}

/* ---- NIfTI and NRRD ---- */

/* Factor from UNIT to mm; 0: it is no length. */
static double
to_mm (const char *unit)
{
  static const struct
  {
    const char *unit;
    double mm;
  } lengths[] = { { "µm", 1e-3 }, { "mm", 1 }, { "cm", 10 }, { "m", 1e3 } };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    if (g_str_equal (lengths[i].unit, unit))
      return lengths[i].mm;
  return 0;
}

/* The size of a map without a placement: pixels in mm where they are known, else of side 1. */
static void
set_plain_info (VgImageInfo *info, const VgPlane *plane, gint64 frames)
{
  VgPlacement *placement = &info->placement;
  double mm = to_mm (plane->unit);

  *info = vg_image_info_grey (VG_F32, plane->width, plane->height);
  info->slices = MAX (plane->slices, 1);
  info->frames = frames;
  for (guint i = 0; i < G_N_ELEMENTS (placement->pixdim); i++)
    placement->pixdim[i] = 1;
  if (mm == 0 || !(plane->pixel_size[0] != 0) || !(plane->pixel_size[1] != 0))
    return;
  placement->pixdim[1] = ABS (plane->pixel_size[0]) * mm;
  placement->pixdim[2] = ABS (plane->pixel_size[1]) * mm;
  placement->unit = 2;
}

static gboolean
open_nifti (Conversion *self, GError **error)
{
  const VgOutput *output = self->map->output;
  const char *unit = output->unit != NULL ? output->unit : "";
  g_autofree char *description = g_strdup_printf ("%s%s%s (Vivograph)", output->id,
                                                  *unit == '\0' ? "" : ", ", unit);

  self->nifti = vg_nifti_writer_new (self->nifti_path, &self->info, description, error);
  return self->nifti != NULL;
}

static gboolean
open_nrrd (Conversion *self, GError **error)
{
  const VgOutput *output = self->map->output;

  self->nrrd = vg_nrrd_writer_new (self->nrrd_path, &self->info, output->id, output->label,
                                   output->unit != NULL ? output->unit : "", error);
  return self->nrrd != NULL;
}

/* ---- CSV ---- */

static gboolean
has_positions (const VgPlane *plane)
{
  return plane->pixel_size[0] != 0 && plane->pixel_size[1] != 0;
}

static void
add_heading (GString *text, const char *name, const char *unit)
{
  if (unit != NULL && *unit != '\0')
    g_string_append_printf (text, ",%s [%s]", name, unit);
  else
    g_string_append_printf (text, ",%s", name);
}

/* "x_px,y_px,x [mm],y [mm],contrast", with the page before it where there are several. */
static void
add_headings (Conversion *self)
{
  const VgOutput *output = self->map->output;
  const VgPlane *plane = &self->map->plane;
  gboolean named = output->hints.axes[0] != NULL && output->hints.axes[1] != NULL;

  if (self->map->pages > 1)
    g_string_append (self->text, self->map->pages == self->pages_per_frame ? "slice," : "page,");
  g_string_append (self->text, "x_px,y_px");
  for (int axis = 0; axis < 2 && has_positions (plane); axis++)
    add_heading (self->text, named ? output->hints.axes[axis] : axis == 0 ? "x" : "y", plane->unit);
  add_heading (self->text, output->id, output->unit);
  g_string_append_c (self->text, '\n');
}

static void
add_position (GString *text, const VgPlane *plane, int axis, int pixel)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.9g", vg_plane_position (plane, axis, pixel + 0.5));
  g_string_append_printf (text, ",%s", number);
}

static gboolean
flush (Conversion *self, gsize longest, GError **error)
{
  gboolean ok = self->text->len <= longest ||
                vg_text_file_add (self->csv, self->text->str, self->text->len, error);

  if (self->text->len > longest)
    g_string_set_size (self->text, 0);
  return ok;
}

/* A missing value is an empty cell. */
static gboolean
add_rows (Conversion *self, const float *values, GError **error)
{
  const VgPlane *plane = &self->map->plane;

  for (int y = 0; y < plane->height; y++)
    for (int x = 0; x < plane->width; x++)
      {
        float value = values[(gsize) y * (gsize) plane->width + (gsize) x];

        if (self->map->pages > 1)
          g_string_append_printf (self->text, "%" G_GINT64_FORMAT ",", self->page + 1);
        g_string_append_printf (self->text, "%d,%d", x, y);
        if (has_positions (plane))
          {
            add_position (self->text, plane, 0, x);
            add_position (self->text, plane, 1, y);
          }
        g_string_append_c (self->text, ',');
        if (isfinite (value))
          vg_text_append_float (self->text, value);
        g_string_append_c (self->text, '\n');
        if (!flush (self, PIECE, error))
          return FALSE;
      }
  return TRUE;
}

static gboolean
open_csv (Conversion *self, GError **error)
{
  self->csv = vg_text_file_new (self->csv_path, self->gzip, error);
  self->text = g_string_new (NULL);
  add_headings (self);
  return self->csv != NULL;
}

/* ---- DICOM ---- */

/* The number of samples of MAP. */
static gsize
count_samples (const VgExportMap *map)
{
  return (gsize) map->plane.width * (gsize) map->plane.height * (gsize) MAX (map->plane.slices, 1);
}

static gboolean
open_dicom (Conversion *self, GError **error)
{
  self->volume = g_try_new (float, count_samples (self->map));
  if (self->volume == NULL)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                 "there is not enough memory for %s as DICOM; close other programs, or leave out "
                 "dicom",
                 self->map->output->id);
  return self->volume != NULL;
}

static void
take_for_dicom (Conversion *self, const float *values, gsize n)
{
  n = MIN (n, count_samples (self->map) - self->filled);
  memcpy (self->volume + self->filled, values, n * sizeof *values);
  self->filled += n;
}

static gboolean
write_dicom (Conversion *self, GError **error)
{
  const VgOutput *output = self->map->output;
  const VgPlane *plane = &self->map->plane;
  const VgDicomMap map = {
    .id = output->id,
    .label = output->label,
    .unit = output->unit != NULL ? output->unit : "",
    .number = (int) self->map->index + 1,
    .grid = { .width = plane->width, .height = plane->height, .slices = MAX (plane->slices, 1) },
    .values = self->volume
  };

  return vg_dicom_writer_write (self->dicom, self->dicom_path, &map, error);
}

/* ---- all formats ---- */

/* Takes the pages that the reader delivers at once. */
static gboolean
take_pages (gpointer data, const float *values, gsize n, GError **error)
{
  Conversion *self = data;
  gsize page = (gsize) self->map->plane.width * (gsize) self->map->plane.height;

  if (self->nifti != NULL && !vg_nifti_writer_add (self->nifti, values, n, error))
    return FALSE;
  if (self->nrrd != NULL &&
      !vg_text_file_add (self->nrrd, (const char *) values, n * sizeof *values, error))
    return FALSE;
  if (self->volume != NULL)
    take_for_dicom (self, values, n);
  for (gsize at = 0; at + page <= n; at += page, self->page++)
    if (self->csv != NULL && !add_rows (self, values + at, error))
      return FALSE;
  return TRUE;
}

static gboolean
convert (Conversion *self, GError **error)
{
  return (self->nifti_path == NULL || open_nifti (self, error)) &&
         (self->nrrd_path == NULL || open_nrrd (self, error)) &&
         (self->csv_path == NULL || open_csv (self, error)) &&
         (self->dicom_path == NULL || open_dicom (self, error)) &&
         vg_export_read_back (self->map, take_pages, self, error) &&
         (self->nifti == NULL || vg_nifti_writer_commit (self->nifti, error)) &&
         (self->nrrd == NULL || vg_text_file_commit (self->nrrd, error)) &&
         (self->csv == NULL ||
          (flush (self, 0, error) && vg_text_file_commit (self->csv, error))) &&
         (self->volume == NULL || write_dicom (self, error));
}

static char *
stage (VgExport *self, const VgExportMap *map, const char *ending, gboolean gzip, GError **error)
{
  g_autofree char *name = g_strconcat (map->output->id, ending, gzip ? ".gz" : NULL, NULL);

  return vg_export_stage (self, name, error);
}

/* Whether MAP is a volume with the placement of the data set. */
static gboolean
is_placed (const VgExport *self, const VgExportMap *map, const VgImageInfo *data)
{
  return data != NULL && self->pages == 1 && vg_nifti_can_write (data) &&
         vg_placement_is_of (data, &map->plane);
}

/* Adds MAP to CONVERSIONS if a further format is wanted.  DICOM NULL: DICOM is not wanted. */
static gboolean
plan (VgExport *self, VgExportMap *map, VgWork *work, const VgExportInfo *info,
      VgDicomWriter *dicom, GArray *conversions, GError **error)
{
  const VgImageInfo *data = vg_work_get_info (work);
  gboolean placed = is_placed (self, map, data);
  Conversion conversion = {
    .map = map, .pages_per_frame = MAX (map->plane.slices, 1), .gzip = info->gzip, .dicom = dicom
  };
  gboolean ok = TRUE;

  if (vg_export_options_leaves_out_map (info->options, map->output->id))
    return TRUE;
  set_plain_info (&conversion.info, &map->plane, self->pages);
  if (placed)
    conversion.info.placement = data->placement;
  if (vg_export_options_wants (info->options, VG_FORMAT_NIFTI, placed))
    {
      conversion.nifti_path = stage (self, map, VG_EXPORT_VOLUME, FALSE, error);
      ok = conversion.nifti_path != NULL;
    }
  if (ok && vg_export_options_wants (info->options, VG_FORMAT_NRRD, placed))
    {
      conversion.nrrd_path = stage (self, map, ".nrrd", FALSE, error);
      ok = conversion.nrrd_path != NULL;
    }
  if (ok && vg_export_options_wants (info->options, VG_FORMAT_CSV, placed))
    {
      conversion.csv_path = stage (self, map, ".csv", info->gzip, error);
      ok = conversion.csv_path != NULL;
    }
  if (ok && dicom != NULL && placed)
    {
      conversion.dicom_path = stage (self, map, ".dcm", FALSE, error);
      ok = conversion.dicom_path != NULL;
    }
  g_array_append_val (conversions, conversion);
  return ok;
}

/* Creates the writer *DICOM; NULL: DICOM is not wanted. */
static gboolean
begin_dicom (VgExport *self, VgWork *work, const VgExportInfo *info, VgDicomWriter **dicom,
             GError **error)
{
  const VgImageInfo *data = vg_work_get_info (work);
  const VgImageInfo none = { 0 };
  gboolean any = FALSE;

  if (!vg_export_options_wants (info->options, VG_FORMAT_DICOM, FALSE))
    return TRUE;
  for (guint i = 0; i < self->n_maps; i++)
    any |= self->maps[i].writer != NULL && is_placed (self, &self->maps[i], data);
  *dicom = vg_dicom_writer_new (info->inputs, info->read_options, any ? data : &none,
                                info->options->dicom_anonymous, error);
  if (*dicom != NULL)
    {
      g_autofree char *settings = vg_methods_text_settings (vg_work_get_operation (work),
                                                            vg_work_get_params (work));

      vg_dicom_writer_set_settings (*dicom, settings);
    }
  return *dicom != NULL;
}

/* Writes regions.dcm if a region contains a voxel. */
static gboolean
write_segments (VgExport *self, VgWork *work, const VgExportInfo *info, VgDicomWriter *dicom,
                GError **error)
{
  g_autoptr (GPtrArray) renamed = NULL;
  g_autofree const VgNamedRegion **hidden = info->options->dicom_anonymous
                                                ? vg_region_file_hide_names (info->regions,
                                                                             &renamed)
                                                : NULL;
  g_autoptr (VgRegionSegments) segments = vg_region_segments_new (
      work, hidden != NULL ? hidden : info->regions, info->found);
  g_autofree char *path = segments != NULL ? vg_export_stage (self, "regions.dcm", error) : NULL;

  return segments == NULL ||
         (path != NULL && vg_region_segments_write (segments, dicom, path, error));
}

gboolean
vg_export_write_formats (VgExport *self, VgWork *work, const VgExportInfo *info, GError **error)
{
  g_autoptr (GArray) conversions = g_array_new (FALSE, FALSE, sizeof (Conversion));
  g_autoptr (VgDicomWriter) dicom = NULL;

  if (!begin_dicom (self, work, info, &dicom, error))
    return FALSE;
  g_array_set_clear_func (conversions, clear_conversion);
  for (guint i = 0; i < self->n_maps; i++)
    if (self->maps[i].writer != NULL &&
        !plan (self, &self->maps[i], work, info, dicom, conversions, error))
      return FALSE;
#pragma omp parallel for schedule(dynamic, 1)
  for (guint i = 0; i < conversions->len; i++)
    {
      Conversion *conversion = &g_array_index (conversions, Conversion, i);

      if (conversion->nifti_path != NULL || conversion->nrrd_path != NULL ||
          conversion->csv_path != NULL || conversion->dicom_path != NULL)
        convert (conversion, &conversion->map->error);
    }
  return vg_export_wait_until_written (self, error) &&
         (dicom == NULL || write_segments (self, work, info, dicom, error));
}

/* ---- curves ---- */

/* Appends VALUE of OUTPUT: the name of its category, if it has names, or nothing if it is missing.
 */
static void
append_value (GString *row, const VgOutput *output, float value)
{
  const char *const *names = output->hints.categories;
  guint n = names != NULL ? g_strv_length ((char **) names) : 0;

  g_string_append_c (row, ',');
  if (value >= 0 && value < n && value == floorf (value))
    vg_text_append_cell (row, names[(guint) value]);
  else if (isfinite (value))
    vg_text_append_float (row, value);
}

gboolean
vg_export_write_curves (VgExport *self, VgWork *work, GError **error)
{
  const VgImage *image = vg_work_get_image (work);
  g_autoptr (GString) text = g_string_new ("name");
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  g_autofree char *path = NULL;
  GError *local = NULL;

  if (image == NULL || image->names == NULL)
    return TRUE;
  for (int x = 0; x < image->info.width; x++)
    {
      g_ptr_array_add (rows, g_string_new (NULL));
      vg_text_append_cell (rows->pdata[x], image->names[x]);
    }
  for (guint i = 0; i < self->n_maps; i++)
    {
      const VgOutput *output = self->maps[i].output;
      VgPlane plane;

      if (local != NULL || self->maps[i].writer == NULL ||
          !vg_export_load_plane (self, i, &plane, &local))
        continue;
      add_heading (text, output->id, output->unit);
      for (guint x = 0; x < rows->len && (int) x < plane.width; x++)
        append_value (rows->pdata[x], output, plane.data[x]);
    }
  for (guint x = 0; x < rows->len; x++)
    {
      g_string_append_printf (text, "\n%s", ((GString *) rows->pdata[x])->str);
      g_string_free (rows->pdata[x], TRUE);
    }
  g_string_append_c (text, '\n');
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  path = vg_export_stage (self, "parameters.csv", error);
  return path != NULL && vg_write_bytes (path, text->str, text->len, error);
}

void
vg_export_discard_tiff (VgExport *self, const VgExportInfo *info)
{
  for (guint i = 0; i < self->n_maps; i++)
    if (self->maps[i].writer != NULL &&
        !vg_export_options_wants (info->options, VG_FORMAT_TIFF, FALSE))
      {
        g_autofree char *name = g_strconcat (self->prefix, self->maps[i].output->id, ".tif", NULL);

        vg_staging_discard (self->staging, name);
      }
}
