/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The tables behind vg-colormap.c. */

extern const guint8 vg_colormap_viridis[256][3];
extern const guint8 vg_colormap_magma[256][3];
extern const guint8 vg_colormap_inferno[256][3];
extern const guint8 vg_colormap_cividis[256][3];
extern const guint8 vg_colormap_turbo[256][3];
extern const guint8 vg_colormap_gray[256][3];
extern const guint8 vg_colormap_coolwarm[256][3];
extern const guint8 vg_colormap_categories[256][3];
