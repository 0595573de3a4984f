/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/dicom/vg-dicom-module.h"
#include "io/fence/vg-decoder.h"
G_BEGIN_DECLS

/* Files of a DICOMDIR that are read at most. */
enum { VG_DICOM_MOST_NAMES = 100000 };

/* What DCMTK says about a file, unchecked. */
typedef struct
{
  int frames;         /* 0: it is no grey image, for the reason `why` */
  int names;          /* files that it lists; -1: it is not a DICOMDIR */
  gint64 names_bytes; /* of all names, each with its zero */
  char why[200];
  VgDicomFrame first; /* frame 0 */
} VgDicomHead;

/* The first number of VgDecoder.read. */
enum {
  VG_DICOM_SAMPLES, /* floats of the frame of the second number */
  VG_DICOM_FRAMES,  /* descriptions, VgDicomFrame, of frames from the second number on */
  VG_DICOM_NAMES,   /* the names of a DICOMDIR, one after the other with their zeros */
  VG_DICOM_PATIENT  /* a VgDicomPatient */
};

G_END_DECLS
