/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/photon/vg-photon-records.h"
#include "io/source/vg-source-private.h"
/* A photon stream of any maker as a source. */
G_BEGIN_DECLS

/* Reads what the stream's own file and the files beside it say.  Adds lines to NOTES.  FALSE and an
 * error: the file is damaged, or of a kind that is not read. */
typedef gboolean (*VgPhotonReadHeader) (VgPhotonHeader *self, const VgSourceFile *file,
                                        GString *notes, GError **error);

VgSource *vg_photon_source_open (const VgSourceFile *file, const char *format,
                                 VgPhotonReadHeader read_header, GError **error);

G_END_DECLS
