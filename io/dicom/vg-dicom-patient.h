/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/dicom/vg-dicom-module.h"
/* Whom and what a DICOM series shows, for a reader. */
G_BEGIN_DECLS

/* Two lines at most, such as "Patient: Doe, Jane, ID 1234, born 1960-01-31, F" and "Study:
 * 2026-11-29, Liver"; owned.  NULL: the file does not tell. */
char *vg_dicom_format_patient (const VgDicomPatient *patient);

G_END_DECLS
