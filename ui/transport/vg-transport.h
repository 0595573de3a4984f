/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/bars/vg-frame-bar.h"
#include "ui/bars/vg-work-bar.h"
#include "ui/transport/vg-mark-button.h"
#include "ui/transport/vg-past-bar.h"
#include "ui/transport/vg-slice-box.h"
/* The bar below the image: Run or Pause, what is computed, the frame, the time line of a live
 * source, the slice and marks.  Its height does not depend on whether something is computed, so
 * that the image stays where it is. */
G_BEGIN_DECLS

#define VG_TYPE_TRANSPORT (vg_transport_get_type ())
G_DECLARE_FINAL_TYPE (VgTransport, vg_transport, VG, TRANSPORT, VgBin)

GtkWidget *vg_transport_new (VgSession *session);
/* RUNNING: the button pauses.  SUGGESTED: it is highlighted, as there is something to compute. */
void vg_transport_set_running (VgTransport *self, gboolean running, gboolean suggested,
                               const char *help);
/* Its parts, borrowed. */
GtkWidget *vg_transport_get_frames (VgTransport *self); /* a VgFrameBar */
VgWorkBar *vg_transport_get_work (VgTransport *self);
VgPastBar *vg_transport_get_past (VgTransport *self);
VgMarkButton *vg_transport_get_mark (VgTransport *self);
VgSliceBox *vg_transport_get_slices (VgTransport *self);

G_END_DECLS
