/* SPDX-License-Identifier: MIT */
/* Writes maps as Parametric Map Storage (DICOM PS3.3, A.75): one file and one series for each map,
 * in the study of the images from which it was computed. */
#include "io/dicom/dcmtk/vg-dicom-study.h"
#include <algorithm>
#include <cmath>
#include <cstring>

/* The unit as a UCUM code; a unit without a code becomes an annotation. */
static void
put_unit (DcmItem *item, const char *unit)
{
  static const struct
  {
    const char *unit, *code;
  } units[] = {
    { "", "1" },        { "s", "s" },          { "ms", "ms" },
    { "ns", "ns" },     { "ps", "ps" },        { "%", "%" },
    { "1/s", "/s" },    { "1/min", "/min" },   { "ml/100g/min", "mL/min/(100.g)" },
    { "mm", "mm" },     { "cm", "cm" },        { "ml/ml", "mL/mL" },
    { "mM", "mmol/L" }, { "1/mM/s", "/s/mM" }, { "ml/ml/min", "mL/mL/min" },
  };
  g_autofree char *note = g_strdup_printf ("{%.14s}", unit);
  const char *code = note;

  for (const auto &known : units)
    if (strcmp (known.unit, unit) == 0)
      code = known.code;
  vg_dicom_put_code (item, DCM_MeasurementUnitsCodeSequence,
                     { code, "UCUM", *unit != '\0' ? unit : "no units" });
}

/* Samples are values of the quantity without scaling, from the smallest to the largest. */
static void
put_meaning (DcmItem *shared, const VgDicomMap *map)
{
  DcmItem *item = vg_dicom_add_item (shared, DCM_RealWorldValueMappingSequence);
  g_autofree char *name = g_strndup (map->id, 16);
  float least = INFINITY, largest = -INFINITY;

  for (gsize i = 0, n = (gsize) map->grid.width * map->grid.height * map->grid.slices; i < n; i++)
    if (std::isfinite (map->values[i]))
      {
        least = std::min (least, map->values[i]);
        largest = std::max (largest, map->values[i]);
      }
  vg_dicom_put (item, DCM_LUTExplanation, map->label);
  vg_dicom_put (item, DCM_LUTLabel, name);
  put_unit (item, map->unit);
  item->putAndInsertFloat64 (DCM_DoubleFloatRealWorldValueFirstValueMapped,
                             least <= largest ? least : 0);
  item->putAndInsertFloat64 (DCM_DoubleFloatRealWorldValueLastValueMapped,
                             least <= largest ? largest : 0);
  item->putAndInsertFloat64 (DCM_RealWorldValueIntercept, 0);
  item->putAndInsertFloat64 (DCM_RealWorldValueSlope, 1);
}

static void
put_frames (DcmItem *data, const VgDicomMap *map)
{
  for (int z = 0; z < map->grid.slices; z++)
    {
      DcmItem *frame = vg_dicom_add_item (data, DCM_PerFrameFunctionalGroupsSequence),
              *content = vg_dicom_add_item (frame, DCM_FrameContentSequence);
      const Uint32 indices[] = { 1, (Uint32) z + 1 };

      vg_dicom_put (content, DCM_StackID, "1");
      content->putAndInsertUint32 (DCM_InStackPositionNumber, indices[1]);
      content->putAndInsertUint32Array (DCM_DimensionIndexValues, indices, 2);
      vg_dicom_put_position (frame, &map->grid, z);
    }
}

static void
put_dimensions (DcmItem *data)
{
  vg_dicom_put_dimensions (data, { DCM_StackID, DCM_InStackPositionNumber },
                           { DCM_FrameContentSequence, DCM_FrameContentSequence });
  vg_dicom_put (data, DCM_DimensionOrganizationType, "3D");
}

/* The region that the source names in BodyPartExamined (DICOM PS3.16, annex L). */
static VgDicomCode
find_anatomy (const VgDicomStudy *self)
{
  static const struct
  {
    const char *part;
    VgDicomCode code;
  } parts[] = {
    { "ABDOMEN", { "818981001", "SCT", "Abdomen" } },
    { "ABDOMENPELVIS", { "818982008", "SCT", "Abdomen and Pelvis" } },
    { "LIVER", { "10200004", "SCT", "Liver" } },
    { "CHEST", { "816094009", "SCT", "Chest" } },
    { "PELVIS", { "816092008", "SCT", "Pelvis" } },
    { "HEAD", { "69536005", "SCT", "Head" } },
    { "BRAIN", { "12738006", "SCT", "Brain" } },
    { "BREAST", { "76752008", "SCT", "Breast" } },
    { "HEART", { "80891009", "SCT", "Heart" } },
    { "KIDNEY", { "64033007", "SCT", "Kidney" } },
    { "PROSTATE", { "41216001", "SCT", "Prostate" } },
  };
  DcmDataset *data = const_cast<DcmDataset *> (&self->data);
  char name[17];

  vg_dicom_text (data, DCM_BodyPartExamined, name, sizeof name);
  for (const auto &part : parts)
    if (strcmp (name, part.part) == 0)
      return part.code;
  return { "38266002", "SCT", "Entire body" };
}

static void
put_groups (const VgDicomStudy *self, DcmItem *data, const VgDicomMap *map)
{
  DcmItem *shared = vg_dicom_add_item (data, DCM_SharedFunctionalGroupsSequence),
          *anatomy = vg_dicom_add_item (shared, DCM_FrameAnatomySequence), *identity;

  vg_dicom_put_geometry (shared, &map->grid);
  vg_dicom_put (anatomy, DCM_FrameLaterality, "U");
  vg_dicom_put_code (anatomy, DCM_AnatomicRegionSequence, find_anatomy (self));
  identity = vg_dicom_add_item (shared, DCM_PixelValueTransformationSequence);
  vg_dicom_put (identity, DCM_RescaleIntercept, "0");
  vg_dicom_put (identity, DCM_RescaleSlope, "1");
  vg_dicom_put (identity, DCM_RescaleType, "US");
  vg_dicom_put (vg_dicom_add_item (shared, DCM_ParametricMapFrameTypeSequence), DCM_FrameType,
                "DERIVED\\PRIMARY\\VOLUME\\QUANTITY");
  put_meaning (shared, map);
  vg_dicom_put_sources (self, data, shared, map->derivation,
                        { "113066", "DCM", "Time Course of Signal" });
}

static void
put_image (DcmItem *data, const VgDicomMap *map)
{
  g_autofree char *label = g_ascii_strup (map->id, 16),
                  *frames = g_strdup_printf ("%d", map->grid.slices);
  const struct
  {
    DcmTagKey tag;
    const char *text;
  } texts[] = {
    { DCM_ImageType, "DERIVED\\PRIMARY\\VOLUME\\QUANTITY" },
    { DCM_ContentLabel, label },
    { DCM_ContentQualification, "RESEARCH" },
    { DCM_NumberOfFrames, frames },
    { DCM_PresentationLUTShape, "IDENTITY" },
    { DCM_BurnedInAnnotation, "NO" },
    { DCM_RecognizableVisualFeatures, "NO" },
  };

  for (const auto &text : texts)
    vg_dicom_put (data, text.tag, text.text);
  data->insertEmptyElement (DCM_AcquisitionContextSequence);
  data->putAndInsertUint16 (DCM_BitsAllocated, 32);
}

gboolean
vg_dicom_write (const VgDicomStudy *self, const char *path, const VgDicomMap *map, char **reason)
{
  DcmFileFormat file;
  DcmDataset *data = file.getDataset ();
  const VgDicomGrid *grid = &map->grid;
  guint64 n = (guint64) grid->width * (guint64) grid->height * (guint64) grid->slices;
  auto insert = [=] (DcmDataset *into) {
    return into->putAndInsertFloat32Array (DCM_FloatPixelData, map->values, (unsigned long) n);
  };

  if (grid->width > 65535 || grid->height > 65535 || n > (G_MAXUINT32 >> 2) - 16)
    {
      *reason = g_strdup ("DICOM holds at most 65535 rows and columns, and 4 GB in a file");
      return FALSE;
    }
  vg_dicom_begin_object (self, data, UID_ParametricMapStorage, map->number, map->label, grid);
  put_image (data, map);
  put_dimensions (data);
  put_groups (self, data, map);
  put_frames (data, map);
  return vg_dicom_save (&file, path, n * sizeof (float), insert, reason);
}
