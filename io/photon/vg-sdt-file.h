/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/photon/vg-decay-cube.h"
/* The decays that a Becker & Hickl .sdt file contains by its headers, one entry for each detector
 * channel of a data block. */
G_BEGIN_DECLS

typedef struct
{
  int block, module; /* block from 1, measurement description from 0 */
  VgDecayCube cube;
  gboolean line; /* decays without an image; width is their number */
  gboolean deflated;
  gint64 offset, end; /* of the block in the file, bytes */
  guint64 length;     /* of the inflated block, bytes */
  double bin_width_ns, period_ns;
} VgSdtChannel;

typedef struct
{
  guint revision;   /* of the format: the low four bits */
  GArray *channels; /* VgSdtChannel, in the order of the file */
  GString *notes;   /* what was read, skipped and assumed, one note per line */
} VgSdtFile;

gboolean vg_sdt_detect (const guint8 *head, gsize length, gint64 size);
/* NULL and an error: the file is damaged, or has no decays that can be read. */
VgSdtFile *vg_sdt_file_new (int fd, const char *name, gint64 size, GError **error);
void vg_sdt_file_free (VgSdtFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgSdtFile, vg_sdt_file_free)

G_END_DECLS
