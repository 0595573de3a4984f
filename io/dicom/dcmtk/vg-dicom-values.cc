/* SPDX-License-Identifier: MIT */
/* Values of elements.  All are read as text, because scanners store numbers in several
 * representations. */
#include "io/dicom/dcmtk/vg-dicom-file.h"
#include <cmath>
#include <dcmtk/dcmdata/dcspchrs.h>

/* Bytes of the longest element that holds a text or numbers. */
static const Uint32 longest_value = 64 << 10;

DcmElement *
vg_dicom_find (DcmItem *item, const DcmTagKey &tag)
{
  DcmElement *element = NULL;

  if (item == NULL || item->findAndGetElement (tag, element).bad () || element == NULL ||
      element->getLengthField () > longest_value)
    return NULL;
  return element;
}

double
vg_dicom_number (DcmItem *item, const DcmTagKey &tag, unsigned long index)
{
  DcmElement *element = vg_dicom_find (item, tag);
  OFString text;
  char *end;
  double value;

  if (element == NULL || element->getOFString (text, index).bad () || text.empty ())
    return NAN;
  value = g_ascii_strtod (text.c_str (), &end);
  return end != text.c_str () && std::isfinite (value) ? value : NAN;
}

int
vg_dicom_integer (DcmItem *item, const DcmTagKey &tag, int lowest)
{
  double value = vg_dicom_number (item, tag);

  return value >= -1e9 && value <= 1e9 ? (int) value : lowest;
}

void
vg_dicom_text (DcmItem *item, const DcmTagKey &tag, char *text, gsize size)
{
  DcmElement *element = vg_dicom_find (item, tag);
  OFString value;

  *text = '\0';
  if (element == NULL || element->getOFStringArray (value).bad ())
    return;
  g_strlcpy (text, value.c_str (), size);
  g_strstrip (text);
  for (char *c = text; *c != '\0'; c++)
    if (!g_ascii_isprint (*c))
      *c = '?';
}

/* Converts a text of character set FROM to UTF-8.  What cannot be converted becomes '?'. */
static OFString
to_utf8 (const OFString &text, const OFString &from)
{
  DcmSpecificCharacterSet set;
  OFString result;

  if (!from.empty () && set.selectCharacterSet (from).good () &&
      set.convertString (text, result, "^=").good ())
    return result;
  result = text;
  for (size_t i = 0; i < result.length (); i++)
    if ((unsigned char) result[i] >= 0x80)
      result[i] = '?';
  return result;
}

/* The same as vg_dicom_text, of any language. */
static void
get_utf8 (DcmItem *item, const DcmTagKey &tag, const OFString &set, char *text, gsize size)
{
  DcmElement *element = vg_dicom_find (item, tag);
  OFString value;

  *text = '\0';
  if (element == NULL || element->getOFStringArray (value).bad ())
    return;
  g_strlcpy (text, to_utf8 (value, set).c_str (), size);
  g_strstrip (text);
}

void
vg_dicom_patient (VgDicomFile *file, VgDicomPatient *patient)
{
  DcmElement *element = vg_dicom_find (file->data, DCM_SpecificCharacterSet);
  OFString set;

  if (element != NULL && element->getOFStringArray (set).bad ())
    set.clear ();
  get_utf8 (file->data, DCM_PatientName, set, patient->name, sizeof patient->name);
  get_utf8 (file->data, DCM_PatientID, set, patient->id, sizeof patient->id);
  get_utf8 (file->data, DCM_PatientBirthDate, set, patient->birth_date, sizeof patient->birth_date);
  get_utf8 (file->data, DCM_PatientSex, set, patient->sex, sizeof patient->sex);
  get_utf8 (file->data, DCM_StudyDate, set, patient->study_date, sizeof patient->study_date);
  get_utf8 (file->data, DCM_StudyDescription, set, patient->study, sizeof patient->study);
  get_utf8 (file->data, DCM_SeriesDescription, set, patient->series, sizeof patient->series);
}

DcmItem *
vg_dicom_first_item (DcmItem *item, const DcmTagKey &sequence)
{
  DcmElement *element = NULL;
  DcmSequenceOfItems *items;

  if (item == NULL || item->findAndGetElement (sequence, element).bad ())
    return NULL;
  items = dynamic_cast<DcmSequenceOfItems *> (element);
  return items != NULL && items->card () > 0 ? items->getItem (0) : NULL;
}

/* Whether block BLOCK of GROUP belongs to CREATOR. */
static gboolean
is_block_of (DcmItem *item, Uint16 group, Uint16 block, const char *creator)
{
  char text[VG_DICOM_TEXT_SIZE];

  vg_dicom_text (item, DcmTagKey (group, block), text, sizeof text);
  return g_ascii_strcasecmp (text, creator) == 0;
}

DcmTagKey
vg_dicom_private (DcmItem *item, const VgDicomPrivate &element)
{
  Uint16 usual = element.element >> 8, found = 0;

  if (item == NULL)
    return DcmTagKey (element.group, element.element);
  if (is_block_of (item, element.group, usual, element.creator))
    found = usual;
  for (DcmObject *object = found == 0 ? item->nextInContainer (NULL) : NULL;
       object != NULL && found == 0; object = item->nextInContainer (object))
    {
      Uint16 block = object->getETag ();

      if (object->getGTag () == element.group && block >= 0x10 && block <= 0xff &&
          is_block_of (item, element.group, block, element.creator))
        found = block;
    }
  if (found == 0 && is_block_of (item, element.group, usual, "")) /* the creator was removed */
    found = usual;
  return found == 0 ? DCM_UndefinedTagKey
                    : DcmTagKey (element.group, (Uint16) (found << 8 | (element.element & 0xff)));
}

/* Frames are described in order, and an item is found from the one before it. */
DcmItem *
vg_dicom_frame_item (VgDicomFile *file, int index)
{
  if (file->per_frame == NULL || (unsigned long) index >= file->per_frame->card ())
    return NULL;
  if (file->current != NULL && index == file->at)
    return file->current;
  file->current = file->current != NULL && index == file->at + 1
                      ? dynamic_cast<DcmItem *> (file->per_frame->nextInContainer (file->current))
                      : file->per_frame->getItem ((unsigned long) index);
  file->at = index;
  return file->current;
}

DcmItem *
vg_dicom_group (VgDicomFile *file, int index, const DcmTagKey &sequence)
{
  DcmItem *item = vg_dicom_first_item (vg_dicom_frame_item (file, index), sequence);

  if (item == NULL)
    item = vg_dicom_first_item (file->shared, sequence);
  return item != NULL ? item : file->data;
}

/* The number of the N digits at TEXT; -1: they are not all digits. */
static int
digits (const char *text, int n)
{
  int value = 0;

  for (int i = 0; i < n; i++)
    {
      if (!g_ascii_isdigit (text[i]))
        return -1;
      value = 10 * value + text[i] - '0';
    }
  return value;
}

/* Days since 1970 of a date in the Gregorian calendar; 0: it is none. */
static double
days_of (const char *date)
{
  int year = digits (date, 4), month = year < 0 ? -1 : digits (date + 4, 2),
      day = month < 0 ? -1 : digits (date + 6, 2);

  if (year < 1 || month < 1 || month > 12 || day < 1 || day > 31)
    return 0;
  /* years begin in March, so that leap days end them */
  year -= month <= 2;
  month = (month + 9) % 12;
  return 365.0 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 719469;
}

double
vg_dicom_seconds (const char *date, const char *time)
{
  int hours = digits (time, 2), minutes = hours < 0 ? -1 : digits (time + 2, 2);
  double seconds = 0;

  if (hours < 0 || hours > 23 || minutes > 59)
    return NAN;
  if (minutes >= 0 && digits (time + 4, 2) >= 0)
    seconds = g_ascii_strtod (time + 4, NULL);
  if (!(seconds >= 0 && seconds < 61))
    return NAN;
  return 86400 * days_of (date) + 3600.0 * hours + 60.0 * MAX (minutes, 0) + seconds;
}
