/* SPDX-License-Identifier: MIT */
#include "ui/scatter/vg-range-popover.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include <math.h>

enum { X_FROM, X_TO, Y_FROM, Y_TO, N_ENTRIES };

static const double largest = 1e12;

struct _VgRangePopover
{
  GtkPopover parent_instance;
  GtkWidget *entries[N_ENTRIES];
};

G_DEFINE_FINAL_TYPE (VgRangePopover, vg_range_popover, GTK_TYPE_POPOVER)

static double
get (VgRangePopover *self, int i)
{
  return gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->entries[i]));
}

VgRegion
vg_range_popover_get (VgRangePopover *self)
{
  double x0 = MIN (get (self, X_FROM), get (self, X_TO)),
         x1 = MAX (get (self, X_FROM), get (self, X_TO)),
         y0 = MIN (get (self, Y_FROM), get (self, Y_TO)),
         y1 = MAX (get (self, Y_FROM), get (self, Y_TO));

  return (VgRegion){
    .kind = VG_REGION_POLYGON, .n_points = 4, .x = { x0, x1, x1, x0 }, .y = { y0, y0, y1, y1 }
  };
}

/* To as many digits as one reads off an axis. */
static double
shorten (double value, double length)
{
  double step = length > 0 ? pow (10, floor (log10 (length)) - 2) : 1;

  return round (value / step) * step;
}

void
vg_range_popover_set (VgRangePopover *self, const double low[2], const double high[2])
{
  for (int i = 0; i < N_ENTRIES; i++)
    {
      int k = i / 2;

      gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->entries[i]),
                                 shorten (i % 2 == 0 ? low[k] : high[k], high[k] - low[k]));
    }
}

static void
on_select (VgRangePopover *self)
{
  for (int i = 0; i < N_ENTRIES; i++)
    gtk_spin_button_update (GTK_SPIN_BUTTON (self->entries[i]));
  g_signal_emit_by_name (self, "chosen");
  gtk_popover_popdown (GTK_POPOVER (self));
}

static void
vg_range_popover_class_init (VgRangePopoverClass *class)
{
  vg_signal_new (VG_TYPE_RANGE_POPOVER, "chosen", 0);
}

static void
vg_range_popover_init (VgRangePopover *self)
{
  static const char *const texts[] = { N_ ("X _from"), N_ ("X t_o"), N_ ("Y f_rom"), N_ ("Y _to") };
  static const char *const names[] = { N_ ("Minimum x"), N_ ("Maximum x"), N_ ("Minimum y"),
                                       N_ ("Maximum y") };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6),
            *select = gtk_button_new_with_mnemonic (_ ("_Select"));

  for (int i = 0; i < N_ENTRIES; i++)
    {
      self->entries[i] = vg_number_entry_new (-largest, largest, 1, FALSE);
      vg_box_add_line (box, _ (texts[i]), self->entries[i], _ (names[i]), NULL);
    }
  vg_widget_describe (select, _ ("Select"), NULL);
  gtk_widget_add_css_class (select, "suggested-action");
  gtk_box_append (GTK_BOX (box), select);
  gtk_popover_set_child (GTK_POPOVER (self), box);
  vg_connect (select, "clicked", on_select, self);
}

GtkWidget *
vg_range_popover_new (void)
{
  return g_object_new (VG_TYPE_RANGE_POPOVER, NULL);
}
