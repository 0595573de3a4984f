/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-format.h"
#include "io/source/vg-source.h"
/* What the readers of the formats share.  A reader owns the descriptor that it opens, also when
 * opening fails. */
G_BEGIN_DECLS

/* A larger frame is refused, because the header is likely to be wrong. */
#define VG_SOURCE_MAX_FRAME_BYTES (G_GINT64_CONSTANT (4) << 30)

/* Frames at regular positions in a file: frame k begins at byte first + k * stride. */
typedef struct
{
  gint64 first, stride; /* bytes */
  gboolean swap;        /* the samples have the other byte order */
  gboolean transpose;   /* stored column by column */
} VgLayout;

/* A source of the frames of INFO at the positions of LAYOUT; owns FD and DETAILS.  The read options
 * may make the frames the time bins or slices of a single frame. */
VgSource *vg_layout_source_new (int fd, const char *name, const char *format,
                                const VgImageInfo *info, const VgLayout *layout, char *details,
                                const VgReadOptions *read_options, GError **error);
/* The number of complete frames in SIZE bytes. */
gint64 vg_layout_frames (const VgLayout *layout, gsize frame_bytes, gint64 size);

VgSource *vg_raw_source_open (int fd, const char *name, const VgReadOptions *read_options,
                              GError **error);
/* Opens a whole slide by its path, because it may consist of several files.  FILE's descriptor
 * stays open.  NULL without an error: it is no slide. */
VgSource *vg_slide_source_open (const VgSourceFile *file, GError **error);
/* Opens the DICOM images of FILE, or of the folder that it is. */
VgSource *vg_dicom_source_open (const VgSourceFile *file, GError **error);
/* If SOURCE is a DICOM series, adds the names (char *) of its files to FILES. */
void vg_dicom_source_list_files (const VgSource *source, GPtrArray *files);
/* Compares patient and study of B with those of A, both opened DICOM series.  FALSE and an error:
 * the patients differ.  *CAUTION: owned, that the studies differ; else NULL, also for other
 * formats. */
gboolean vg_dicom_source_check_join (const VgSource *a, const VgSource *b, char **caution,
                                     GError **error);
/* Sets the size of SELF, and the level and corner of PYRAMID, to the slide region of the read
 * options. */
gboolean vg_source_set_slide_region (VgSource *self, VgPyramid *pyramid,
                                     const VgReadOptions *read_options, GError **error);
/* Whether the file FD of SIZE bytes is a decay as text. */
gboolean vg_curve_detect (int fd, gint64 size);
/* A decay as text; NULL and no error: the file is none.  FD stays the caller's. */
VgSource *vg_curve_source_new (int fd, const char *name, gint64 size);

/* Whether the file FD is text that may be a table of curves, and the number of its columns; 0: it
 * is text in UTF-16. */
gboolean vg_table_detect (int fd, guint *columns);
/* A table of curves as text; NULL and an error: FILE is none.  Its descriptor stays the caller's.
 */
VgSource *vg_table_source_new (const VgSourceFile *file, GError **error);

/* Replaces the scales of SOURCE with those that the user gave.  FALSE and a usage error: one of
 * the options does not apply to the source. */
gboolean vg_source_apply_read_options (VgSource *source, const VgReadOptions *read_options,
                                       gboolean in_series, GError **error);
/* Sets info.channel, the one of the AVAILABLE channels that is read: the one that the read options
 * name, else BRIGHTEST_CHANNEL (from 1) where the options ask for it, with a caution unless it is
 * the first, else the first.  FALSE and a usage error: the file has no such channel. */
gboolean vg_source_set_channel (VgSource *self, const VgSourceFile *file, guint available,
                                guint brightest_channel, GError **error);
/* The channel that is read, from 0. */
guint vg_source_channel (const VgSource *self);
/* Opens a regular file for reading and sets its size in bytes; -1 and size 0: it is none, such as a
 * pipe or a device, or cannot be opened. */
int vg_open_regular (const char *path, gint64 *size);
/* The first bytes of a regular file; their number, or -1. */
gssize vg_read_head (const char *path, guint8 head[VG_FORMAT_HEAD_BYTES], gint64 *size);
/* Reads LENGTH bytes at OFFSET, fewer only if the file ends; their number, or -1 and errno. */
gssize vg_pread_all (int fd, void *buffer, gsize length, gint64 offset);
/* Reverses the byte order of N samples of SIZE 2, 4 or 8 bytes. */
void vg_swap_samples (void *samples, gsize n, gsize size);
/* Path of the index beside the raw recording PATH, owned; NULL: PATH is none. */
char *vg_recorded_index (const char *path);
/* Bytes of a frame of INFO; 0 and an error: more than VG_SOURCE_MAX_FRAME_BYTES. */
gsize vg_source_frame_bytes (const VgImageInfo *info, const char *name, GError **error);
/* FALSE and an error: a compressed file of SIZE bytes cannot hold a frame of INFO, or the frame is
 * too large.  Called before memory is allocated. */
gboolean vg_source_check_claim (const VgImageInfo *info, gint64 size, const char *name,
                                GError **error);
/* Implements `next` by `read` of the frame at the position, which then moves on, also after a
 * damaged frame. */
gboolean vg_source_next_by_read (VgSource *self, void *frame, guint64 *id, double *time_s,
                                 GError **error);

G_END_DECLS
