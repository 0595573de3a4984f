/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/photon/vg-decay-cube.h"
/* What the headers of a Becker & Hickl .sdt file say: the histograms that can
 * be read, each a detector channel of a data block. */
G_BEGIN_DECLS

typedef struct
{
  int block, module; /* block from 1, measurement description from 0 */
  VgDecayCube cube;
  gboolean line; /* curves without an image: width is their number */
  gboolean deflated;
  gint64 offset, end; /* of the block's bytes in the file */
  guint64 length;     /* of the block once inflated */
  double bin_width_ns, period_ns;
} VgSdtChannel;

typedef struct
{
  guint revision;   /* of the format: the low four bits */
  GArray *channels; /* of VgSdtChannel, in the file's order */
  GString *notes;   /* lines of what was read, skipped and assumed */
} VgSdtFile;

gboolean vg_sdt_detect (const guint8 *head, gsize length, gint64 size);
/* NULL and error: damaged, or nothing in it can be read. */
VgSdtFile *vg_sdt_file_new (int fd, const char *name, gint64 size, GError **error);
void vg_sdt_file_free (VgSdtFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgSdtFile, vg_sdt_file_free)

G_END_DECLS
