/* SPDX-License-Identifier: MIT */
#pragma once
/* What the files of the DICOM module share: an open file, and values of its elements.  C++. */
#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dctk.h>
#include "io/dicom/vg-dicom-module.h"
#include <map>

struct VgDicomFile
{
  DcmFileFormat format;
  DcmDataset *data;              /* of the format */
  DcmSequenceOfItems *per_frame; /* functional groups of an enhanced image, or NULL */
  DcmItem *shared;               /* those of all frames, or NULL */
  DcmItem *current;              /* of `per_frame`, that of frame `at`; or NULL */
  int at;
  int width, height, frames;         /* frames 0: not counted yet */
  std::map<int, DcmItem *> segments; /* of a segmentation, by number; empty: the file is an image */
  int fraction; /* largest sample of a segmentation with fractions; 0: its samples are bits */
};

/* Element TAG of ITEM unless it is longer than a text or number can be; or NULL. */
DcmElement *vg_dicom_find (DcmItem *item, const DcmTagKey &tag);
/* Value INDEX of TAG as a number; NaN: there is none. */
double vg_dicom_number (DcmItem *item, const DcmTagKey &tag, unsigned long index = 0);
/* The same as an integer; LOWEST if there is none, or if it is out of range. */
int vg_dicom_integer (DcmItem *item, const DcmTagKey &tag, int lowest);
/* Copies the text of TAG, cut to SIZE bytes with its zero; empty if there is none. */
void vg_dicom_text (DcmItem *item, const DcmTagKey &tag, char *text, gsize size);
/* A private element: its usual tag, and its creator. */
typedef struct
{
  Uint16 group, element;
  const char *creator;
} VgDicomPrivate;
/* The tag of ELEMENT in ITEM.  Programs that copy files may move private elements to another block,
 * which has the name of their creator (DICOM PS3.5, 7.8.1).  DCM_UndefinedTagKey: ITEM has no such
 * block, and the usual one has another creator. */
DcmTagKey vg_dicom_private (DcmItem *item, const VgDicomPrivate &element);
/* Functional group SEQUENCE of frame INDEX, of all frames, or the data set itself. */
DcmItem *vg_dicom_group (VgDicomFile *file, int index, const DcmTagKey &sequence);
/* Item INDEX of the per-frame groups, or NULL. */
DcmItem *vg_dicom_frame_item (VgDicomFile *file, int index);
/* The first item of SEQUENCE in ITEM, or NULL. */
DcmItem *vg_dicom_first_item (DcmItem *item, const DcmTagKey &sequence);
/* Seconds since 1970 of a date "YYYYMMDD" (may be empty) and a time "HHMMSS.ffffff"; NaN if the
 * time is invalid. */
double vg_dicom_seconds (const char *date, const char *time);

/* Whether the file declares itself a segmentation. */
gboolean vg_dicom_is_segmentation (VgDicomFile *file);
/* Finds the segments of a segmentation whose frames are counted; FALSE and *REASON: its elements
 * are missing or contradict each other. */
gboolean vg_dicom_check_segments (VgDicomFile *file, char **reason);
/* Sets what FRAME, of number INDEX, has of its segment. */
void vg_dicom_describe_segment (VgDicomFile *file, int index, VgDicomFrame *frame);
/* The N bits of frame INDEX in ELEMENT. */
gboolean vg_dicom_read_bits (DcmElement *element, int index, float *samples, gsize n,
                             char **reason);

/* Functions of the module's table that are defined in one file and used in another. */
void vg_dicom_describe (VgDicomFile *file, int index, VgDicomFrame *frame);
void vg_dicom_patient (VgDicomFile *file, VgDicomPatient *patient);
gboolean vg_dicom_read (VgDicomFile *file, int index, float *samples, gsize n, char **reason);
VgDicomFile *vg_dicom_open (const char *path, char **reason);
void vg_dicom_close (VgDicomFile *file);
VgDicomStudy *vg_dicom_study_new (const char *const *files, const char *modality,
                                  gboolean anonymous, char **reason);
void vg_dicom_study_free (VgDicomStudy *self);
gboolean vg_dicom_write (const VgDicomStudy *self, const char *path, const VgDicomMap *map,
                         char **reason);
gboolean vg_dicom_write_segments (const VgDicomStudy *self, const char *path,
                                  const VgDicomSegments *segments, char **reason);
