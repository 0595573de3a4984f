/* SPDX-License-Identifier: MIT */
#pragma once
#include "render/vg-pane.h"
/* A mask over a section that is drawn in pixels. */
G_BEGIN_DECLS

/* MASK has one byte for each of COLUMNS x ROWS samples, in the order of the file; SCENE says where
 * these are in RGBA of WIDTH x HEIGHT pixels. */
void vg_section_draw_mask (const VgScene *scene, const guint8 *mask, int columns, int rows,
                           guint8 *rgba, int width, int height);

G_END_DECLS
