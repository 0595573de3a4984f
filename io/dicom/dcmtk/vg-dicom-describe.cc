/* SPDX-License-Identifier: MIT */
/* Describes a frame.  Classic images have their attributes in the data set; enhanced images have
 * them in functional groups of the frame or of all frames (DICOM PS3.3, C.7.6.16).  Private
 * elements are those that dcm2niix uses too. */
#include "io/dicom/dcmtk/vg-dicom-file.h"
#include <cmath>
#include <cstring>

static const VgDicomPrivate philips_frame = { 0x2005, 0x140f, "Philips MR Imaging DD 005" },
                            philips_scale = { 0x2005, 0x100e, "Philips MR Imaging DD 001" },
                            philips_dynamic = { 0x2005, 0x10a0, "Philips MR Imaging DD 001" },
                            ge_duration = { 0x0019, 0x105a, "GEMS_ACQU_01" },
                            siemens_tiles = { 0x0019, 0x100a, "SIEMENS MR HEADER" },
                            siemens_header = { 0x0029, 0x1010, "SIEMENS CSA HEADER" };

static void
set_origin (VgDicomFile *file, int index, VgDicomOrigin *origin)
{
  DcmItem *data = file->data, *type = vg_dicom_group (file, index, DCM_MRImageFrameTypeSequence);
  char text[256], component[32];
  const char *rest;

  vg_dicom_text (data, DCM_StudyInstanceUID, origin->study_uid, sizeof origin->study_uid);
  vg_dicom_text (data, DCM_SeriesInstanceUID, origin->series_uid, sizeof origin->series_uid);
  vg_dicom_text (data, DCM_SOPInstanceUID, origin->instance_uid, sizeof origin->instance_uid);
  vg_dicom_text (data, DCM_SeriesDescription, origin->description, sizeof origin->description);
  if (*origin->description == '\0')
    vg_dicom_text (data, DCM_ProtocolName, origin->description, sizeof origin->description);
  vg_dicom_text (data, DCM_Modality, origin->modality, sizeof origin->modality);
  vg_dicom_text (data, DCM_Manufacturer, origin->maker, sizeof origin->maker);
  vg_dicom_text (data, DCM_PatientID, origin->patient_id, sizeof origin->patient_id);
  if (type == data)
    type = vg_dicom_group (file, index, DCM_CTImageFrameTypeSequence);
  vg_dicom_text (type, type == data ? DCM_ImageType : DCM_FrameType, text, sizeof text);
  vg_dicom_text (type, DCM_ComplexImageComponent, component, sizeof component);
  rest = strchr (text, '\\');
  rest = rest != NULL ? strchr (rest + 1, '\\') : NULL;
  g_snprintf (origin->kind, sizeof origin->kind, "%s%s%s", rest != NULL ? rest + 1 : "",
              *component != '\0' && type != data ? "\\" : "", type != data ? component : "");
  origin->series_number = vg_dicom_integer (data, DCM_SeriesNumber, G_MININT);
  origin->acquisition_number = vg_dicom_integer (data, DCM_AcquisitionNumber, G_MININT);
  origin->instance_number = vg_dicom_integer (data, DCM_InstanceNumber, G_MININT);
}

static double
private_number (DcmItem *item, const VgDicomPrivate &element)
{
  return vg_dicom_number (item, vg_dicom_private (item, element));
}

/* The item with Philips' private elements of frame INDEX, or the data set. */
static DcmItem *
philips_item (VgDicomFile *file, int index)
{
  DcmItem *frame = vg_dicom_frame_item (file, index),
          *own = vg_dicom_first_item (frame, vg_dicom_private (frame, philips_frame));

  return own != NULL ? own : file->data;
}

/* A length in mm, or 0. */
static double
get_length (DcmItem *item, const DcmTagKey &tag, unsigned long index)
{
  double value = fabs (vg_dicom_number (item, tag, index));

  return value > 1e-6 && value < 1e5 ? value : 0;
}

static void
set_place (VgDicomFile *file, int index, VgDicomPlace *place)
{
  DcmItem *position = vg_dicom_group (file, index, DCM_PlanePositionSequence),
          *orientation = vg_dicom_group (file, index, DCM_PlaneOrientationSequence),
          *measures = vg_dicom_group (file, index, DCM_PixelMeasuresSequence);
  double across = 0, row = 0, down = 0;

  for (unsigned long i = 0; i < 3; i++)
    {
      place->position[i] = vg_dicom_number (position, DCM_ImagePositionPatient, i);
      place->row[i] = vg_dicom_number (orientation, DCM_ImageOrientationPatient, i);
      place->down[i] = vg_dicom_number (orientation, DCM_ImageOrientationPatient, 3 + i);
      across += place->row[i] * place->down[i];
      row += place->row[i] * place->row[i];
      down += place->down[i] * place->down[i];
    }
  place->known = fabs (place->position[0]) + fabs (place->position[1]) + fabs (place->position[2]) <
                     1e6 &&
                 fabs (row - 1) < 0.01 && fabs (down - 1) < 0.01 && fabs (across) < 0.01;
  place->spacing[0] = get_length (measures, DCM_PixelSpacing, 1);
  place->spacing[1] = get_length (measures, DCM_PixelSpacing, 0);
  place->thickness = get_length (measures, DCM_SliceThickness, 0);
  place->between = get_length (measures, DCM_SpacingBetweenSlices, 0);
}

/* Seconds of a date and time "YYYYMMDDHHMMSS.ffffff". */
static double
get_moment (DcmItem *item, const DcmTagKey &tag)
{
  char text[32];

  vg_dicom_text (item, tag, text, sizeof text);
  return strlen (text) >= 10 ? vg_dicom_seconds (text, text + 8) : NAN;
}

/* Seconds of a time in one element and a date in another. */
static double
get_time (DcmItem *item, const DcmTagKey &date, const DcmTagKey &time)
{
  char day[32], text[32];

  vg_dicom_text (item, date, day, sizeof day);
  vg_dicom_text (item, time, text, sizeof text);
  return vg_dicom_seconds (day, text);
}

/* The first of two numbers that is one. */
static double
either (double first, double second)
{
  return std::isnan (first) ? second : first;
}

static void
set_timing (VgDicomFile *file, int index, VgDicomTiming *timing)
{
  DcmItem *data = file->data, *content = vg_dicom_group (file, index, DCM_FrameContentSequence),
          *pulse = vg_dicom_group (file, index, DCM_MRTimingAndRelatedParametersSequence),
          *echo = vg_dicom_group (file, index, DCM_MREchoSequence),
          *modifier = vg_dicom_group (file, index, DCM_MRModifierSequence);

  timing->temporal_index = either (vg_dicom_number (content, DCM_TemporalPositionIndex),
                                   vg_dicom_number (data, DCM_TemporalPositionIdentifier));
  timing->acquired_s = either (get_moment (content, DCM_FrameAcquisitionDateTime),
                               either (get_time (data, DCM_AcquisitionDate, DCM_AcquisitionTime),
                                       get_moment (data, DCM_AcquisitionDateTime)));
  timing->content_s = get_time (data, DCM_ContentDate, DCM_ContentTime);
  timing->trigger_s = vg_dicom_number (data, DCM_TriggerTime) * 1e-3;
  timing->dynamic_s = private_number (philips_item (file, index), philips_dynamic);
  timing->resolution_s = vg_dicom_number (data, DCM_TemporalResolution) * 1e-3;
  timing->all_s = private_number (data, ge_duration) * 1e-6;
  timing->repetition_ms = vg_dicom_number (pulse, DCM_RepetitionTime);
  timing->flip_deg = vg_dicom_number (pulse, DCM_FlipAngle);
  timing->inversion_ms = either (vg_dicom_number (modifier, DCM_InversionTimes),
                                 vg_dicom_number (data, DCM_InversionTime));
  timing->echo_ms = either (vg_dicom_number (echo, DCM_EffectiveEchoTime),
                            vg_dicom_number (data, DCM_EchoTime));
}

static void
set_samples (VgDicomFile *file, int index, const char *maker, VgDicomSamples *samples)
{
  DcmItem *item = vg_dicom_group (file, index, DCM_PixelValueTransformationSequence);
  double slope = vg_dicom_number (item, DCM_RescaleSlope),
         intercept = vg_dicom_number (item, DCM_RescaleIntercept),
         scale = private_number (philips_item (file, index), philips_scale);

  samples->slope = std::isfinite (slope) && slope != 0 ? slope : 1;
  samples->intercept = std::isfinite (intercept) ? intercept : 0;
  /* the displayed value of Philips divided by both slopes is the measured one (Chenevert et al.,
   * Transl. Oncol. 7 (2014) 65) */
  if (g_ascii_strncasecmp (maker, "Philips", 7) == 0 && scale > 1e-30 && scale < 1e30)
    {
      samples->intercept /= samples->slope * scale;
      samples->slope = 1 / scale;
    }
}

/* The 32-bit little-endian number at BYTES. */
static guint32
word (const Uint8 *bytes)
{
  return (guint32) bytes[0] | (guint32) bytes[1] << 8 | (guint32) bytes[2] << 16 |
         (guint32) bytes[3] << 24;
}

/* The first COUNT numbers of entry NAME of Siemens' CSA header: "SV10", four bytes, the number of
 * entries, a mark; each entry a name of 64 bytes, 20 bytes, its number of items in the third word
 * after the name, and its items, each with its length in the second of four words. */
static gboolean
find_in_csa (const Uint8 *bytes, gsize length, const char *name, double *values, int count)
{
  gsize at = 16, entries = length > 16 && memcmp (bytes, "SV10", 4) == 0 ? word (bytes + 8) : 0;

  for (gsize i = 0; i < entries && i < 1000 && at + 84 <= length; i++)
    {
      gboolean wanted = strncmp ((const char *) bytes + at, name, 64) == 0;
      guint32 items = word (bytes + at + 76);
      int found = 0;

      at += 84;
      for (guint32 k = 0; k < items && k < 1000 && at + 16 <= length; k++)
        {
          gsize size = word (bytes + at + 4);
          char text[64];

          at += 16;
          if (size > length - at)
            return FALSE;
          if (wanted && size > 0 && found < count)
            {
              gsize n = MIN (size, sizeof text - 1);

              memcpy (text, bytes + at, n);
              text[n] = '\0';
              values[found++] = g_ascii_strtod (text, NULL);
            }
          at += (size + 3) / 4 * 4;
        }
      if (wanted)
        return found == count;
    }
  return FALSE;
}

/* A mosaic is one image that holds the slices of a volume as tiles. */
static void
set_mosaic (VgDicomFile *file, const char *kind, VgDicomSamples *samples)
{
  DcmElement *header = NULL;
  Uint8 *bytes = NULL;
  double tiles = private_number (file->data, siemens_tiles);

  if (strstr (kind, "MOSAIC") == NULL)
    return;
  if (file->data->findAndGetElement (vg_dicom_private (file->data, siemens_header), header)
          .good () &&
      header != NULL && header->getLength () < 16 << 20 && header->getUint8Array (bytes).good () &&
      bytes != NULL)
    {
      if (std::isnan (tiles))
        find_in_csa (bytes, header->getLength (), "NumberOfImagesInMosaic", &tiles, 1);
      if (!find_in_csa (bytes, header->getLength (), "SliceNormalVector", samples->normal, 3))
        memset (samples->normal, 0, sizeof samples->normal);
    }
  samples->tiles = tiles >= 1 && tiles <= 4096 ? (int) tiles : 0;
}

void
vg_dicom_describe (VgDicomFile *file, int index, VgDicomFrame *frame)
{
  memset (frame, 0, sizeof *frame);
  frame->width = file->width;
  frame->height = file->height;
  frame->index = index;
  frame->tile = -1;
  set_origin (file, index, &frame->origin);
  set_place (file, index, &frame->place);
  set_timing (file, index, &frame->timing);
  set_samples (file, index, frame->origin.maker, &frame->samples);
  set_mosaic (file, frame->origin.kind, &frame->samples);
  if (!file->segments.empty ())
    vg_dicom_describe_segment (file, index, frame);
}
