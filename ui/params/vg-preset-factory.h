/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "kernels/core/vg-param.h"
/* The list of a drop-down with the heading and the presets of a table. */
G_BEGIN_DECLS

GtkListItemFactory *vg_preset_factory_new (const VgParam *param);

G_END_DECLS
