/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
#include "io/source/vg-read-options.h"
/* Where frames come from: a stack on disk, a pipe, the synthetic phantom, a
 * camera.  One thread reads; cancel may be called from another. */
G_BEGIN_DECLS

typedef struct _VgSource VgSource;

typedef struct
{
  /* Seekable sources: fills one frame of frame_bytes.  VG_IO_ERROR_FRAME: this
   * frame is damaged and its bytes mean nothing, and the source is as good as
   * before for every other frame.  Any other error is about the source. */
  gboolean (*read) (VgSource *self, gint64 index, void *frame, GError **error);
  /* Live sources: waits for the next frame; *id counts frames at the origin, so
   * that a gap is a loss.  FALSE without error: the stream has ended.
   * VG_IO_ERROR_FRAME as above: the next call goes on behind that frame. */
  gboolean (*next) (VgSource *self, void *frame, guint64 *id, double *time_s, GError **error);
  /* Makes a waiting next return soon, without error.  optional */
  void (*cancel) (VgSource *self);
  void (*close) (VgSource *self);
  /* Pictures in levels: the part from (X, Y) of LEVEL, in its pixels, as
   * interleaved 8-bit RGB.  Any thread may call it.  optional */
  gboolean (*read_region) (VgSource *self, int level, gint64 x, gint64 y, int width, int height,
                           guint8 *rgb, GError **error);
} VgSourceClass;

typedef struct
{
  gint64 width, height;        /* at most G_MAXINT */
  double downsample;           /* pixels of level 0 in one of these */
  int tile_width, tile_height; /* as it is stored; 0: not known */
} VgLevel;

/* A place that could not be read, in pixels of the level that was asked for. */
typedef struct
{
  gint64 x, y;
  int width, height;
} VgHole;

/* A picture in levels of resolution, of which parts can be read: a whole slide. */
typedef struct
{
  VgLevel *levels; /* the finest first */
  int n_levels;
  int level;   /* the one that `info` and `read` are of */
  gint64 x, y; /* where they begin, in pixels of that level */
} VgPyramid;

struct _VgSource
{
  const VgSourceClass *class;
  VgImageInfo info;         /* frames -1: live, `next` only; else `read` too */
  const VgPyramid *pyramid; /* NULL: a frame is all there is */
  char *name;               /* for messages and the title */
  char *format;             /* "TIFF", "RLS", "raw stream" */
  char *details;            /* what was read and what was assumed, lines for `info`; or NULL */
  /* what may be a mistake in what was asked for, to be told where it is opened; or NULL */
  char *caution;
  gboolean cut; /* it ends before its end, as `caution` says */
  /* one per frame, rising, where the interval does not say it all; or NULL */
  double *times_s;
  double acquired_s; /* time of day of a single volume; 0: not known */
  /* of VgHole: damaged places of the frame that was read last, white in it; NULL: none */
  GArray *holes;
};

/* Everything a file itself may not say. */
typedef struct
{
  /* text of a VgReadOptions: "1392x1040:u16" for bare frames, "channel=2"; NULL: from the file */
  const char *read_options;
  gboolean colour;    /* FALSE: a colour file is refused with advice */
  gboolean in_series; /* one of several files whose frames follow each other */
  gboolean bins;      /* pages that the file says nothing about are time bins */
  /* of photons by several detectors the channel that holds most, unless one is chosen; else the
   * first */
  gboolean brightest_channel;
  /* no bins are taken: what a file calls channels, unless it is a decay, is chosen from */
  gboolean channels;
} VgSourceOptions;

/* Opens by content, not by name: whole slides (where colour is taken), TIFF, NIfTI (gzip too), SDT,
 * PTU, PicoQuant BIN, RLS, FOIL raw, a decay as text, or a ZIP archive with one of these; "-" is
 * raw frames from standard input and needs a geometry.  Pages are read when asked for.  PATH may
 * end in '#' and a reading ("irf.sdt#channel=2"), unless a file is called that.  A setting the file
 * has no use for is a usage error. */
VgSource *vg_source_open (const char *path, const VgSourceOptions *options, GError **error);
/* Whether the file PATH, of *SIZE bytes, is in no known format, so that it may hold raw frames: to
 * open them a geometry is needed (vg-read-options.h). */
gboolean vg_file_is_raw (const char *path, gint64 *size);
/* Takes TIMES_S (g_free), one per frame and rising; the frame interval becomes their mean. */
void vg_source_take_times (VgSource *self, double *times_s);
/* "irf.sdt#channel=2" names irf.sdt, unless a file is called that; *READING
 * is what the options and the path say together, or NULL. */
char *vg_source_split_path (const char *path, const VgSourceOptions *options, char **read_options);
/* The operation's synthetic data.  Live ones keep pace with frame_interval_s. */
VgSource *vg_source_open_synthetic (const VgOperation *operation, const void *params,
                                    const VgSyntheticSize *size, GError **error);
gboolean vg_source_read (VgSource *self, gint64 index, void *frame, GError **error);
/* A part of LEVEL of a source with a pyramid, in that level's pixels, as
 * interleaved 8-bit RGB; what lies beyond the picture is white.  Any thread. */
gboolean vg_source_read_region (VgSource *self, int level, gint64 x, gint64 y, int width,
                                int height, guint8 *rgb, GError **error);
/* The same, except that a damaged place is left white and added to HOLES (of
 * VgHole; NULL: not wanted), tile by tile of the file, and costs nothing else.
 * FALSE: so much fails in a row that the file must be gone. */
gboolean vg_source_read_around (VgSource *self, int level, gint64 x, gint64 y, int width,
                                int height, guint8 *rgb, GArray *holes, GError **error);
gint64 vg_holes_pixels (const GArray *holes);
/* "slide.svs is damaged: ...": what is to be told of HOLES in a part of
 * PIXELS pixels of LEVEL; NULL when there are none. */
char *vg_source_tell_holes (const VgSource *self, int level, const GArray *holes, gint64 pixels);
/* FALSE and advice: the picture is too large to be read at once. */
gboolean vg_source_check_whole (const VgSource *self, GError **error);
gboolean vg_source_next (VgSource *self, void *frame, guint64 *id, double *time_s, GError **error);
void vg_source_cancel (VgSource *self);
void vg_source_close (VgSource *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgSource, vg_source_close)

/* A whole data set, or a text file when KINDS (VgFileKind bits) allows it. */
VgImage *vg_image_load (const char *path, guint kinds, const VgSourceOptions *options,
                        GError **error);

G_END_DECLS
