/* SPDX-License-Identifier: MIT */
/* Writes regions as Segmentation Storage (DICOM PS3.3, A.51): one file whose frames are the slices
 * of each segment that contain voxels of it, with a bit for each pixel. */
#include "io/dicom/dcmtk/vg-dicom-study.h"
#include <cstring>

static const VgDicomCode anatomy = { "123037004", "SCT", "Anatomical Structure" },
                         lesion = { "49755003", "SCT", "Morphologically Abnormal Structure" },
                         concept = { "309825002", "SCT", "Spatial and Relational Concept" },
                         selected = { "111099", "DCM", "Selected region" };

/* What a segment is, by a word in its label; the first one counts. */
static const struct
{
  const char *word;
  const VgDicomCode &category;
  VgDicomCode type;
} properties[] = {
  { "lesion", lesion, { "52988006", "SCT", "Lesion" } },
  { "tumo", lesion, { "108369006", "SCT", "Neoplasm" } },
  { "portal", anatomy, { "32764006", "SCT", "Portal Vein" } },
  { "aorta", anatomy, { "15825003", "SCT", "Aorta" } },
  { "arter", anatomy, { "51114001", "SCT", "Artery" } },
  { "vein", anatomy, { "29092000", "SCT", "Vein" } },
  { "liver", anatomy, { "10200004", "SCT", "Liver" } },
  { "spleen", anatomy, { "78961009", "SCT", "Spleen" } },
  { "kidney", anatomy, { "64033007", "SCT", "Kidney" } },
};

typedef struct
{
  guint segment; /* from 1 */
  int slice;
} Frame;

/* The frames that are not empty, and the bits of all of them, the lowest bit first. */
typedef struct
{
  std::vector<Frame> frames;
  std::vector<guint> segments; /* those that have a frame, in order */
  std::vector<Uint8> bits;
} Packed;

/* FALSE: the bits would be longer than an element can be. */
static gboolean
pack (const VgDicomSegments *self, Packed *packed)
{
  gsize n = (gsize) self->grid.width * (gsize) self->grid.height, filled = 0;
  std::vector<guint8> mask (n); /* all 0 where a frame begins */

  for (guint i = 0; self->labels[i] != NULL; i++)
    for (int z = 0; z < self->grid.slices; z++)
      {
        if (!self->mark (self->data, i, z, mask.data ()))
          continue;
        if (packed->segments.empty () || packed->segments.back () != i)
          packed->segments.push_back (i);
        packed->frames.push_back ({ (guint) packed->segments.size (), z });
        if (filled + n > (gsize) (G_MAXUINT32 - 16) * 8 || packed->segments.size () > 65535)
          return FALSE;
        packed->bits.resize ((filled + n + 7) / 8);
        for (gsize k = 0; k < n; k++, filled++)
          if (mask[k] != 0)
            packed->bits[filled / 8] |= (Uint8) (1 << (filled % 8));
        std::fill (mask.begin (), mask.end (), 0);
      }
  packed->bits.resize ((packed->bits.size () + 1) / 2 * 2);
  return TRUE;
}

/* Puts the organ that LABEL names beside what is in it, such as "Liver lesion". */
static void
put_region (DcmItem *segment, const char *label, const VgDicomCode *type)
{
  for (const auto &property : properties)
    if (&property.category == &anatomy && &property.type != type &&
        strstr (label, property.word) != NULL)
      {
        vg_dicom_put_code (segment, DCM_AnatomicRegionSequence, property.type);
        return;
      }
}

static void
put_segment (DcmItem *data, guint number, const VgDicomSegments *of, guint i)
{
  static const char *const algorithms[] = { "MANUAL", "AUTOMATIC", "SEMIAUTOMATIC" };
  const char *label = of->labels[i];
  DcmItem *segment = vg_dicom_add_item (data, DCM_SegmentSequence);
  g_autofree char *lower = g_ascii_strdown (label, -1), *cut = g_strndup (label, 64);
  const VgDicomCode *category = &concept, *type = &selected;

  for (const auto &property : properties)
    if (type == &selected && strstr (lower, property.word) != NULL)
      {
        category = &property.category;
        type = &property.type;
      }
  g_strdelimit (cut, "\\", '/'); /* it would divide the label into two values */
  vg_dicom_put_code (segment, DCM_SegmentedPropertyCategoryCodeSequence, *category);
  vg_dicom_put_code (segment, DCM_SegmentedPropertyTypeCodeSequence, *type);
  segment->putAndInsertUint16 (DCM_SegmentNumber, (Uint16) number);
  vg_dicom_put (segment, DCM_SegmentLabel, *cut != '\0' ? cut : "?");
  if (category == &lesion)
    put_region (segment, lower, type);
  vg_dicom_put (segment, DCM_SegmentAlgorithmType, algorithms[of->algorithms[i]]);
  if (of->algorithms[i] != VG_DICOM_MANUAL)
    vg_dicom_put (segment, DCM_SegmentAlgorithmName, of->algorithm);
}

static void
put_frames (DcmItem *data, const VgDicomGrid *grid, const Packed *packed)
{
  for (const Frame &item : packed->frames)
    {
      DcmItem *frame = vg_dicom_add_item (data, DCM_PerFrameFunctionalGroupsSequence),
              *content = vg_dicom_add_item (frame, DCM_FrameContentSequence),
              *identity = vg_dicom_add_item (frame, DCM_SegmentIdentificationSequence);
      const Uint32 indices[] = { item.segment, (Uint32) item.slice + 1 };

      content->putAndInsertUint32Array (DCM_DimensionIndexValues, indices, 2);
      vg_dicom_put_position (frame, grid, item.slice);
      identity->putAndInsertUint16 (DCM_ReferencedSegmentNumber, (Uint16) item.segment);
    }
}

static void
put_image (DcmItem *data, guint frames)
{
  g_autofree char *count = g_strdup_printf ("%u", frames);

  vg_dicom_put (data, DCM_Modality, "SEG");
  vg_dicom_put (data, DCM_ImageType, "DERIVED\\PRIMARY");
  vg_dicom_put (data, DCM_ContentLabel, "REGIONS");
  vg_dicom_put (data, DCM_NumberOfFrames, count);
  vg_dicom_put (data, DCM_SegmentationType, "BINARY");
  data->putAndInsertUint16 (DCM_BitsAllocated, 1);
  data->putAndInsertUint16 (DCM_BitsStored, 1);
  data->putAndInsertUint16 (DCM_HighBit, 0);
  data->putAndInsertUint16 (DCM_PixelRepresentation, 0);
  vg_dicom_put_dimensions (data, { DCM_ReferencedSegmentNumber, DCM_ImagePositionPatient },
                           { DCM_SegmentIdentificationSequence, DCM_PlanePositionSequence });
}

gboolean
vg_dicom_write_segments (const VgDicomStudy *self, const char *path,
                         const VgDicomSegments *segments, char **reason)
{
  DcmFileFormat file;
  DcmDataset *data = file.getDataset ();
  const VgDicomGrid *grid = &segments->grid;
  DcmItem *shared;
  Packed packed;
  auto insert = [&packed] (DcmDataset *into) {
    return into->putAndInsertUint8Array (DCM_PixelData, packed.bits.data (),
                                         (unsigned long) packed.bits.size ());
  };

  if (grid->width > 65535 || grid->height > 65535 || !pack (segments, &packed))
    *reason = g_strdup ("DICOM holds at most 65535 rows, columns and segments, and 4 GB in a file");
  else if (packed.frames.empty ())
    *reason = g_strdup ("no region contains a voxel");
  if (*reason != NULL)
    return FALSE;
  vg_dicom_begin_object (self, data, UID_SegmentationStorage, segments->number, "Regions", grid);
  put_image (data, (guint) packed.frames.size ());
  for (guint i = 0; i < packed.segments.size (); i++)
    put_segment (data, i + 1, segments, packed.segments[i]);
  shared = vg_dicom_add_item (data, DCM_SharedFunctionalGroupsSequence);
  vg_dicom_put_geometry (shared, grid);
  vg_dicom_put_sources (self, data, shared, "Regions", { "113076", "DCM", "Segmentation" });
  put_frames (data, grid, &packed);
  return vg_dicom_save (&file, path, packed.bits.size (), insert, reason);
}
