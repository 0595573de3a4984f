/* SPDX-License-Identifier: MIT */
#include "ui/panels/vg-cautions.h"
#include "ui/common/vg-translation.h"
#include "ui/common/vg-banner.h"

struct _VgCautions
{
  VgBin parent_instance;
  GtkWidget *banner;
  GPtrArray *causes;  /* ids, interned, of those that hold; the closed ones too */
  GPtrArray *texts;   /* and what they say */
  GHashTable *closed; /* ids */
  VgCautionsWay way;
  gpointer way_data;
};

G_DEFINE_FINAL_TYPE (VgCautions, vg_cautions, VG_TYPE_BIN)

static char *
begin_large (const char *text)
{
  gunichar first = g_utf8_get_char (text);
  char letter[8] = "";

  g_unichar_to_utf8 (g_unichar_toupper (first), letter);
  return g_strconcat (letter, g_utf8_next_char (text), NULL);
}

/* The first that was not closed; -1: none. */
static int
find_first (VgCautions *self)
{
  for (guint i = 0; i < self->causes->len; i++)
    if (!g_hash_table_contains (self->closed, self->causes->pdata[i]))
      return (int) i;
  return -1;
}

static int
count_open (VgCautions *self)
{
  int n = 0;

  for (guint i = 0; i < self->causes->len; i++)
    n += !g_hash_table_contains (self->closed, self->causes->pdata[i]);
  return n;
}

static void
show (VgCautions *self)
{
  int first = find_first (self), others = count_open (self) - 1;
  g_autofree char *more = NULL;

  if (first < 0)
    {
      vg_banner_hide (VG_BANNER (self->banner));
      return;
    }
  more = others > 0
             ? g_strdup_printf (_ ("and %d more"), others)
             : g_strdup (self->way ? self->way (self->way_data, self->texts->pdata[first]) : NULL);
  vg_banner_show (VG_BANNER (self->banner), VG_BANNER_WARNING, self->texts->pdata[first]);
  vg_banner_set_more (VG_BANNER (self->banner), more);
}

static gboolean
is_closed_no_more (gpointer id, gpointer value, gpointer data)
{
  VgCautions *self = data;

  return !g_ptr_array_find (self->causes, id, NULL);
}

void
vg_cautions_set (VgCautions *self, const VgMetrics *metrics)
{
  g_ptr_array_set_size (self->causes, 0);
  g_ptr_array_set_size (self->texts, 0);
  for (guint i = 0; metrics != NULL && i < metrics->items->len; i++)
    {
      const VgMetric *number = &g_array_index (metrics->items, VgMetric, i);

      if (!(number->flags & VG_NUMBER_GRAVE) || number->advice == NULL)
        continue;
      g_ptr_array_add (self->causes, (gpointer) g_intern_string (number->id));
      g_ptr_array_add (self->texts, begin_large (number->advice));
    }
  g_hash_table_foreach_remove (self->closed, is_closed_no_more, self);
  show (self);
}

void
vg_cautions_set_way (VgCautions *self, VgCautionsWay way, gpointer data)
{
  self->way = way;
  self->way_data = data;
}

const char *
vg_cautions_get_only (VgCautions *self)
{
  return count_open (self) == 1 ? self->texts->pdata[find_first (self)] : NULL;
}

gboolean
vg_cautions_close (VgCautions *self)
{
  int first = find_first (self);

  if (first < 0)
    return FALSE;
  g_hash_table_add (self->closed, self->causes->pdata[first]);
  show (self);
  return TRUE;
}

static void
on_closed (VgCautions *self)
{
  vg_cautions_close (self);
}

static void
on_more (VgCautions *self)
{
  g_signal_emit_by_name (self, "more");
}

static void
vg_cautions_finalize (GObject *object)
{
  VgCautions *self = VG_CAUTIONS (object);

  g_ptr_array_unref (self->causes);
  g_ptr_array_unref (self->texts);
  g_hash_table_unref (self->closed);
  G_OBJECT_CLASS (vg_cautions_parent_class)->finalize (object);
}

static void
vg_cautions_class_init (VgCautionsClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_cautions_finalize;
  vg_signal_new (VG_TYPE_CAUTIONS, "more", 0);
}

static void
vg_cautions_init (VgCautions *self)
{
  self->causes = g_ptr_array_new ();
  self->texts = g_ptr_array_new_with_free_func (g_free);
  self->closed = g_hash_table_new (NULL, NULL);
  self->banner = vg_banner_new ();
  g_signal_connect_swapped (self->banner, "closed", G_CALLBACK (on_closed), self);
  g_signal_connect_swapped (self->banner, "more", G_CALLBACK (on_more), self);
  gtk_widget_set_parent (self->banner, GTK_WIDGET (self));
}

GtkWidget *
vg_cautions_new (void)
{
  return g_object_new (VG_TYPE_CAUTIONS, NULL);
}
