/* SPDX-License-Identifier: MIT */
#include "io/dicom/vg-dicom-writer.h"
#include "io/dicom/vg-dicom-patient.h"
#include "io/dicom/vg-dicom-reader.h"
#include "io/live/vg-live.h"
#include "io/source/vg-source-private.h"
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-placement.h"
#include <math.h>
#include <string.h>

enum { LONGEST_DERIVATION = 1024 }; /* of the value representation ST */

struct _VgDicomWriter
{
  const VgDicomModule *module;
  VgDicomStudy *study;
  double matrix[3][4];
  GMutex mutex;
  char *settings; /* ASCII; NULL: none */
};

GPtrArray *
vg_dicom_list_series_files (const char *const *inputs, const char *read_options, GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; inputs != NULL && inputs[i] != NULL; i++)
    {
      const VgSourceOptions options = { .read_options = read_options,
                                        .in_series = inputs[1] != NULL };
      g_autoptr (VgSource) source = NULL;

      if (strcmp (inputs[i], "-") == 0 || vg_live_is_address (inputs[i]))
        continue;
      source = vg_source_open (inputs[i], &options, error);
      if (source == NULL)
        {
          g_prefix_error (error, "patient and study of the DICOM files cannot be read again: ");
          return NULL;
        }
      vg_dicom_source_list_files (source, files);
    }
  g_ptr_array_add (files, NULL);
  return g_steal_pointer (&files);
}

char *
vg_dicom_describe_patient (const char *const *inputs, const char *read_options)
{
  g_autoptr (GPtrArray) files = vg_dicom_list_series_files (inputs, read_options, NULL);
  g_autoptr (VgDicomReader) reader = NULL;
  VgDicomPatient patient;

  if (files == NULL || files->pdata[0] == NULL)
    return NULL;
  reader = vg_dicom_reader_new ();
  return vg_dicom_reader_open (reader, files->pdata[0], NULL) != NULL &&
                 vg_dicom_reader_ask_patient (reader, &patient, NULL)
             ? vg_dicom_format_patient (&patient)
             : NULL;
}

/* In DICOM, the rows and the columns of an image are at right angles. */
static gboolean
check_matrix (const VgImageInfo *info, double matrix[3][4], GError **error)
{
  double length[2] = { 0 }, across = 0;
  gboolean known = info->placement.known && vg_placement_matrix (&info->placement, matrix);

  for (int i = 0; known && i < 3; i++)
    {
      length[0] += matrix[i][0] * matrix[i][0];
      length[1] += matrix[i][1] * matrix[i][1];
      across += matrix[i][0] * matrix[i][1];
    }
  if (known && length[0] > 0 && length[1] > 0 &&
      fabs (across) < 1e-3 * sqrt (length[0] * length[1]))
    return TRUE;
  g_set_error (error, VG_USAGE_ERROR, 0,
               "the maps cannot be written as DICOM, because %s; choose nifti or tiff",
               known ? "their rows and columns are not at right angles"
                     : "their position in the patient is not known");
  return FALSE;
}

gboolean
vg_dicom_writer_accepts (const VgImageInfo *info, GError **error)
{
  const VgImageInfo none = { 0 };
  double matrix[3][4];

  return check_matrix (info != NULL ? info : &none, matrix, error);
}

VgDicomWriter *
vg_dicom_writer_new (const char *const *inputs, const char *read_options, const VgImageInfo *info,
                     gboolean anonymous, GError **error)
{
  g_autoptr (VgDicomWriter) self = g_new0 (VgDicomWriter, 1);
  g_autoptr (GPtrArray) files = NULL;
  const char *reason = NULL;
  char *why = NULL;

  g_mutex_init (&self->mutex);
  self->module = vg_dicom_module_get (&reason);
  if (self->module == NULL)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED, "cannot write DICOM: %s", reason);
      return NULL;
    }
  if (!check_matrix (info, self->matrix, error))
    return NULL;
  files = vg_dicom_list_series_files (inputs, read_options, error);
  if (files == NULL)
    return NULL;
  self->study = self->module->study_new ((const char *const *) files->pdata, info->ct ? "CT" : "OT",
                                         anonymous, &why);
  if (self->study != NULL)
    return g_steal_pointer (&self);
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
               "cannot read patient and study for the DICOM files: %s; check that the folder of "
               "the series still exists",
               why);
  g_free (why);
  return NULL;
}

/* The character set of the source may lack characters that are not ASCII. */
static char *
to_ascii (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, "\302\262", -1); /* superscript 2 */
  g_autofree char *plain = g_strjoinv ("2", parts);

  return g_str_to_ascii (plain, "C");
}

void
vg_dicom_writer_set_settings (VgDicomWriter *self, const char *settings)
{
  g_auto (GStrv) parts = g_strsplit (settings, "\302\260", -1); /* degrees */
  g_autofree char *plain = g_strjoinv ("deg", parts);

  g_free (self->settings);
  self->settings = to_ascii (plain);
}

/* "Arterial inflow. Model: One compartment; …", owned. */
static char *
derive (const VgDicomWriter *self, const char *label)
{
  char *text = self->settings != NULL && *self->settings != '\0'
                   ? g_strdup_printf ("%s. %s", label, self->settings)
                   : g_strdup (label);

  if (strlen (text) > LONGEST_DERIVATION)
    strcpy (text + LONGEST_DERIVATION - 4, " ...");
  return text;
}

gboolean
vg_dicom_writer_write (VgDicomWriter *self, const char *path, const VgDicomMap *map, GError **error)
{
  g_autoptr (VgOutputFile) file = vg_output_file_new (path, error);
  g_autofree char *label = to_ascii (map->label), *unit = to_ascii (map->unit),
                  *derivation = derive (self, label), *reason = NULL;
  VgDicomMap own = *map;
  gboolean written;

  if (file == NULL)
    return FALSE;
  own.label = label;
  own.unit = unit;
  own.derivation = derivation;
  memcpy (own.grid.matrix, self->matrix, sizeof own.grid.matrix);
  g_mutex_lock (&self->mutex);
  written = self->module->write (self->study, vg_output_file_temporary (file), &own, &reason);
  g_mutex_unlock (&self->mutex);
  if (written)
    return vg_output_file_commit (file, error);
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE, "cannot write map %s as DICOM: %s", map->id,
               reason);
  return FALSE;
}

gboolean
vg_dicom_writer_write_segments (VgDicomWriter *self, const char *path,
                                const VgDicomSegments *segments, GError **error)
{
  g_autoptr (VgOutputFile) file = vg_output_file_new (path, error);
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *reason = NULL;
  VgDicomSegments own = *segments;
  gboolean written;

  if (file == NULL)
    return FALSE;
  for (guint i = 0; segments->labels[i] != NULL; i++)
    g_ptr_array_add (labels, to_ascii (segments->labels[i]));
  g_ptr_array_add (labels, NULL);
  own.labels = (const char *const *) labels->pdata;
  memcpy (own.grid.matrix, self->matrix, sizeof own.grid.matrix);
  g_mutex_lock (&self->mutex);
  written = self->module->write_segments (self->study, vg_output_file_temporary (file), &own,
                                          &reason);
  g_mutex_unlock (&self->mutex);
  if (written)
    return vg_output_file_commit (file, error);
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE, "cannot write the regions as DICOM: %s",
               reason);
  return FALSE;
}

void
vg_dicom_writer_free (VgDicomWriter *self)
{
  if (self == NULL)
    return;
  if (self->study != NULL)
    self->module->study_free (self->study);
  g_mutex_clear (&self->mutex);
  g_free (self->settings);
  g_free (self);
}
