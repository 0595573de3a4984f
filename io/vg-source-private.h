/* SPDX-License-Identifier: MIT */
#pragma once
#include "vg-source.h"
/* Between the readers: what vg_source_open hands to each of them, and the
 * pieces they share.  A reader that is given a descriptor owns it from then
 * on, also when it fails. */
G_BEGIN_DECLS

/* No page or frame beyond this is believed, whatever a header says. */
#define VG_SOURCE_MAX_FRAME_BYTES (G_GINT64_CONSTANT (4) << 30)

/* Frames at fixed places in a file: frame k is at first + k * stride. */
typedef struct
{
  gint64 first, stride;    /* bytes */
  gboolean swap;           /* samples are of the other byte order */
  gboolean transpose;      /* stored column by column */
} VgLayout;

VgSource *vg_layout_source_new    (int fd, const char *name, const char *format, const VgImageInfo *info,
                                   const VgLayout *layout, char *details, GError **error);
/* Frames of the layout that SIZE bytes hold whole. */
gint64    vg_layout_frames        (const VgLayout *layout, gsize frame_bytes, gint64 size);

VgSource *vg_tiff_source_open     (int fd, const char *name, gboolean colour, GError **error);
VgSource *vg_raw_source_open      (int fd, const char *name, const char *geometry, GError **error);
/* The header makes sense for the file's length; opening checks the rest. */
VgSource *vg_rls_source_open      (int fd, const char *name, gint64 size, GError **error);
VgSource *vg_foil_source_open     (int fd, const char *name, GError **error);
gboolean  vg_tiff_detect          (const guint8 *head, gsize length);
gboolean  vg_rls_detect           (const guint8 *head, gsize length, gint64 size);
gboolean  vg_foil_detect          (const guint8 *head, gsize length, gint64 size);
/* Not FOIL raw as it is, but would be with more bytes. */
gboolean  vg_foil_is_short        (const guint8 *head, gsize length, gint64 size);

/* Reads all LENGTH bytes at OFFSET unless the file ends first; the number
 * read, or -1 and errno. */
gssize    vg_pread_all            (int fd, void *buffer, gsize length, gint64 offset);
/* Reverses the bytes of N samples of SIZE 2, 4 or 8. */
void      vg_swap_samples         (void *samples, gsize n, gsize size);
/* The frame's size checked against what is believable; 0 and error. */
gsize     vg_source_frame_bytes   (const VgImageInfo *info, const char *name, GError **error);
/* For `next` of sources that can seek; *position is theirs. */
gboolean  vg_source_next_by_read  (VgSource *self, gint64 *position, void *frame, guint64 *id, double *time_s, GError **error);

G_END_DECLS
