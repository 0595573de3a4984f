/* SPDX-License-Identifier: MIT */
/* Writes maps as Parametric Map Storage (DICOM PS3.3, A.75): one file and one series for each map,
 * in the study of the images from which it was computed. */
#include "io/dicom/dcmtk/vg-dicom-file.h"
#include "vg-config.h"
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <sys/stat.h>
#include <utility>
#include <vector>

struct VgDicomStudy
{
  DcmDataset data; /* patient, study, frame of reference and time, the same in all maps */
  int series_number;
  gboolean anonymous;
  /* the source images: class and UID, by the UID of their series */
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> sources;
};

/* Elements that are copied to the maps, and whether they must exist, even if they are empty. */
static const struct
{
  DcmTagKey tag;
  gboolean needed, identifies;
} kept[] = {
  { DCM_SpecificCharacterSet, FALSE, TRUE },
  { DCM_PatientName, TRUE, TRUE },
  { DCM_PatientID, TRUE, TRUE },
  { DCM_IssuerOfPatientID, FALSE, TRUE },
  { DCM_PatientBirthDate, TRUE, TRUE },
  { DCM_PatientSex, TRUE, TRUE },
  { DCM_PatientAge, FALSE, TRUE },
  { DCM_PatientSize, FALSE, TRUE },
  { DCM_PatientWeight, FALSE, TRUE },
  { DCM_StudyDate, TRUE, TRUE },
  { DCM_StudyTime, TRUE, TRUE },
  { DCM_StudyID, TRUE, TRUE },
  { DCM_StudyDescription, FALSE, TRUE },
  { DCM_AccessionNumber, TRUE, TRUE },
  { DCM_ReferringPhysicianName, TRUE, TRUE },
  { DCM_PositionReferenceIndicator, TRUE, FALSE },
  { DCM_BodyPartExamined, FALSE, FALSE },
};

static void
put (DcmItem *item, const DcmTagKey &tag, const char *text)
{
  item->putAndInsertString (tag, text);
}

/* Puts numbers with backslashes between them, each in at most the 16 characters of DICOM. */
static void
put_numbers (DcmItem *item, const DcmTagKey &tag, const double *values, int n)
{
  std::string text;

  for (int i = 0; i < n; i++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      text += i > 0 ? "\\" : "";
      text += g_ascii_formatd (number, sizeof number, "%.10g", values[i]);
    }
  put (item, tag, text.c_str ());
}

/* Adds an item to SEQUENCE. */
static DcmItem *
add_item (DcmItem *item, const DcmTagKey &sequence)
{
  DcmItem *added = NULL;

  if (item->findOrCreateSequenceItem (sequence, added, -2).bad () || added == NULL)
    throw std::bad_alloc ();
  return added;
}

static void
put_code (DcmItem *item, const DcmTagKey &sequence, const char *value, const char *scheme,
          const char *meaning)
{
  DcmItem *code = add_item (item, sequence);

  put (code, DCM_CodeValue, value);
  put (code, DCM_CodingSchemeDesignator, scheme);
  put (code, DCM_CodeMeaning, meaning);
}

/* A random UUID as a UID (DICOM PS3.5, B.2), which contains neither computer nor time. */
static std::string
new_uid ()
{
  __extension__ typedef unsigned __int128 Number;
  g_autofree char *uuid = g_uuid_string_random ();
  std::string digits;
  Number number = 0;

  for (const char *c = uuid; *c != '\0'; c++)
    if (g_ascii_isxdigit (*c))
      number = 16 * number + (Number) g_ascii_xdigit_value (*c);
  for (; number > 0; number /= 10)
    digits.insert (0, 1, (char) ('0' + (int) (number % 10)));
  return "2.25." + digits;
}

static void
put_new_uid (DcmItem *item, const DcmTagKey &tag)
{
  put (item, tag, new_uid ().c_str ());
}

static std::string
get_uid (DcmItem *item, const DcmTagKey &tag)
{
  char uid[VG_DICOM_UID_SIZE];

  vg_dicom_text (item, tag, uid, sizeof uid);
  return strlen (uid) <= 64 && strspn (uid, "0123456789.") == strlen (uid) ? uid : "";
}

/* Copies a UID of the source, or makes a new one. */
static void
keep_uid (VgDicomStudy *self, DcmItem *source, const DcmTagKey &tag)
{
  std::string uid = source != NULL && !self->anonymous ? get_uid (source, tag) : "";

  if (uid.empty ())
    put_new_uid (&self->data, tag);
  else
    put (&self->data, tag, uid.c_str ());
}

static void
begin_study (VgDicomStudy *self, DcmItem *source, const char *modality)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *day = g_date_time_format (now, "%Y%m%d"),
                  *time = g_date_time_format (now, "%H%M%S");
  char own[20] = "";

  for (const auto &element : kept)
    {
      if (vg_dicom_find (source, element.tag) != NULL && !(self->anonymous && element.identifies))
        source->findAndInsertCopyOfElement (element.tag, &self->data);
      else if (element.needed)
        self->data.insertEmptyElement (element.tag);
    }
  keep_uid (self, source, DCM_StudyInstanceUID);
  keep_uid (self, source, DCM_FrameOfReferenceUID);
  if (source != NULL)
    vg_dicom_text (source, DCM_Modality, own, sizeof own);
  put (&self->data, DCM_Modality, *own != '\0' ? own : modality);
  if (!self->anonymous)
    self->series_number = MAX (vg_dicom_integer (source, DCM_SeriesNumber, 0), 0) % 1000000;
  else
    {
      put (&self->data, DCM_PatientName, "Anonymous");
      put (&self->data, DCM_PatientIdentityRemoved, "YES");
      put (&self->data, DCM_DeidentificationMethod, "Patient, study, dates, references removed");
    }
  if (!self->anonymous)
    {
      put (&self->data, DCM_SeriesDate, day);
      put (&self->data, DCM_SeriesTime, time);
    }
  /* an object must have these */
  put (&self->data, DCM_ContentDate, self->anonymous ? "19000101" : day);
  put (&self->data, DCM_ContentTime, self->anonymous ? "000000" : time);
}

/* Adds a source image, to which the maps will refer. */
static void
add_source (VgDicomStudy *self, DcmItem *source)
{
  std::string of = get_uid (source, DCM_SOPClassUID), uid = get_uid (source, DCM_SOPInstanceUID),
              series = get_uid (source, DCM_SeriesInstanceUID);

  if (!self->anonymous && !of.empty () && !uid.empty () && !series.empty ())
    self->sources[series].push_back ({ of, uid });
}

VgDicomStudy *
vg_dicom_study_new (const char *const *files, const char *modality, gboolean anonymous,
                    char **reason)
{
  std::unique_ptr<VgDicomStudy> self (new VgDicomStudy ());

  self->anonymous = anonymous;
  if (files == NULL || files[0] == NULL)
    begin_study (self.get (), NULL, modality);
  for (guint i = 0; files != NULL && files[i] != NULL; i++)
    {
      std::unique_ptr<VgDicomFile, void (*) (VgDicomFile *)> file (vg_dicom_open (files[i], reason),
                                                                   vg_dicom_close);

      if (file == NULL)
        return NULL;
      if (i == 0)
        begin_study (self.get (), file->data, modality);
      add_source (self.get (), file->data);
    }
  return self.release ();
}

void
vg_dicom_study_free (VgDicomStudy *self)
{
  delete self;
}

static void
put_reference (DcmItem *item, const std::pair<std::string, std::string> &source)
{
  put (item, DCM_ReferencedSOPClassUID, source.first.c_str ());
  put (item, DCM_ReferencedSOPInstanceUID, source.second.c_str ());
}

/* Refers to the source images, in the shared functional group and by their series. */
static void
put_sources (const VgDicomStudy *self, DcmItem *data, DcmItem *shared, const VgDicomMap *map)
{
  DcmItem *derivation = NULL;

  for (const auto &series : self->sources)
    {
      DcmItem *listed = add_item (data, DCM_ReferencedSeriesSequence);

      put (listed, DCM_SeriesInstanceUID, series.first.c_str ());
      if (derivation == NULL)
        {
          derivation = add_item (shared, DCM_DerivationImageSequence);
          put (derivation, DCM_DerivationDescription, map->label);
          put_code (derivation, DCM_DerivationCodeSequence, "113066", "DCM",
                    "Time Course of Signal");
        }
      for (const auto &source : series.second)
        {
          DcmItem *image = add_item (derivation, DCM_SourceImageSequence);

          put_reference (add_item (listed, DCM_ReferencedInstanceSequence), source);
          put_reference (image, source);
          put_code (image, DCM_PurposeOfReferenceCodeSequence, "121322", "DCM",
                    "Source image for image processing operation");
        }
    }
}

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
  put_code (item, DCM_MeasurementUnitsCodeSequence, code, "UCUM",
            *unit != '\0' ? unit : "no units");
}

/* Samples are values of the quantity without scaling, from the smallest to the largest. */
static void
put_meaning (DcmItem *shared, const VgDicomMap *map)
{
  DcmItem *item = add_item (shared, DCM_RealWorldValueMappingSequence);
  g_autofree char *name = g_strndup (map->id, 16);
  float least = INFINITY, largest = -INFINITY;

  for (gsize i = 0, n = (gsize) map->width * map->height * map->slices; i < n; i++)
    if (std::isfinite (map->values[i]))
      {
        least = std::min (least, map->values[i]);
        largest = std::max (largest, map->values[i]);
      }
  put (item, DCM_LUTExplanation, map->label);
  put (item, DCM_LUTLabel, name);
  put_unit (item, map->unit);
  item->putAndInsertFloat64 (DCM_DoubleFloatRealWorldValueFirstValueMapped,
                             least <= largest ? least : 0);
  item->putAndInsertFloat64 (DCM_DoubleFloatRealWorldValueLastValueMapped,
                             least <= largest ? largest : 0);
  item->putAndInsertFloat64 (DCM_RealWorldValueIntercept, 0);
  item->putAndInsertFloat64 (DCM_RealWorldValueSlope, 1);
}

/* A column of the matrix as a vector in DICOM's directions; returns its length. */
static double
get_column (const VgDicomMap *map, int column, double values[3])
{
  double length = 0;

  for (int i = 0; i < 3; i++)
    {
      values[i] = (i < 2 ? -1 : 1) * map->matrix[i][column];
      length += values[i] * values[i];
    }
  return sqrt (length);
}

static void
put_geometry (DcmItem *shared, const VgDicomMap *map)
{
  DcmItem *measures = add_item (shared, DCM_PixelMeasuresSequence),
          *plane = add_item (shared, DCM_PlaneOrientationSequence);
  double axes[2][3], step[3], spacing[2], between = get_column (map, 2, step);

  for (int axis = 0; axis < 2; axis++)
    {
      /* DICOM gives the distance between rows first */
      spacing[1 - axis] = get_column (map, axis, axes[axis]);
      for (double &value : axes[axis])
        value /= spacing[1 - axis];
    }
  put_numbers (measures, DCM_PixelSpacing, spacing, 2);
  put_numbers (measures, DCM_SliceThickness, &between, 1);
  put_numbers (measures, DCM_SpacingBetweenSlices, &between, 1);
  put_numbers (plane, DCM_ImageOrientationPatient, axes[0], 6);
}

static void
put_frames (DcmItem *data, const VgDicomMap *map)
{
  double begin[3], step[3];

  get_column (map, 3, begin);
  get_column (map, 2, step);
  for (int z = 0; z < map->slices; z++)
    {
      DcmItem *frame = add_item (data, DCM_PerFrameFunctionalGroupsSequence),
              *content = add_item (frame, DCM_FrameContentSequence);
      const Uint32 indices[] = { 1, (Uint32) z + 1 };
      double place[3];

      for (int i = 0; i < 3; i++)
        place[i] = begin[i] + z * step[i];
      put (content, DCM_StackID, "1");
      content->putAndInsertUint32 (DCM_InStackPositionNumber, indices[1]);
      content->putAndInsertUint32Array (DCM_DimensionIndexValues, indices, 2);
      put_numbers (add_item (frame, DCM_PlanePositionSequence), DCM_ImagePositionPatient, place, 3);
    }
}

static void
put_dimensions (DcmItem *data)
{
  std::string uid = new_uid ();

  put (add_item (data, DCM_DimensionOrganizationSequence), DCM_DimensionOrganizationUID,
       uid.c_str ());
  put (data, DCM_DimensionOrganizationType, "3D");
  for (const DcmTagKey &tag : { DCM_StackID, DCM_InStackPositionNumber })
    {
      DcmItem *index = add_item (data, DCM_DimensionIndexSequence);

      put (index, DCM_DimensionOrganizationUID, uid.c_str ());
      index->putAndInsertTagKey (DCM_DimensionIndexPointer, tag);
      index->putAndInsertTagKey (DCM_FunctionalGroupPointer, DCM_FrameContentSequence);
    }
}

static void
put_groups (const VgDicomStudy *self, DcmItem *data, const VgDicomMap *map)
{
  DcmItem *shared = add_item (data, DCM_SharedFunctionalGroupsSequence),
          *anatomy = add_item (shared, DCM_FrameAnatomySequence), *identity;

  put_geometry (shared, map);
  put (anatomy, DCM_FrameLaterality, "U");
  put_code (anatomy, DCM_AnatomicRegionSequence, "38266002", "SCT", "Entire body");
  identity = add_item (shared, DCM_PixelValueTransformationSequence);
  put (identity, DCM_RescaleIntercept, "0");
  put (identity, DCM_RescaleSlope, "1");
  put (identity, DCM_RescaleType, "US");
  put (add_item (shared, DCM_ParametricMapFrameTypeSequence), DCM_FrameType,
       "DERIVED\\PRIMARY\\VOLUME\\QUANTITY");
  put_meaning (shared, map);
  put_sources (self, data, shared, map);
}

static void
put_image (const VgDicomStudy *self, DcmItem *data, const VgDicomMap *map)
{
  g_autofree char *label = g_ascii_strup (map->id, 16),
                  *number = g_strdup_printf ("%d", 100 * self->series_number + map->number),
                  *frames = g_strdup_printf ("%d", map->slices);
  const struct
  {
    DcmTagKey tag;
    const char *text;
  } texts[] = {
    { DCM_SOPClassUID, UID_ParametricMapStorage },
    { DCM_ImageType, "DERIVED\\PRIMARY\\VOLUME\\QUANTITY" },
    { DCM_Manufacturer, "Vivograph" },
    { DCM_ManufacturerModelName, "Vivograph" },
    { DCM_DeviceSerialNumber, "0" },
    { DCM_SoftwareVersions, VG_VERSION },
    { DCM_SeriesNumber, number },
    { DCM_InstanceNumber, "1" },
    { DCM_SeriesDescription, map->label },
    { DCM_ContentLabel, label },
    { DCM_ContentDescription, map->label },
    { DCM_ContentQualification, "RESEARCH" },
    { DCM_NumberOfFrames, frames },
    { DCM_PhotometricInterpretation, "MONOCHROME2" },
    { DCM_PresentationLUTShape, "IDENTITY" },
    { DCM_LossyImageCompression, "00" },
    { DCM_BurnedInAnnotation, "NO" },
    { DCM_RecognizableVisualFeatures, "NO" },
  };

  for (const auto &text : texts)
    put (data, text.tag, text.text);
  put_new_uid (data, DCM_SOPInstanceUID);
  put_new_uid (data, DCM_SeriesInstanceUID);
  data->insertEmptyElement (DCM_ContentCreatorName);
  data->insertEmptyElement (DCM_AcquisitionContextSequence);
  data->putAndInsertUint16 (DCM_SamplesPerPixel, 1);
  data->putAndInsertUint16 (DCM_Rows, (Uint16) map->height);
  data->putAndInsertUint16 (DCM_Columns, (Uint16) map->width);
  data->putAndInsertUint16 (DCM_BitsAllocated, 32);
}

/* Whether the file has the SIZE bytes of its data set before its N samples, and all that is written
 * around them.  DCMTK does not tell if the last bytes did not fit on the disk. */
static gboolean
is_complete (DcmFileFormat *file, const char *path, guint64 size, guint64 n)
{
  enum { PREAMBLE = 128 + 4, SAMPLES_HEAD = 12 };
  guint32 meta = file->getMetaInfo ()->getLength (EXS_LittleEndianExplicit, EET_UndefinedLength);
  struct stat found;

  return stat (path, &found) == 0 &&
         (guint64) found.st_size == PREAMBLE + meta + size + SAMPLES_HEAD + n * sizeof (float);
}

gboolean
vg_dicom_write (const VgDicomStudy *self, const char *path, const VgDicomMap *map, char **reason)
{
  DcmFileFormat file;
  DcmDataset *data = file.getDataset ();
  guint64 n = (guint64) map->width * (guint64) map->height * (guint64) map->slices, size;
  OFCondition result;

  if (map->width > 65535 || map->height > 65535 || n > (G_MAXUINT32 >> 2) - 16)
    {
      *reason = g_strdup ("DICOM holds at most 65535 rows and columns, and 4 GB in a file");
      return FALSE;
    }
  *data = self->data;
  put_image (self, data, map);
  put_dimensions (data);
  put_groups (self, data, map);
  put_frames (data, map);
  size = data->getLength (EXS_LittleEndianExplicit, EET_UndefinedLength);
  result = data->putAndInsertFloat32Array (DCM_FloatPixelData, map->values, (unsigned long) n);
  errno = 0;
  if (result.good ())
    result = file.saveFile (path, EXS_LittleEndianExplicit);
  if (result.bad ())
    *reason = g_strdup_printf ("%s; free some space, or choose another folder",
                               errno != 0 ? g_strerror (errno) : result.text ());
  else if (!is_complete (&file, path, size, n))
    *reason = g_strdup ("the file is cut short; free space on the disk");
  return *reason == NULL;
}
