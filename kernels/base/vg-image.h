/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* What a data set is: element type, extent, axes and physical scales; and,
 * for data held whole, the samples themselves.  A reader fills one in before
 * it reads any sample, so everybody can check sizes first. */
G_BEGIN_DECLS

typedef enum { VG_U8, VG_U16, VG_U32, VG_F32 } VgType;

static inline gsize
vg_type_size (VgType type)
{
  return type == VG_U8 ? 1 : type == VG_U16 ? 2 : 4;
}

/* Where the voxels of a volume lie in the body, in NIfTI's words (nifti1.h,
 * "3D image (volume) orientation"): it goes on to the maps unchanged. */
typedef struct
{
  gboolean known;
  int qform_code, sform_code;
  double pixdim[4]; /* qfac, then the voxel's size in unit */
  double quatern[3], offset[3];
  double srow[3][4];
  int unit; /* NIfTI's code: 0 not known, 1 m, 2 mm, 3 µm */
} VgPlacement;

/* Pages follow each other with the bin fastest, then the slice, then the
 * frame: page = (frame * slices + slice) * bins + bin.  An axis that is not
 * there has extent 1.  A scale that is not known is 0. */
typedef struct
{
  VgType type;
  int width, height;
  int channels;         /* 1 grey, 3 or 4 colour, interleaved */
  gint64 bins, slices;  /* lifetime time bins; z */
  gint64 frames;        /* time points; -1: live, no known end */
  int significant_bits; /* of an integer sample: 12 for a 12-bit camera in u16 */
  double pixel_size[3]; /* x, y, z, in pixel_unit */
  char pixel_unit[8];   /* "µm", "mm", "cm"; "" when not known */
  double origin[2];     /* of a slide's part: its corner in pixels of level 0 */
  double downsample;    /* and how many of those one of its pixels is; 0: no slide */
  double frame_interval_s;
  /* what the file says, when that can not be one: not taken over; else 0 */
  double frame_interval_claimed_s;
  double exposure_ms;
  double repetition_ms, flip_deg; /* of an MRI sequence's pulses */
  gboolean ct;                    /* of an X-ray tomograph: samples are CT numbers */
  double bin_width_ns, period_ns;
  /* files of several frames each that follow one another in it; 0: it is one, or of single frames
   */
  int joined;
  /* a frame holds what came before it too: one that is skipped is not lost */
  gboolean gathers;
  /* detectors or blocks to choose from, and the one that is read, from 1; 0: no choice */
  int channel, channels_available;
  VgPlacement placement; /* of a volume; not known: all 0 */
  /* bit i: the source has a use for the reader's setting i (vg-read-options.h of io) */
  guint readings;
} VgImageInfo;

/* Samples in one page of INFO, and bytes in one page; 0 if that overflows or
 * INFO is not valid. */
gsize vg_image_info_page_samples (const VgImageInfo *info);
gsize vg_image_info_page_bytes (const VgImageInfo *info);
/* Bytes in one frame: all bins and slices of a time point; 0 likewise. */
gsize vg_image_info_frame_bytes (const VgImageInfo *info);
/* Pages in all; -1 when live, 0 if that overflows. */
gint64 vg_image_info_pages (const VgImageInfo *info);
/* A pixel's width and height in micrometres; FALSE, and both 0: not known. */
gboolean vg_image_info_pixel_um (const VgImageInfo *info, double um[2]);
/* One line for people: "1392x1040, 16-bit (12 used), 500 frames". */
char *vg_image_info_to_string (const VgImageInfo *info);

/* Samples held whole.  Reference counted; immutable once shared. */
typedef struct _VgImage
{
  VgImageInfo info;
  char *name;      /* where it came from, for messages */
  char *details;   /* what was read and what was assumed, lines; or NULL */
  char *caution;   /* what may be a mistake in what was asked for; or NULL */
  gboolean cut;    /* its file ends before its end, as `caution` says */
  void *data;      /* info.pages * page_bytes */
  double *times_s; /* one per frame, or NULL */
  /* flip angles, one per frame, of several MRI files; NULL: not known of each */
  double *flips_deg;
  char *text; /* a text file's bytes (CSV, settings), else NULL; NUL-terminated */
  gsize text_length;
  /* of a slide's part: a look at all of that level, of what is to be measured there once; or NULL
   */
  struct _VgImage *slide;
  /* of such a look: what the operation at work has measured there, for its next state; or NULL */
  gpointer measured;
  GDestroyNotify free_measured;
  GDestroyNotify free_data; /* of data */
  gatomicrefcount ref_count;
} VgImage;

/* Allocates zeroed samples; NULL and an error when the size is absurd or
 * memory is short. */
VgImage *vg_image_new (const VgImageInfo *info, const char *name, GError **error);
/* A text file's bytes; takes TEXT (g_free), which is NUL-terminated beyond
 * LENGTH. */
VgImage *vg_image_new_text (char *text, gsize length, const char *name);
VgImage *vg_image_ref (VgImage *self);
void vg_image_unref (VgImage *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgImage, vg_image_unref)

/* Sample I of all, whatever their type. */
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
