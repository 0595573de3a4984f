/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-format.h"
#include "io/source/vg-source.h"
/* Between the readers: what vg_source_open hands to each of them, and the
 * pieces they share.  A reader that is given a descriptor owns it from then
 * on, also when it fails. */
G_BEGIN_DECLS

/* No page or frame beyond this is believed, whatever a header says. */
#define VG_SOURCE_MAX_FRAME_BYTES (G_GINT64_CONSTANT (4) << 30)

/* Frames at fixed places in a file: frame k is at first + k * stride. */
typedef struct
{
  gint64 first, stride; /* bytes */
  gboolean swap;        /* samples are of the other byte order */
  gboolean transpose;   /* stored column by column */
} VgLayout;

/* The read options may make the frames the bins or slices of a single frame. */
VgSource *vg_layout_source_new (int fd, const char *name, const char *format,
                                const VgImageInfo *info, const VgLayout *layout, char *details,
                                const VgReadOptions *read_options, GError **error);
/* Frames of the layout that SIZE bytes hold whole. */
gint64 vg_layout_frames (const VgLayout *layout, gsize frame_bytes, gint64 size);

VgSource *vg_raw_source_open (int fd, const char *name, const VgReadOptions *read_options,
                              GError **error);
/* By PATH, as a slide may be several files.  NULL and no error: it is no slide. */
VgSource *vg_slide_source_open (const char *path, const char *name,
                                const VgReadOptions *read_options, GError **error);
/* Fills in SELF's size and PYRAMID's level and corner as the reading asks. */
gboolean vg_source_take_part (VgSource *self, VgPyramid *pyramid, const VgReadOptions *read_options,
                              GError **error);
/* Whether the file FD of SIZE bytes is a decay as text. */
gboolean vg_curve_detect (int fd, gint64 size);
/* A decay as text; NULL and no error: the file is none.  FD stays the caller's. */
VgSource *vg_curve_source_new (int fd, const char *name, gint64 size);

/* Sets info.channel, the one of the AVAILABLE channels that is read: the one that the read options
 * name, else BRIGHTEST_CHANNEL (from 1) where the options ask for it, with a caution unless it is
 * the first, else the first.  FALSE and a usage error: the file has no such channel. */
gboolean vg_source_set_channel (VgSource *self, const VgSourceFile *file, guint available,
                                guint brightest_channel, GError **error);
/* The channel that is read, from 0. */
guint vg_source_channel (const VgSource *self);
/* Reads all LENGTH bytes at OFFSET unless the file ends first; the number
 * read, or -1 and errno. */
gssize vg_pread_all (int fd, void *buffer, gsize length, gint64 offset);
/* Reverses the bytes of N samples of SIZE 2, 4 or 8. */
void vg_swap_samples (void *samples, gsize n, gsize size);
/* The frame's size checked against what is believable; 0 and error. */
gsize vg_source_frame_bytes (const VgImageInfo *info, const char *name, GError **error);
/* FALSE and error: the frame is larger than a compressed file of SIZE bytes can
 * hold, or than is believable; looked at before memory is taken. */
gboolean vg_source_check_claim (const VgImageInfo *info, gint64 size, const char *name,
                                GError **error);
/* For `next` of sources that can seek; *position is theirs, and moves past a damaged frame. */
gboolean vg_source_next_by_read (VgSource *self, gint64 *position, void *frame, guint64 *id,
                                 double *time_s, GError **error);

G_END_DECLS
