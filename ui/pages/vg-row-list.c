/* SPDX-License-Identifier: MIT */
#include "ui/pages/vg-row-list.h"

struct _VgRowPlace
{
  GObject parent_instance;
  VgObjectRow *row;
};

G_DEFINE_FINAL_TYPE (VgRowPlace, vg_row_place, G_TYPE_OBJECT)

static void
vg_row_place_finalize (GObject *object)
{
  g_clear_object (&VG_ROW_PLACE (object)->row);
  G_OBJECT_CLASS (vg_row_place_parent_class)->finalize (object);
}

static void
vg_row_place_class_init (VgRowPlaceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_row_place_finalize;
}

static void
vg_row_place_init (VgRowPlace *self)
{
}

VgObjectRow *
vg_row_place_get (VgRowPlace *self)
{
  return self->row;
}

struct _VgRowList
{
  GObject parent_instance;
  GPtrArray *places; /* VgRowPlace */
};

static GType
get_item_type (GListModel *model)
{
  return VG_TYPE_ROW_PLACE;
}

static guint
get_n_items (GListModel *model)
{
  return VG_ROW_LIST (model)->places->len;
}

static gpointer
get_item (GListModel *model, guint position)
{
  GPtrArray *places = VG_ROW_LIST (model)->places;

  return position < places->len ? g_object_ref (places->pdata[position]) : NULL;
}

static void
list_model_init (GListModelInterface *interface)
{
  interface->get_item_type = get_item_type;
  interface->get_n_items = get_n_items;
  interface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (VgRowList, vg_row_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
vg_row_list_finalize (GObject *object)
{
  g_ptr_array_unref (VG_ROW_LIST (object)->places);
  G_OBJECT_CLASS (vg_row_list_parent_class)->finalize (object);
}

static void
vg_row_list_class_init (VgRowListClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_row_list_finalize;
}

static void
vg_row_list_init (VgRowList *self)
{
  self->places = g_ptr_array_new_with_free_func (g_object_unref);
}

VgRowList *
vg_row_list_new (void)
{
  return g_object_new (VG_TYPE_ROW_LIST, NULL);
}

void
vg_row_list_set (VgRowList *self, GPtrArray *rows, guint n)
{
  guint before = self->places->len;

  n = MIN (n, rows != NULL ? rows->len : 0);
  for (guint i = before; i < n; i++)
    g_ptr_array_add (self->places, g_object_new (VG_TYPE_ROW_PLACE, NULL));
  for (guint i = 0; i < n; i++)
    g_set_object (&((VgRowPlace *) self->places->pdata[i])->row, rows->pdata[i]);
  if (n < before)
    g_ptr_array_set_size (self->places, (int) n);
  if (n != before)
    g_list_model_items_changed (G_LIST_MODEL (self), MIN (n, before), before - MIN (n, before),
                                n - MIN (n, before));
}
