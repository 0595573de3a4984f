/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/compare/vg-kept.h"
#include "ui/compare/vg-kept-strip.h"
#include "ui/picture/vg-image-view.h"
/* Kept results in the window: in the image, and as small pictures in the strip. */
G_BEGIN_DECLS

/* Shows the results of the view of SESSION, of which CHOSEN is compared with, in IMAGE (NULL: none
 * yet) and STRIP.  The image has no others than those that fit: they have its colours and scale. */
void vg_kept_show (VgKept *self, VgSession *session, int chosen, VgImageView *image,
                   VgKeptStrip *strip);
/* BAR lies over IMAGE: the fitted image ends above it, and it leaves the colour bar free. */
void vg_kept_keep_room (GtkWidget *bar, VgImageView *image);

G_END_DECLS
