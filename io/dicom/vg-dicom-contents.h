/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/dicom/vg-dicom-stack.h"
#include "io/source/vg-source.h"
/* The list of the series or segments of a scan, and the choice of one. */
G_BEGIN_DECLS

typedef struct
{
  const VgDicomScan *scan;
  GPtrArray *stacks; /* VgDicomStack */
} VgDicomContents;

/* Whether all stacks are segments of one file. */
gboolean vg_dicom_contents_are_segments (const VgDicomContents *self);
/* A line for each of the first 60, and how many more there are; freed by the caller. */
char *vg_dicom_contents_describe (const VgDicomContents *self);
/* What each is, such as "No. 5, MR, t1_vibe (M), 64 x 64, 90 images", ended by NULL and owned. */
char **vg_dicom_contents_list (const VgDicomContents *self);
/* Chooses by the number in the list, by the UID, by the segment (for a setting, the one with its
 * LABEL, or NULL), or else the one that holds the file PATH or, if that is NULL, the best: an image
 * rather than a segment, with the most frames.  -1 with an error that lists what the file NAME has:
 * there is none of these. */
int vg_dicom_contents_choose (const VgDicomContents *self, const VgReadOptions *options,
                              const char *label, const char *path, const char *name,
                              GError **error);

/* "2026-01-10 09:30" of the first frame of STACK, by its clock; owned.  NULL: not given. */
char *vg_dicom_contents_date (const VgDicomStack *stack);
/* How many series have as many images as the one with the most. */
guint vg_dicom_contents_count_largest (const VgDicomContents *self);

G_END_DECLS
