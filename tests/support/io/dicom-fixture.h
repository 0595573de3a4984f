/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* DICOM files of one image, written without DCMTK, with samples that are known. */
G_BEGIN_DECLS

typedef enum { DICOM_EXPLICIT, DICOM_IMPLICIT, DICOM_BIG } DicomSyntax;

typedef struct
{
  DicomSyntax syntax;
  int series, instance; /* instance 0: not written */
  int width, height;
  gboolean placed;
  double z;      /* mm */
  double time_s; /* of the acquisition, s of the day; negative: not written */
  int temporal;  /* index of the time point; 0: not written */
  double echo_ms, slope;
  guint16 base;        /* sample (x, y) is base + x + 10 y */
  int declared;        /* number of frames that the header gives; 0: not written */
  int stored;          /* frames with samples, each 1000 above the one before; 0: one */
  int tiles;           /* of a Siemens mosaic; 0: none */
  gboolean csa;        /* their number is in Siemens' own header, without a zero at its end */
  const char *owner;   /* of the block of elements that usually has this number; or NULL */
  guint8 block;        /* to which that block was moved; 0: it was not */
  const char *patient; /* ID; NULL: not written */
  int study;           /* last part of its UID */
  gboolean no_pulses;  /* repetition time and flip angle are not written */
} DicomVariant;

/* An image of 6 x 4 samples, which tests change. */
DicomVariant fixture_dicom_variant (void);
/* The file. */
GByteArray *fixture_dicom (const DicomVariant *variant);
/* Writes it as FOLDER/NAME. */
void fixture_dicom_write (const char *folder, const char *name, const DicomVariant *variant);
/* A frame of a segmentation of 6 x 4 pixels, in the place of the images above. */
typedef struct
{
  int segment;
  double z;       /* mm */
  guint8 bits[3]; /* pixel (x, y) is bit x + 6 y */
} DicomSegmentFrame;

/* A segmentation with the N FRAMES, whose slices are 3 mm apart.  It lists the segments 1,
 * "Artery", and 4, "Portal vein". */
GByteArray *fixture_dicom_segments (const DicomSegmentFrame *frames, guint n);
/* A DICOMDIR that lists the N names, with '\\' between folders. */
GByteArray *fixture_dicomdir (const char *const *names, guint n);

G_END_DECLS
