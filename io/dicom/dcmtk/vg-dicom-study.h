/* SPDX-License-Identifier: MIT */
#pragma once
/* What the objects that are written have in common: patient, study and source images, and how
 * elements are put into them.  C++. */
#include "io/dicom/dcmtk/vg-dicom-file.h"
#include <cerrno>
#include <map>
#include <string>
#include <utility>
#include <vector>

struct VgDicomStudy
{
  DcmDataset data; /* patient, study, frame of reference and time, the same in all objects */
  int series_number;
  gboolean anonymous;
  /* the source images: class and UID, by the UID of their series */
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> sources;
};

/* A code: its value, its scheme, and what it means. */
typedef struct
{
  const char *value, *scheme, *meaning;
} VgDicomCode;

void vg_dicom_put (DcmItem *item, const DcmTagKey &tag, const char *text);
void vg_dicom_put_new_uid (DcmItem *item, const DcmTagKey &tag);
/* Adds an item to SEQUENCE. */
DcmItem *vg_dicom_add_item (DcmItem *item, const DcmTagKey &sequence);
void vg_dicom_put_code (DcmItem *item, const DcmTagKey &sequence, const VgDicomCode &code);

/* Begins an object of class SOP_CLASS in a new series: patient and study, the equipment, the class
 * and UIDs, numbers, TEXT as its description, and the size of its images on GRID. */
void vg_dicom_begin_object (const VgDicomStudy *self, DcmDataset *data, const char *sop_class,
                            int number, const char *text, const VgDicomGrid *grid);
/* Refers to the source images, in the functional group SHARED and by their series; TEXT and CODE
 * say how the object was derived from them. */
void vg_dicom_put_sources (const VgDicomStudy *self, DcmItem *data, DcmItem *shared,
                           const char *text, const VgDicomCode &code);
/* Size and orientation of the voxels. */
void vg_dicom_put_geometry (DcmItem *shared, const VgDicomGrid *grid);
/* The position of SLICE. */
void vg_dicom_put_position (DcmItem *frame, const VgDicomGrid *grid, int slice);
/* The two dimensions of the frames: elements, each in its functional group. */
void vg_dicom_put_dimensions (DcmItem *data, const DcmTagKey (&tags)[2],
                              const DcmTagKey (&groups)[2]);
/* Writes FILE, to which INSERT adds its samples of BYTES bytes as the last element.  FALSE and
 * *REASON: the file is not complete. */
template <typename Insert>
gboolean vg_dicom_save (DcmFileFormat *file, const char *path, guint64 bytes, Insert insert,
                        char **reason);
/* Whether the file has the SIZE bytes of its data set before its samples of BYTES bytes, and all
 * that is written around them.  DCMTK does not tell if the last bytes did not fit on the disk. */
gboolean vg_dicom_is_complete (DcmFileFormat *file, const char *path, guint64 size, guint64 bytes);

template <typename Insert>
gboolean
vg_dicom_save (DcmFileFormat *file, const char *path, guint64 bytes, Insert insert, char **reason)
{
  DcmDataset *data = file->getDataset ();
  guint64 size = data->getLength (EXS_LittleEndianExplicit, EET_UndefinedLength);
  OFCondition result = insert (data);

  errno = 0;
  if (result.good ())
    result = file->saveFile (path, EXS_LittleEndianExplicit);
  if (result.bad ())
    *reason = g_strdup_printf ("%s; free some space, or choose another folder",
                               errno != 0 ? g_strerror (errno) : result.text ());
  else if (!vg_dicom_is_complete (file, path, size, bytes))
    *reason = g_strdup ("the file is cut short; free space on the disk");
  return *reason == NULL;
}
