/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* A data set: sample type, size, axes, physical scales and metadata (VgImageInfo), and for data
 * held in memory its samples (VgImage).  Readers fill in VgImageInfo first, so that sizes can be
 * checked before samples are read. */
G_BEGIN_DECLS

typedef enum { VG_U8, VG_U16, VG_U32, VG_F32 } VgType;

static inline gsize
vg_type_size (VgType type)
{
  return type == VG_U8 ? 1 : type == VG_U16 ? 2 : 4;
}

/* Position and orientation of a volume in the patient, in the terms of NIfTI-1 (nifti1.h, "3D image
 * (volume) orientation").  Maps inherit it unchanged. */
typedef struct
{
  gboolean known;
  int qform_code, sform_code;
  double pixdim[4]; /* qfac; voxel size in `unit` */
  double quatern[3], offset[3];
  double srow[3][4];
  int unit; /* NIfTI code: 0 unknown, 1 m, 2 mm, 3 µm */
} VgPlacement;

/* Pages are stored with the bin fastest, then the slice, then the frame:
 * page = (frame * slices + slice) * bins + bin.  A missing axis has extent 1; an unknown scale is
 * 0. */
typedef struct
{
  VgType type;
  int width, height;
  int channels;         /* 1 grey; 3 or 4 colour, interleaved */
  gint64 bins, slices;  /* time bins of a decay; slices of a volume */
  gint64 frames;        /* time points; -1: live source without an end */
  int significant_bits; /* used bits of integer samples, such as 12 of 16 */
  double pixel_size[3]; /* along x, y, z, in pixel_unit */
  char pixel_unit[8];   /* "µm", "mm", "cm"; "": unknown */
  double origin[2];     /* corner of a slide region, px of level 0 */
  double downsample;    /* pixels of level 0 per pixel, along an axis; 0: not a slide */
  double frame_interval_s;
  /* an impossible frame interval that the file states; not used; else 0 */
  double frame_interval_claimed_s;
  double exposure_ms;
  double repetition_ms, flip_deg; /* repetition time and flip angle of an MRI sequence */
  double echo_ms, inversion_ms;   /* its echo time, and the time after its preparation pulse */
  gboolean ct;                    /* computed tomography: samples are CT numbers */
  double bin_width_ns, period_ns;
  /* number of files with several frames each that were joined; 0: not joined */
  int joined;
  /* frames are cumulative: a skipped frame loses nothing */
  gboolean gathers;
  /* the channel that is read, from 1, and their number; 0: no choice */
  int channel, channels_available;
  /* a table of curves: a single row of pixels, which is no picture */
  gboolean curves;
  /* the series of DICOM files that is read, from 1, and their number; 0: no choice */
  int series, series_available;
  /* label of the segment that was read from a DICOM segmentation: samples are 1 inside it and 0
   * outside, at the positions that the placement gives; "": the image is not a segment */
  char segment[68];
  VgPlacement placement; /* of a volume; all 0 if unknown */
  /* bit i: the reader's option i affects this source */
  guint readings;
} VgImageInfo;

/* One grey image: a frame with one slice and one bin. */
static inline VgImageInfo
vg_image_info_grey (VgType type, int width, int height)
{
  VgImageInfo info = { .type = type,
                       .width = width,
                       .height = height,
                       .channels = 1,
                       .bins = 1,
                       .slices = 1,
                       .frames = 1 };

  return info;
}

/* Number of samples, and of bytes, in one page; 0 if INFO is invalid or the number overflows. */
gsize vg_image_info_page_samples (const VgImageInfo *info);
gsize vg_image_info_page_bytes (const VgImageInfo *info);
/* Bytes in one frame (all time bins and slices of a time point); 0 as above. */
gsize vg_image_info_frame_bytes (const VgImageInfo *info);
/* Number of pages; -1 for a live source, 0 on overflow. */
gint64 vg_image_info_pages (const VgImageInfo *info);
/* The volume of N voxels in ml; NaN: their size is not known. */
double vg_image_info_volume_ml (const VgImageInfo *info, double n);
/* Width and height of a pixel in micrometres.  FALSE and both 0: unknown. */
gboolean vg_image_info_pixel_um (const VgImageInfo *info, double um[2]);
/* One line of text, such as "1392x1040, 16-bit (12 used), 500 frames". */
char *vg_image_info_to_string (const VgImageInfo *info);

/* A data set in memory.  Reference counted; immutable once shared. */
typedef struct _VgImage
{
  VgImageInfo info;
  char *name;      /* file name, for messages */
  char *details;   /* what was read and assumed, one line each; or NULL */
  char **series;   /* what each series of the file is, ended by NULL; or NULL */
  char *caution;   /* a possible mistake of the user; or NULL */
  gboolean cut;    /* the file is truncated, as `caution` says */
  void *data;      /* all pages */
  double *times_s; /* frame times, one per frame; or NULL */
  /* flip angles and inversion times of MRI frames, one per frame; NULL: unknown */
  double *flips_deg, *inversions_ms;
  char **names; /* of the curves of a table, one per pixel, ended by NULL; or NULL */
  char *text;   /* content of a text file, NUL-terminated; else NULL */
  gsize text_length;
  /* of a slide region: a reduced image of its whole level, for calibration; or NULL */
  struct _VgImage *slide;
  /* of such a reduced image: the operation's calibration, cached for its next state; or NULL */
  gpointer measured;
  GDestroyNotify free_measured;
  GDestroyNotify free_data; /* frees `data` */
  gatomicrefcount ref_count;
} VgImage;

/* A data set of zeros.  NULL with an error if INFO is invalid or memory is short. */
VgImage *vg_image_new (const VgImageInfo *info, const char *name, GError **error);
/* The content of a text file.  Takes ownership of TEXT (g_free), whose byte LENGTH is NUL. */
VgImage *vg_image_new_text (char *text, gsize length, const char *name);
VgImage *vg_image_ref (VgImage *self);
void vg_image_unref (VgImage *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgImage, vg_image_unref)

/* Sample I of all samples, as a double. */
static inline double
vg_image_sample (const VgImage *self, gsize i)
{
  switch (self->info.type)
    {
    case VG_U8:
      return ((const guint8 *) self->data)[i];
    case VG_U16:
      return ((const guint16 *) self->data)[i];
    case VG_U32:
      return ((const guint32 *) self->data)[i];
    case VG_F32:
    default:
      return ((const float *) self->data)[i];
    }
}

G_END_DECLS
