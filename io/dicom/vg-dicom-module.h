/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The DICOM module: the data that it returns for a file, and the table of its functions.  It is
 * written in C++ with DCMTK and reads or writes one file at a time; C code decides how files form
 * volumes and series. */
G_BEGIN_DECLS

enum { VG_DICOM_ABI = 5, VG_DICOM_UID_SIZE = 68, VG_DICOM_TEXT_SIZE = 68 };

/* Where a frame comes from. */
typedef struct
{
  char study_uid[VG_DICOM_UID_SIZE], series_uid[VG_DICOM_UID_SIZE], instance_uid[VG_DICOM_UID_SIZE];
  char description[VG_DICOM_TEXT_SIZE]; /* of the series, else of the protocol */
  /* values of the image type beyond the second, such as magnitude or phase; the label of a segment
   */
  char kind[VG_DICOM_TEXT_SIZE];
  char modality[20], maker[VG_DICOM_TEXT_SIZE];
  char patient_id[VG_DICOM_TEXT_SIZE];
  int series_number, acquisition_number, instance_number; /* G_MININT: not given */
} VgDicomOrigin;

/* Placement of a frame in the patient, in mm; DICOM's x grows to the left and y to the back. */
typedef struct
{
  gboolean known;                      /* position and orientation are given */
  double position[3], row[3], down[3]; /* of the first sample; along a row; along a column */
  double spacing[2];                   /* of samples in a row, and of rows; 0: not given */
  double thickness, between;           /* of the slice, and from slice to slice; 0: not given */
} VgDicomPlace;

/* NaN: not given. */
typedef struct
{
  double temporal_index;        /* of the time point */
  double acquired_s, content_s; /* of the frame, s since 1970 in local time */
  double trigger_s, dynamic_s;  /* since the trigger; since the series began (Philips) */
  double resolution_s, all_s;   /* of a time point; of the series (GE) */
  double repetition_ms, echo_ms, flip_deg, inversion_ms;
} VgDicomTiming;

typedef struct
{
  double slope, intercept; /* value = slope * sample + intercept */
  int tiles;               /* slices that a Siemens mosaic holds; 0: none */
  double normal[3];        /* of the slices of a mosaic, in their order; all 0: not known */
} VgDicomSamples;

typedef struct
{
  VgDicomOrigin origin;
  VgDicomPlace place;
  VgDicomTiming timing;
  VgDicomSamples samples;
  int width, height;
  int index;   /* in its file, from 0 */
  int tile;    /* of a mosaic, from 0; -1: the whole frame */
  int segment; /* of a segmentation, whose samples are 0 or 1; 0: it is an image */
  guint file;  /* number of its file, set by the caller */
} VgDicomFrame;

/* Whom and what a file shows, as UTF-8; "": not given. */
typedef struct
{
  char name[200]; /* as in the file, with '^' between its parts */
  char id[VG_DICOM_TEXT_SIZE], birth_date[20], sex[20];
  char study_date[20], study[200], series[200]; /* dates as YYYYMMDD; descriptions */
} VgDicomPatient;

typedef struct VgDicomFile VgDicomFile;
/* The data that all maps of an export have in common: patient, study and source images. */
typedef struct VgDicomStudy VgDicomStudy;

typedef struct
{
  int width, height, slices;
  double matrix[3][4]; /* from sample numbers to mm as in nifti1.h */
} VgDicomGrid;

/* A map to write.  Its texts are ASCII. */
typedef struct
{
  const char *id, *label, *unit;
  const char *derivation; /* how it was computed: its label and the settings */
  int number;             /* of the map in its operation, from 1 */
  VgDicomGrid grid;
  const float *values; /* slice by slice; NaN: missing */
} VgDicomMap;

/* Who outlined a region (DICOM PS3.3, C.8.20.2). */
typedef enum {
  VG_DICOM_MANUAL,
  VG_DICOM_AUTOMATIC,
  VG_DICOM_SEMIAUTOMATIC, /* found, then changed by the user */
} VgDicomAlgorithm;

/* Regions to write as segments. */
typedef struct
{
  const char *const *labels;          /* ASCII, NULL-terminated */
  const VgDicomAlgorithm *algorithms; /* as many */
  const char *algorithm;              /* name of that of segments that are not manual, ASCII */
  int number;                         /* as that of a map */
  VgDicomGrid grid;
  /* Sets the pixels of the region with label I, from 0, in SLICE to 1; all of MASK is 0 before.
   * FALSE: it has none there, and MASK is as before. */
  gboolean (*mark) (gconstpointer data, guint i, int slice, guint8 *mask);
  gconstpointer data;
} VgDicomSegments;

typedef struct
{
  int abi;
  /* Opens a file; large elements stay in it.  NULL and *REASON (g_free): "it is not a DICOM
   * file". */
  VgDicomFile *(*open) (const char *path, char **reason);
  void (*close) (VgDicomFile *file);
  /* Number of frames of a grey image; 0 and *REASON, "it contains no image", if it has none. */
  int (*count) (VgDicomFile *file, char **reason);
  /* Describes frame INDEX, all but its tile and file. */
  void (*describe) (VgDicomFile *file, int index, VgDicomFrame *frame);
  /* Reads the N samples of frame INDEX without rescaling them; FALSE and *REASON. */
  gboolean (*read) (VgDicomFile *file, int index, float *samples, gsize n, char **reason);
  /* The names of the files of a DICOMDIR as it gives them, with '\\' between folders
   * (g_strfreev), at most MOST; NULL and *REASON: it is not a DICOMDIR. */
  char **(*list) (VgDicomFile *file, guint most, char **reason);
  /* Copies patient and study from the first of FILES and refers to all of them, unless ANONYMOUS.
   * Without FILES (NULL), the study is new and has MODALITY.  NULL and *REASON: a file cannot be
   * read. */
  VgDicomStudy *(*study_new) (const char *const *files, const char *modality, gboolean anonymous,
                              char **reason);
  void (*study_free) (VgDicomStudy *self);
  /* Writes MAP as a parametric map in a new series.  FALSE and *REASON: it cannot.  Only one thread
   * at a time may write maps of a study. */
  gboolean (*write) (const VgDicomStudy *self, const char *path, const VgDicomMap *map,
                     char **reason);
  /* Writes SEGMENTS as a segmentation in a new series, in the same way; those without a voxel are
   * left out. */
  gboolean (*write_segments) (const VgDicomStudy *self, const char *path,
                              const VgDicomSegments *segments, char **reason);
  /* Describes patient and study of an open file. */
  void (*patient) (VgDicomFile *file, VgDicomPatient *patient);
} VgDicomModule;

/* Whether the module is installed; it is not loaded.  FALSE and *REASON, borrowed. */
gboolean vg_dicom_module_is_there (const char **reason);
/* The module, loaded once; NULL and *REASON, borrowed, if it cannot be used. */
const VgDicomModule *vg_dicom_module_get (const char **reason);

G_END_DECLS
