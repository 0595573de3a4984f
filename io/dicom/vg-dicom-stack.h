/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/dicom/vg-dicom-scan.h"
/* Stacks: frames of one series that form a volume, or a series of volumes.  Frames of a series
 * that differ in size, orientation, echo time or kind (magnitude and phase) form separate stacks.
 */
G_BEGIN_DECLS

/* Maximum number of stacks. */
enum { VG_DICOM_MOST_STACKS = 2000 };

typedef struct
{
  const VgDicomScan *scan; /* borrowed */
  GArray *members;         /* guint, numbers of the frames in the scan: at first all of them, then
                            * those of the complete volumes, slice by slice; in a segmentation
                            * G_MAXUINT for a slice that no frame has */
  int slices, volumes;     /* 0: not sorted */
  double *times_s;         /* of the volumes, from 0 on; NULL: not known, or only one */
  double started_s;        /* time of day of the first volume, s; 0: not known */
  double matrix[3][4];     /* from sample numbers to mm as in nifti1.h, if `placed` */
  gboolean placed;
  double size_mm[3]; /* of a voxel; 0: not known */
  GString *notes;    /* lines that say what was read and assumed */
  char *caution;     /* a likely mistake that the user must know of; or NULL */
} VgDicomStack;

/* The stacks of SCAN (VgDicomStack), sorted by series number. */
GPtrArray *vg_dicom_stacks_new (const VgDicomScan *scan);
/* Frame NUMBER of the members; NULL: no frame has this slice of a segmentation. */
const VgDicomFrame *vg_dicom_stack_frame (const VgDicomStack *self, guint number);
/* Orders slices by position and volumes by time, and finds places and times.  FALSE and an error:
 * no volume is complete, or a segmentation has frames that do not form one volume. */
gboolean vg_dicom_stack_sort (VgDicomStack *self, GError **error);
/* Position in mm of the first sample of FRAME, also of a tile of a mosaic. */
void vg_dicom_frame_position (const VgDicomFrame *frame, double position[3]);
/* The normal of its plane, row x column. */
void vg_dicom_frame_normal (const VgDicomFrame *frame, double normal[3]);
/* Sets the times of the volumes.  VOLUME (int) has their numbers among ALL volumes, including the
 * incomplete ones.  Part of vg_dicom_stack_sort. */
void vg_dicom_stack_set_times (VgDicomStack *self, const int *volume, int all);

G_END_DECLS
