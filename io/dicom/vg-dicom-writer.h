/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/dicom/vg-dicom-module.h"
#include "io/source/vg-source.h"
/* Writes maps of volumes as DICOM parametric maps, and regions as a segmentation, in the study of
 * their source images or in a new one. */
G_BEGIN_DECLS

typedef struct _VgDicomWriter VgDicomWriter;

/* VG_USAGE_ERROR: a data set of INFO (NULL: there is none) has no placement that DICOM can hold. */
gboolean vg_dicom_writer_accepts (const VgImageInfo *info, GError **error);
/* The maps were computed from INPUTS (NULL-terminated, or NULL), which are read with READ_OPTIONS
 * (or NULL) as a data set of INFO.  ANONYMOUS: leaves out patient, study, dates and references.
 * VG_USAGE_ERROR: INFO has no placement that DICOM can hold. */
VgDicomWriter *vg_dicom_writer_new (const char *const *inputs, const char *read_options,
                                    const VgImageInfo *info, gboolean anonymous, GError **error);
/* The files (char *, ended by NULL) of all DICOM series among INPUTS (NULL-terminated, or NULL).
 * NULL and an error: one of them cannot be opened any more. */
GPtrArray *vg_dicom_list_series_files (const char *const *inputs, const char *read_options,
                                       GError **error);
/* Patient and study of the first of these files (vg_dicom_format_patient); owned.  NULL: there is
 * none, or it does not tell. */
char *vg_dicom_describe_patient (const char *const *inputs, const char *read_options);
/* Writes MAP as the file PATH.  Sets its matrix and changes its texts to ASCII.  Threads may share
 * SELF. */
gboolean vg_dicom_writer_write (VgDicomWriter *self, const char *path, const VgDicomMap *map,
                                GError **error);
/* Writes SEGMENTS, whose grid has a size alone, as the file PATH in the same way. */
gboolean vg_dicom_writer_write_segments (VgDicomWriter *self, const char *path,
                                         const VgDicomSegments *segments, GError **error);
void vg_dicom_writer_free (VgDicomWriter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgDicomWriter, vg_dicom_writer_free)

/* SETTINGS with which all maps were computed, told in each; copied.  Text beyond the length that
 * DICOM allows is left out. */
void vg_dicom_writer_set_settings (VgDicomWriter *self, const char *settings);

G_END_DECLS
