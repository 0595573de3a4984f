/* SPDX-License-Identifier: MIT */
/* Patient and study, and what all objects that are written share. */
#include "io/dicom/dcmtk/vg-dicom-study.h"
#include "vg-config.h"
#include <cmath>
#include <cstring>
#include <memory>
#include <sys/stat.h>

/* Elements that are copied to the objects, and whether they must exist, even if they are empty. */
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

void
vg_dicom_put (DcmItem *item, const DcmTagKey &tag, const char *text)
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
  vg_dicom_put (item, tag, text.c_str ());
}

DcmItem *
vg_dicom_add_item (DcmItem *item, const DcmTagKey &sequence)
{
  DcmItem *added = NULL;

  if (item->findOrCreateSequenceItem (sequence, added, -2).bad () || added == NULL)
    throw std::bad_alloc ();
  return added;
}

void
vg_dicom_put_code (DcmItem *item, const DcmTagKey &sequence, const VgDicomCode &code)
{
  DcmItem *added = vg_dicom_add_item (item, sequence);

  vg_dicom_put (added, DCM_CodeValue, code.value);
  vg_dicom_put (added, DCM_CodingSchemeDesignator, code.scheme);
  vg_dicom_put (added, DCM_CodeMeaning, code.meaning);
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

void
vg_dicom_put_new_uid (DcmItem *item, const DcmTagKey &tag)
{
  vg_dicom_put (item, tag, new_uid ().c_str ());
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
    vg_dicom_put_new_uid (&self->data, tag);
  else
    vg_dicom_put (&self->data, tag, uid.c_str ());
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
  vg_dicom_put (&self->data, DCM_Modality, *own != '\0' ? own : modality);
  if (!self->anonymous)
    self->series_number = MAX (vg_dicom_integer (source, DCM_SeriesNumber, 0), 0) % 1000000;
  else
    {
      vg_dicom_put (&self->data, DCM_PatientName, "Anonymous");
      vg_dicom_put (&self->data, DCM_PatientIdentityRemoved, "YES");
      vg_dicom_put (&self->data, DCM_DeidentificationMethod,
                    "Patient, study, dates, references removed");
    }
  if (!self->anonymous)
    {
      vg_dicom_put (&self->data, DCM_SeriesDate, day);
      vg_dicom_put (&self->data, DCM_SeriesTime, time);
    }
  /* an object must have these */
  vg_dicom_put (&self->data, DCM_ContentDate, self->anonymous ? "19000101" : day);
  vg_dicom_put (&self->data, DCM_ContentTime, self->anonymous ? "000000" : time);
}

/* Adds a source image, to which the objects will refer. */
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
  vg_dicom_put (item, DCM_ReferencedSOPClassUID, source.first.c_str ());
  vg_dicom_put (item, DCM_ReferencedSOPInstanceUID, source.second.c_str ());
}

void
vg_dicom_put_sources (const VgDicomStudy *self, DcmItem *data, DcmItem *shared, const char *text,
                      const VgDicomCode &code)
{
  DcmItem *derivation = NULL;

  for (const auto &series : self->sources)
    {
      DcmItem *listed = vg_dicom_add_item (data, DCM_ReferencedSeriesSequence);

      vg_dicom_put (listed, DCM_SeriesInstanceUID, series.first.c_str ());
      if (derivation == NULL)
        {
          derivation = vg_dicom_add_item (shared, DCM_DerivationImageSequence);
          vg_dicom_put (derivation, DCM_DerivationDescription, text);
          vg_dicom_put_code (derivation, DCM_DerivationCodeSequence, code);
        }
      for (const auto &source : series.second)
        {
          DcmItem *image = vg_dicom_add_item (derivation, DCM_SourceImageSequence);

          put_reference (vg_dicom_add_item (listed, DCM_ReferencedInstanceSequence), source);
          put_reference (image, source);
          vg_dicom_put_code (image, DCM_PurposeOfReferenceCodeSequence,
                             { "121322", "DCM", "Source image for image processing operation" });
        }
    }
}

/* A column of the matrix as a vector in DICOM's directions; returns its length. */
static double
get_column (const VgDicomGrid *grid, int column, double values[3])
{
  double length = 0;

  for (int i = 0; i < 3; i++)
    {
      values[i] = (i < 2 ? -1 : 1) * grid->matrix[i][column];
      length += values[i] * values[i];
    }
  return sqrt (length);
}

void
vg_dicom_put_geometry (DcmItem *shared, const VgDicomGrid *grid)
{
  DcmItem *measures = vg_dicom_add_item (shared, DCM_PixelMeasuresSequence),
          *plane = vg_dicom_add_item (shared, DCM_PlaneOrientationSequence);
  double axes[2][3], step[3], spacing[2], between = get_column (grid, 2, step);

  for (int axis = 0; axis < 2; axis++)
    {
      /* DICOM gives the distance between rows first */
      spacing[1 - axis] = get_column (grid, axis, axes[axis]);
      for (double &value : axes[axis])
        value /= spacing[1 - axis];
    }
  put_numbers (measures, DCM_PixelSpacing, spacing, 2);
  put_numbers (measures, DCM_SliceThickness, &between, 1);
  put_numbers (measures, DCM_SpacingBetweenSlices, &between, 1);
  put_numbers (plane, DCM_ImageOrientationPatient, axes[0], 6);
}

void
vg_dicom_put_position (DcmItem *frame, const VgDicomGrid *grid, int slice)
{
  double begin[3], step[3];

  get_column (grid, 3, begin);
  get_column (grid, 2, step);
  for (int i = 0; i < 3; i++)
    begin[i] += slice * step[i];
  put_numbers (vg_dicom_add_item (frame, DCM_PlanePositionSequence), DCM_ImagePositionPatient,
               begin, 3);
}

void
vg_dicom_put_dimensions (DcmItem *data, const DcmTagKey (&tags)[2], const DcmTagKey (&groups)[2])
{
  std::string uid = new_uid ();

  vg_dicom_put (vg_dicom_add_item (data, DCM_DimensionOrganizationSequence),
                DCM_DimensionOrganizationUID, uid.c_str ());
  for (int i = 0; i < 2; i++)
    {
      DcmItem *index = vg_dicom_add_item (data, DCM_DimensionIndexSequence);

      vg_dicom_put (index, DCM_DimensionOrganizationUID, uid.c_str ());
      index->putAndInsertTagKey (DCM_DimensionIndexPointer, tags[i]);
      index->putAndInsertTagKey (DCM_FunctionalGroupPointer, groups[i]);
    }
}

void
vg_dicom_begin_object (const VgDicomStudy *self, DcmDataset *data, const char *sop_class,
                       int number, const char *text, const VgDicomGrid *grid)
{
  g_autofree char *series = g_strdup_printf ("%d", 100 * self->series_number + number);
  const struct
  {
    DcmTagKey tag;
    const char *text;
  } texts[] = {
    { DCM_SOPClassUID, sop_class },
    { DCM_Manufacturer, "Vivograph" },
    { DCM_ManufacturerModelName, "Vivograph" },
    { DCM_DeviceSerialNumber, "0" },
    { DCM_SoftwareVersions, VG_VERSION },
    { DCM_SeriesNumber, series },
    { DCM_InstanceNumber, "1" },
    { DCM_SeriesDescription, text },
    { DCM_ContentDescription, text },
    { DCM_PhotometricInterpretation, "MONOCHROME2" },
    { DCM_LossyImageCompression, "00" },
  };

  *data = self->data;
  for (const auto &element : texts)
    vg_dicom_put (data, element.tag, element.text);
  vg_dicom_put_new_uid (data, DCM_SOPInstanceUID);
  vg_dicom_put_new_uid (data, DCM_SeriesInstanceUID);
  data->insertEmptyElement (DCM_ContentCreatorName);
  data->putAndInsertUint16 (DCM_SamplesPerPixel, 1);
  data->putAndInsertUint16 (DCM_Rows, (Uint16) grid->height);
  data->putAndInsertUint16 (DCM_Columns, (Uint16) grid->width);
}

gboolean
vg_dicom_is_complete (DcmFileFormat *file, const char *path, guint64 size, guint64 bytes)
{
  enum { PREAMBLE = 128 + 4, SAMPLES_HEAD = 12 };
  guint32 meta = file->getMetaInfo ()->getLength (EXS_LittleEndianExplicit, EET_UndefinedLength);
  struct stat found;

  return stat (path, &found) == 0 &&
         (guint64) found.st_size == PREAMBLE + meta + size + SAMPLES_HEAD + bytes;
}
