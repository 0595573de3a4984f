/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "ui/common/vg-object.h"
/* A widget whose child has all of its size.  The child is set with gtk_widget_set_parent() and goes
 * when the widget is disposed. */
G_BEGIN_DECLS

#define VG_TYPE_BIN (vg_bin_get_type ())
G_DECLARE_DERIVABLE_TYPE (VgBin, vg_bin, VG, BIN, GtkWidget)

struct _VgBinClass
{
  GtkWidgetClass parent_class;
};

G_END_DECLS
