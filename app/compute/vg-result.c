/* SPDX-License-Identifier: MIT */
/* Results and the pool of their buffers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/vg-error.h"
#include "app/compute/vg-result-pool.h"

enum { MAX_IDLE = 4 };

/* Room for one plane. */
typedef struct
{
  float *host;
  gsize capacity;     /* samples in host */
  const VgCuda *cuda; /* of device_plane */
  VgCudaPlane *device_plane;
} Store;

typedef struct
{
  VgResult result;
  VgResultPool *pool;
  gatomicrefcount ref_count;
  Store shown, brightness, outlines, second;
  gpointer owner; /* of a plane that is not in `shown`, for `release`; or NULL */
  GDestroyNotify release;
} Buffer;

struct _VgResultPool
{
  GMutex lock;
  GPtrArray *idle; /* of Buffer */
  guint size;
  gatomicrefcount ref_count; /* the owner's, and one per result in use */
};

static void
store_clear (Store *store)
{
  free (store->host);
  if (store->device_plane)
    store->cuda->plane_free (store->device_plane);
}

static void
buffer_free (Buffer *buffer)
{
  store_clear (&buffer->shown);
  store_clear (&buffer->brightness);
  store_clear (&buffer->outlines);
  store_clear (&buffer->second);
  g_free (buffer);
}

VgResultPool *
vg_result_pool_new (void)
{
  VgResultPool *self = g_new0 (VgResultPool, 1);

  g_mutex_init (&self->lock);
  self->idle = g_ptr_array_new ();
  g_atomic_ref_count_init (&self->ref_count);
  return self;
}

void
vg_result_pool_unref (VgResultPool *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  for (guint i = 0; i < self->idle->len; i++)
    buffer_free (self->idle->pdata[i]);
  g_ptr_array_unref (self->idle);
  g_mutex_clear (&self->lock);
  g_free (self);
}

guint
vg_result_pool_size (VgResultPool *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return self->size;
}

/* An idle buffer, by preference one that already has the kind of memory. */
static Buffer *
take_buffer (VgResultPool *self, gboolean on_device)
{
  Buffer *buffer = NULL;

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->idle->len && !buffer; i++)
    {
      Buffer *idle = self->idle->pdata[i];

      if (on_device ? idle->shown.device_plane != NULL : idle->shown.host != NULL)
        buffer = g_ptr_array_remove_index_fast (self->idle, i);
    }
  if (!buffer)
    {
      buffer = g_new0 (Buffer, 1);
      self->size++;
    }
  g_mutex_unlock (&self->lock);
  buffer->pool = self;
  g_atomic_ref_count_inc (&self->ref_count);
  g_atomic_ref_count_init (&buffer->ref_count);
  memset (&buffer->result, 0, sizeof buffer->result);
  return buffer;
}

static gboolean
copy_host (Store *store, const VgPlane *plane, VgPlane *copy, GError **error)
{
  gsize n = (gsize) plane->width * (gsize) plane->height * (gsize) MAX (plane->slices, 1);

  if (n > store->capacity)
    {
      void *memory = NULL;

      if (posix_memalign (&memory, 64, n * sizeof (float)) != 0)
        {
          g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                       "there is not enough memory for a copy of the shown map, %d x %d; close "
                       "other programs",
                       plane->width, plane->height);
          return FALSE;
        }
      free (store->host);
      store->host = memory;
      store->capacity = n;
    }
  memcpy (store->host, plane->data, n * sizeof (float));
  *copy = *plane;
  copy->data = store->host;
  return TRUE;
}

/* Reading one value back is how the end of the copy is waited for, and how
 * an error of the kernels before it is noticed in time. */
static gboolean
copy_device (Store *store, const VgPlane *plane, const VgCuda *cuda, VgPlane *copy, GError **error)
{
  const int first[3] = { 0, 0, 0 };
  float value;

  if (store->device_plane && store->cuda != cuda)
    {
      store->cuda->plane_free (store->device_plane);
      store->device_plane = NULL;
    }
  if (!store->device_plane)
    {
      store->cuda = cuda;
      store->device_plane = cuda->plane_new (0, error);
    }
  if (!store->device_plane || !cuda->plane_store (store->device_plane, plane, error))
    return FALSE;
  cuda->plane_get (store->device_plane, copy);
  return cuda->probe (copy, first, 1, &value, error);
}

static gboolean
copy_plane (Store *store, const VgPlane *plane, const VgCuda *cuda, VgPlane *copy, GError **error)
{
  return plane->place == VG_DEVICE ? copy_device (store, plane, cuda, copy, error)
                                   : copy_host (store, plane, copy, error);
}

VgResult *
vg_result_pool_copy (VgResultPool *self, const VgPlane *plane, const VgCuda *cuda, GError **error)
{
  Buffer *buffer = take_buffer (self, plane->place == VG_DEVICE);

  if (copy_plane (&buffer->shown, plane, cuda, &buffer->result.plane, error))
    return &buffer->result;
  vg_result_unref (&buffer->result);
  return NULL;
}

VgResult *
vg_result_pool_lend (VgResultPool *self, const VgPlane *plane, gpointer owner,
                     GDestroyNotify release)
{
  Buffer *buffer = take_buffer (self, FALSE);

  buffer->result.plane = *plane;
  buffer->owner = owner;
  buffer->release = release;
  return &buffer->result;
}

VgResult *
vg_result_pool_plain (VgResultPool *self)
{
  return &take_buffer (self, FALSE)->result;
}

gboolean
vg_result_set_brightness (VgResult *result, const VgPlane *plane, const VgCuda *cuda,
                          GError **error)
{
  const VgPlane *shown = &result->plane;

  if (plane->place != shown->place || plane->width != shown->width ||
      plane->height != shown->height || plane->slices != shown->slices)
    return TRUE;
  if (copy_plane (&((Buffer *) result)->brightness, plane, cuda, &result->brightness, error))
    return TRUE;
  result->brightness.data = NULL;
  return FALSE;
}

static gboolean
copy_outlines (Store *store, const VgOutlines *outlines, const VgCuda *cuda, VgOutlines *copy,
               GError **error)
{
  VgPlane values;

  if (!copy_plane (store, &outlines->values, cuda, &values, error))
    return FALSE;
  *copy = *outlines;
  copy->values = values;
  copy->items = g_memdup2 (outlines->items, outlines->n * sizeof (VgOutline));
  return TRUE;
}

gboolean
vg_result_set_outlines (VgResult *result, const VgOutlines *outlines, const VgCuda *cuda,
                        GError **error)
{
  return copy_outlines (&((Buffer *) result)->outlines, outlines, cuda, &result->outlines, error);
}

gboolean
vg_result_set_second_outlines (VgResult *result, const VgOutlines *outlines, const VgCuda *cuda,
                               GError **error)
{
  if (!copy_outlines (&((Buffer *) result)->second, outlines, cuda, &result->second_outlines,
                      error))
    return FALSE;
  result->second_outlines.plain = TRUE;
  return TRUE;
}

VgRegionResult *
vg_result_add_regions (VgResult *result, guint n)
{
  VgRegionResult *regions = g_new0 (VgRegionResult, MAX (n, 1));

  result->regions = regions;
  result->n_regions = n;
  return regions;
}

VgResult *
vg_result_ref (VgResult *self)
{
  g_atomic_ref_count_inc (&((Buffer *) self)->ref_count);
  return self;
}

void
vg_result_unref (VgResult *self)
{
  Buffer *buffer = (Buffer *) self;
  VgResultPool *pool;
  gboolean keep;

  if (!self || !g_atomic_ref_count_dec (&buffer->ref_count))
    return;
  pool = buffer->pool;
  g_clear_pointer (&self->metrics, vg_metrics_free);
  g_clear_pointer (&self->compare_note, g_free);
  g_clear_pointer (&self->overlay, vg_overlay_free);
  g_free ((gpointer) self->outlines.items);
  g_free ((gpointer) self->second_outlines.items);
  self->outlines.items = self->second_outlines.items = NULL;
  g_clear_pointer (&self->underlay, vg_underlay_unref);
  g_free ((gpointer) self->regions);
  self->regions = NULL;
  if (buffer->release != NULL)
    buffer->release (buffer->owner);
  buffer->release = NULL;
  g_clear_pointer (&self->beside, vg_result_unref);
  g_mutex_lock (&pool->lock);
  keep = pool->idle->len < MAX_IDLE &&
         (buffer->shown.host != NULL || buffer->shown.device_plane != NULL);
  if (keep)
    g_ptr_array_add (pool->idle, buffer);
  else
    pool->size--;
  g_mutex_unlock (&pool->lock);
  if (!keep)
    buffer_free (buffer);
  vg_result_pool_unref (pool);
}

gboolean
vg_result_probe_many (VgResult *self, const int *xyz, int n, float *values)
{
  const VgPlane *plane = &self->plane;

  if (plane->place == VG_DEVICE)
    return ((Buffer *) self)->shown.cuda->probe (plane, xyz, n, values, NULL);
  for (int i = 0; i < n; i++, xyz += 3)
    values[i] = plane->data[((gsize) xyz[2] * (gsize) plane->height + (gsize) xyz[1]) *
                                (gsize) plane->width +
                            (gsize) xyz[0]];
  return TRUE;
}

gboolean
vg_result_probe (VgResult *self, int x, int y, int slice, float *value)
{
  const VgPlane *plane = &self->plane;
  const int xyz[3] = { x, y, slice };

  return x >= 0 && y >= 0 && slice >= 0 && x < plane->width && y < plane->height &&
         slice < MAX (plane->slices, 1) && vg_result_probe_many (self, xyz, 1, value);
}
