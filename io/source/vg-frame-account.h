/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-source.h"
/* What became of the frames that a source sent, in the words of docs/live.md. */
G_BEGIN_DECLS

/* The account of SOURCE: as its status if it is live; of a recording, what the file tells of the
 * frames that were recorded.  All 0 for another file. */
void vg_source_account (VgSource *source, VgLiveStatus *status);
/* "240 sent = 236 received + 1 bad + 3 lost", owned. */
char *vg_account_to_text (const VgLiveStatus *status);
/* Adds to WARNINGS (of char *) a sentence on the frames of a source of INFO that are missing, one
 * on interruptions and one on changes of the exposure time, each only if there were any.  STATUS is
 * its account. */
void vg_account_warn (const VgImageInfo *info, const VgLiveStatus *status, GPtrArray *warnings);

G_END_DECLS
