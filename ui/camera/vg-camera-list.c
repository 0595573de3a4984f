/* SPDX-License-Identifier: MIT */
#include "ui/camera/vg-camera-list.h"
#include "ui/common/vg-object.h"

struct _VgCameraList
{
  GObject parent_instance;
  VgCameraLook look;
  guint interval_ms;
  guint timer; /* until the next look; 0: one is under way, or it has stopped */
  gboolean stopped;
  GPtrArray *entries; /* of VgCameraEntry; NULL: not known yet */
};

G_DEFINE_FINAL_TYPE (VgCameraList, vg_camera_list, G_TYPE_OBJECT)

static void
entry_free (gpointer data)
{
  VgCameraEntry *self = data;

  g_free (self->address);
  g_free (self->description);
  g_free (self);
}

/* ---- looking, on a thread ---- */

static void
add (GPtrArray *entries, const char *address, const char *description, gboolean missing)
{
  VgCameraEntry *entry = g_new0 (VgCameraEntry, 1);

  entry->address = g_utf8_make_valid (address, -1);
  entry->description = g_utf8_make_valid (description, -1);
  entry->missing = missing;
  g_ptr_array_add (entries, entry);
}

static void
add_found (const char *address, const char *description, gpointer entries)
{
  add (entries, address, description, FALSE);
}

static void
add_missing (const char *scheme, const char *reason, gpointer entries)
{
  add (entries, scheme, reason, TRUE);
}

static void
look (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GPtrArray *entries = g_ptr_array_new_with_free_func (entry_free);

  VG_CAMERA_LIST (source)->look (add_found, add_missing, entries);
  g_task_return_pointer (task, entries, (GDestroyNotify) g_ptr_array_unref);
}

/* ---- the result ---- */

static gboolean
is_equal (GPtrArray *a, GPtrArray *b)
{
  if (a == NULL || a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    {
      const VgCameraEntry *one = a->pdata[i], *other = b->pdata[i];

      if (!g_str_equal (one->address, other->address) ||
          !g_str_equal (one->description, other->description) || one->missing != other->missing)
        return FALSE;
    }
  return TRUE;
}

static gboolean begin (gpointer data);

static void
on_looked (GObject *source, GAsyncResult *result, gpointer data)
{
  VgCameraList *self = VG_CAMERA_LIST (source);
  g_autoptr (GPtrArray) entries = g_task_propagate_pointer (G_TASK (result), NULL);

  if (self->stopped)
    return;
  self->timer = g_timeout_add (self->interval_ms, begin, self);
  if (is_equal (self->entries, entries))
    return;
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  self->entries = g_steal_pointer (&entries);
  g_signal_emit_by_name (self, "changed");
}

static gboolean
begin (gpointer data)
{
  VgCameraList *self = data;
  g_autoptr (GTask) task = g_task_new (self, NULL, on_looked, NULL);

  self->timer = 0;
  g_task_run_in_thread (task, look);
  return G_SOURCE_REMOVE;
}

void
vg_camera_list_stop (VgCameraList *self)
{
  self->stopped = TRUE;
  g_clear_handle_id (&self->timer, g_source_remove);
}

guint
vg_camera_list_get_n (VgCameraList *self)
{
  return self->entries != NULL ? self->entries->len : 0;
}

const VgCameraEntry *
vg_camera_list_get (VgCameraList *self, guint i)
{
  return self->entries->pdata[i];
}

static void
vg_camera_list_finalize (GObject *object)
{
  VgCameraList *self = VG_CAMERA_LIST (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  G_OBJECT_CLASS (vg_camera_list_parent_class)->finalize (object);
}

static void
vg_camera_list_class_init (VgCameraListClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_camera_list_finalize;
  vg_signal_new (G_TYPE_FROM_CLASS (class), "changed", 0);
}

static void
vg_camera_list_init (VgCameraList *self)
{
}

VgCameraList *
vg_camera_list_new (VgCameraLook look_for, guint interval_ms)
{
  VgCameraList *self = g_object_new (VG_TYPE_CAMERA_LIST, NULL);

  self->look = look_for;
  self->interval_ms = interval_ms;
  begin (self);
  return self;
}
