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

/* The reading may take the frames for bins or slices of a single one. */

VgSource *vg_layout_source_new (int fd, const char *name, const char *format,
                                const VgImageInfo *info, const VgLayout *layout, char *details,
                                const VgReadOptions *read_options, GError **error);
/* Frames of the layout that SIZE bytes hold whole. */
gint64 vg_layout_frames (const VgLayout *layout, gsize frame_bytes, gint64 size);

VgSource *vg_tiff_source_open (int fd, const char *name, const VgSourceOptions *options,
                               const VgReadOptions *read_options, GError **error);
VgSource *vg_raw_source_open (int fd, const char *name, const VgReadOptions *read_options,
                              GError **error);
/* The header makes sense for the file's length; opening checks the rest. */
VgSource *vg_rls_source_open (int fd, const char *name, gint64 size,
                              const VgReadOptions *read_options, GError **error);
VgSource *vg_foil_source_open (int fd, const char *name, const VgReadOptions *read_options,
                               GError **error);
VgSource *vg_sdt_source_open (int fd, const char *name, gint64 size,
                              const VgReadOptions *read_options, GError **error);
VgSource *vg_ptu_source_open (int fd, const char *name, gint64 size,
                              const VgReadOptions *read_options, GError **error);
VgSource *vg_pqbin_source_open (int fd, const char *name, gint64 size, GError **error);
/* By its own content or gzip's; colour as in the options.  FILE: its path, for what lies beside it.
 */
VgSource *vg_nifti_source_open (int fd, const char *name, const char *file, gint64 size,
                                const VgSourceOptions *options, const VgReadOptions *read_options,
                                GError **error);
/* Pictures; colour is refused unless it is taken. */
VgSource *vg_png_source_open (int fd, const char *name, gint64 size, gboolean colour,
                              GError **error);
VgSource *vg_jpeg_source_open (int fd, const char *name, gint64 size, gboolean colour,
                               GError **error);
/* By PATH, as a slide may be several files.  NULL and no error: it is no slide. */
VgSource *vg_slide_source_open (const char *path, const char *name,
                                const VgReadOptions *read_options, GError **error);
/* Fills in SELF's size and PYRAMID's level and corner as the reading asks. */
gboolean vg_source_take_part (VgSource *self, VgPyramid *pyramid, const VgReadOptions *read_options,
                              GError **error);
/* NULL and no error: it is no table of a decay; then FD stays the caller's. */
VgSource *vg_curve_source_open (int fd, const char *name, gint64 size);
gboolean vg_tiff_detect (const guint8 *head, gsize length);
gboolean vg_rls_detect (const guint8 *head, gsize length, gint64 size);
gboolean vg_foil_detect (const guint8 *head, gsize length, gint64 size);
gboolean vg_sdt_detect (const guint8 *head, gsize length);
gboolean vg_ptu_detect (const guint8 *head, gsize length);
gboolean vg_pqbin_detect (const guint8 *head, gsize length, gint64 size);
gboolean vg_nifti_detect (const guint8 *head, gsize length);
gboolean vg_zip_detect (const guint8 *head, gsize length);
gboolean vg_png_detect (const guint8 *head, gsize length);
gboolean vg_jpeg_detect (const guint8 *head, gsize length);
/* Not that as it is, but would be with more bytes. */
gboolean vg_foil_is_short (const guint8 *head, gsize length, gint64 size);
gboolean vg_pqbin_is_short (const guint8 *head, gsize length, gint64 size);
/* The archive's data file (of those whose first bytes are of a format that is
 * read the first that is called like data, else the first), inflated into a
 * file without a name; -1 and error: none can be had, or it takes more than
 * LIMIT bytes.  *ENTRY is its name for messages. */
int vg_zip_extract (int fd, const char *name, gint64 size, guint64 limit, char **entry,
                    GError **error);

/* Notes in info.channel which of AVAILABLE channels is read: the one that the
 * reading asks for, else FULLEST (from 1) where that is wanted, which is told
 * unless it is the first.  FALSE and a usage error when one is asked for that is not there. */
gboolean vg_source_take_channel (VgSource *self, const VgReadOptions *read_options, guint available,
                                 guint brightest_channel, GError **error);
/* The channel that was noted, from 0. */
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
