/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/dicom/vg-dicom-module.h"
/* Whom and what a DICOM series shows, for a reader. */
G_BEGIN_DECLS

/* Two lines at most, such as "Patient: Doe, Jane, ID 1234, born 1960-01-31, F" and "Study of
 * 2026-11-29: Liver"; owned.  INPUTS (NULL-terminated, or NULL) are read with READ_OPTIONS (or
 * NULL).  NULL: they are no DICOM files, or do not tell. */
char *vg_dicom_describe_patient (const char *const *inputs, const char *read_options);

/* The same of what a file says. */
char *vg_dicom_format_patient (const VgDicomPatient *patient);

G_END_DECLS
