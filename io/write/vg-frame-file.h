/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
/* A file of the raw frames of a recording: a TIFF (vg-raw-tiff.c) or, if the name ends with .raw,
 * bare frames with an index (vg-raw-frames.c).
 *
 * It is written as NAME.part.tif or NAME.part.raw beside its final name.  After each frame it can
 * be read up to that frame, also when the process is killed. */
G_BEGIN_DECLS

/* What follows the name of a raw file in the name of its index. */
#define VG_RAW_INDEX_SUFFIX ".jsonl"
/* How the text of each frame begins, and each line of an index. */
#define VG_RECORDED "{\"recorded_by\": \"Vivograph\""
/* How the first line of an index begins, which is about the file. */
#define VG_RAW_INDEX_BEGIN VG_RECORDED ", \"raw\": 1,"

typedef struct _VgFrameFile VgFrameFile;

/* Begins a file for frames of INFO.  REPLACE: commit replaces a file at PATH that exists now.
 * Without it, and if one appears later, the file gets another name (vg_part_rename). */
VgFrameFile *vg_frame_file_new (const char *path, gboolean replace, const VgImageInfo *info,
                                GError **error);
/* Adds a frame of slices * bins pages, with TEXT: one line of JSON that begins with VG_RECORDED.
 * After an error the earlier frames are still valid. */
gboolean vg_frame_file_add (VgFrameFile *self, const void *frame, const char *text, GError **error);
/* Replaces the text of the last frame by TEXT, which is longer.  No frame can be added after it.
 * After an error the frame has one of the two. */
gboolean vg_frame_file_set_last_text (VgFrameFile *self, const char *text, GError **error);
/* Waits until all frames that were added have reached the disk. */
gboolean vg_frame_file_sync (VgFrameFile *self, GError **error);
/* Bytes written since the last sync that may be in the page cache only. */
guint64 vg_frame_file_in_memory (const VgFrameFile *self);
/* Size of the file so far, bytes. */
guint64 vg_frame_file_bytes (const VgFrameFile *self);
/* Path of the part file; after commit, of the final file. */
const char *vg_frame_file_path (const VgFrameFile *self);
/* Renames the part file to its final name; after an error it keeps its name. */
gboolean vg_frame_file_commit (VgFrameFile *self, GError **error);
/* Frees SELF; a part file without a frame is removed. */
void vg_frame_file_free (VgFrameFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgFrameFile, vg_frame_file_free)

/* Renames PART, and its index if it has one, to PATH or, if REPLACE is FALSE and PATH exists, to
 * the first free name of PATH-2, PATH-3 and so on; the new name, owned, or NULL and an error. */
char *vg_part_rename (const char *part, const char *path, gboolean replace, GError **error);
/* Removes PART if the process that made it was killed before its first frame. */
gboolean vg_part_discard_empty (const char *part);
/* Path of the index of the raw file PATH, owned. */
char *vg_raw_index_path (const char *path);

G_END_DECLS
