/* SPDX-License-Identifier: MIT */
#include "ui/panels/vg-cautions.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-banner.h"

struct _VgCautions
{
  VgBin parent_instance;
  GtkWidget *banner;
  GArray *causes;     /* VgMetric of those that hold, their ids interned; the closed ones too */
  GHashTable *closed; /* ids */
  VgCautionsWay way;
  gpointer way_data;
};

G_DEFINE_FINAL_TYPE (VgCautions, vg_cautions, VG_TYPE_BIN)

static void
clear_cause (gpointer cause)
{
  g_free (((VgMetric *) cause)->advice);
}

static const VgMetric *
get_cause (VgCautions *self, guint i)
{
  return &g_array_index (self->causes, VgMetric, i);
}

/* Those that were not closed: the first, NULL: none, and their number. */
static const VgMetric *
find_open (VgCautions *self, int *n)
{
  const VgMetric *first = NULL;

  *n = 0;
  for (guint i = 0; i < self->causes->len; i++)
    if (!g_hash_table_contains (self->closed, get_cause (self, i)->id) && (*n)++ == 0)
      first = get_cause (self, i);
  return first;
}

static void
show (VgCautions *self)
{
  int n;
  const VgMetric *first = find_open (self, &n);
  g_autofree char *more = NULL;

  if (first == NULL)
    {
      vg_banner_hide (VG_BANNER (self->banner));
      return;
    }
  if (n > 1)
    more = g_strdup_printf (_ ("and %d more"), n - 1);
  else if (self->way != NULL)
    more = self->way (self->way_data, first);
  vg_banner_show (VG_BANNER (self->banner), VG_BANNER_WARNING, vg_translate (first->advice));
  vg_banner_set_more (VG_BANNER (self->banner), more);
}

static gboolean
is_closed_no_more (gpointer id, gpointer value, gpointer data)
{
  VgCautions *self = data;

  for (guint i = 0; i < self->causes->len; i++)
    if (get_cause (self, i)->id == id)
      return FALSE;
  return TRUE;
}

void
vg_cautions_set (VgCautions *self, const VgMetrics *metrics)
{
  g_array_set_size (self->causes, 0);
  for (guint i = 0; metrics != NULL && i < metrics->items->len; i++)
    {
      VgMetric number = g_array_index (metrics->items, VgMetric, i);

      if (!(number.flags & VG_NUMBER_GRAVE) || number.advice == NULL)
        continue;
      number.id = g_intern_string (number.id);
      number.advice = g_strdup (number.advice);
      g_array_append_val (self->causes, number);
    }
  g_hash_table_foreach_remove (self->closed, is_closed_no_more, self);
  show (self);
}

void
vg_cautions_keep (VgCautions *self, const VgMetrics *metrics)
{
  guint before = self->causes->len;

  for (guint i = before; i-- > 0;)
    if (vg_metrics_find (metrics, get_cause (self, i)->id) == NULL)
      g_array_remove_index (self->causes, i);
  if (self->causes->len != before)
    show (self);
}

void
vg_cautions_set_way (VgCautions *self, VgCautionsWay way, gpointer data)
{
  self->way = way;
  self->way_data = data;
}

const VgMetric *
vg_cautions_get_only (VgCautions *self)
{
  int n;
  const VgMetric *first = find_open (self, &n);

  return n == 1 ? first : NULL;
}

gboolean
vg_cautions_close (VgCautions *self)
{
  int n;
  const VgMetric *first = find_open (self, &n);

  if (first == NULL)
    return FALSE;
  g_hash_table_add (self->closed, (gpointer) first->id);
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

  g_array_unref (self->causes);
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
  self->causes = g_array_new (FALSE, FALSE, sizeof (VgMetric));
  g_array_set_clear_func (self->causes, clear_cause);
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
