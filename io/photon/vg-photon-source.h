/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/photon/vg-photon-records.h"
#include "io/source/vg-source-private.h"
/* Opens a photon stream of any manufacturer as a source. */
G_BEGIN_DECLS

/* Reads the metadata of the stream from its file and the files beside it.  Adds lines to NOTES.
 * FALSE and an error: the file is damaged or not supported. */
typedef gboolean (*VgPhotonReadHeader) (VgPhotonHeader *self, const VgSourceFile *file,
                                        GString *notes, GError **error);

VgSource *vg_photon_source_open (const VgSourceFile *file, const char *format,
                                 VgPhotonReadHeader read_header, GError **error);

G_END_DECLS
