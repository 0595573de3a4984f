/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
#include "app/compute/vg-followed-regions.h"
#include "app/compute/vg-work.h"
/* Sends the maps that are computed to other programs by OpenIGTLink, with the means of regions and
 * the settings.
 *
 * A thread of its own sends, to every program that is connected.  A map that is computed while the
 * one before is still being sent replaces the one that waits: the newest map is always on its way.
 * Settings are sent to each program once, and again when they have changed. */
G_BEGIN_DECLS

typedef struct _VgSender VgSender;

typedef struct
{
  guint peers;        /* programs that are connected */
  guint64 sent;       /* maps, summed over the programs */
  guint64 superseded; /* maps that a newer one replaced before they were sent to a program */
  char sentence[200]; /* what it waits for; "": nothing */
} VgSenderStatus;

/* Listens at ADDRESS (igtl-listen://...), or connects to it (igtl://...) and connects again
 * whenever that is lost.  AT_ONCE: a failure to connect now is an error. */
VgSender *vg_sender_new (const char *address, gboolean at_once, GError **error);
VgSender *vg_sender_ref (VgSender *self);
/* The last one ends the connections; what waits is not sent. */
void vg_sender_unref (VgSender *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgSender, vg_sender_unref)

/* Output I of WORK, which is of FRAME (NULL: none), and its means in REGIONS, whose names are NAMES
 * (NULL: numbers); REGIONS NULL: none.  Does nothing while no program is connected.  The thread
 * that computes calls it.  FALSE and an error: the GPU has failed. */
gboolean vg_sender_send (VgSender *self, VgWork *work, guint i, const VgFrame *frame,
                         VgFollowedRegions *regions, const char *const *names, GError **error);
/* Waits until all that waits is sent, at most MOST_US, or until CANCELLABLE (or NULL) is cancelled.
 * FALSE: a program did not take it in this time, and from now on no call waits for it. */
gboolean vg_sender_flush (VgSender *self, gint64 most_us, GCancellable *cancellable);
void vg_sender_get_status (VgSender *self, VgSenderStatus *status);

G_END_DECLS
