/* SPDX-License-Identifier: MIT */
#pragma once
#include "vg-operation.h"
#include "vg-reading.h"
/* Where frames come from: a stack on disk, a pipe, the synthetic phantom, a
 * camera.  One thread reads; cancel may be called from another. */
G_BEGIN_DECLS

typedef struct _VgSource VgSource;

typedef struct
{
  /* Seekable sources: fills one frame of frame_bytes. */
  gboolean (*read)   (VgSource *self, gint64 index, void *frame, GError **error);
  /* Live sources: waits for the next frame; *id counts frames at the origin, so
   * that a gap is a loss.  FALSE without error: the stream has ended. */
  gboolean (*next)   (VgSource *self, void *frame, guint64 *id, double *time_s, GError **error);
  /* Makes a waiting next return soon, without error.  optional */
  void     (*cancel) (VgSource *self);
  void     (*close)  (VgSource *self);
} VgSourceClass;

struct _VgSource
{
  const VgSourceClass *class;
  VgImageInfo info;      /* frames -1: live, `next` only; else `read` too */
  char *name;            /* for messages and the title */
  char *format;          /* "TIFF", "RLS", "raw stream" */
  char *details;         /* what was read and what was assumed, lines for `info`; or NULL */
};

/* Everything a file itself may not say. */
typedef struct
{
  const char *reading;   /* text of a VgReading: "1392x1040:u16" for bare frames, "channel=2"; NULL: from the file */
  gboolean colour;       /* FALSE: a colour file is refused with advice */
  gboolean bins;         /* pages that the file says nothing about are time bins */
} VgSourceOptions;

/* Opens by content, not by name: TIFF, NIfTI (gzip too), SDT, PTU, PicoQuant BIN,
 * RLS, FOIL raw, a decay as text, or a ZIP archive with one of these; "-" is raw frames from
 * standard input and needs a geometry.  Pages are read when asked for.  PATH
 * may end in '#' and a reading ("irf.sdt#channel=2"), unless a file is called
 * that.  A setting the file has no use for is a usage error. */
VgSource *vg_source_open       (const char *path, const VgSourceOptions *options, GError **error);
/* "irf.sdt#channel=2" names irf.sdt, unless a file is called that; *READING
 * is what the options and the path say together, or NULL. */
char     *vg_source_split_path    (const char *path, const VgSourceOptions *options, char **reading);
/* The operation's synthetic data.  Live ones keep pace with frame_interval_s. */
VgSource *vg_source_open_synthetic (const VgOperation *operation, const void *params, const VgSyntheticSize *size, GError **error);
gboolean  vg_source_read       (VgSource *self, gint64 index, void *frame, GError **error);
gboolean  vg_source_next       (VgSource *self, void *frame, guint64 *id, double *time_s, GError **error);
void      vg_source_cancel     (VgSource *self);
void      vg_source_close      (VgSource *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgSource, vg_source_close)

/* A whole data set, or a text file when KINDS (VgFileKind bits) allows it. */
VgImage  *vg_image_load        (const char *path, guint kinds, const VgSourceOptions *options, GError **error);

G_END_DECLS
