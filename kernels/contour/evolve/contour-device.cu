/* SPDX-License-Identifier: MIT */
#include <string.h>
#include "kernels/contour/evolve/contour-device.cuh"
/* Memory of the scene on a GPU, and its way there and back. */

enum { TILE_THREADS = 256, FEW_THREADS = 512, FULL_THREADS = 256 };

static gsize
image_size (const VgContourDevice *self)
{
  return (gsize) self->view.width * (gsize) self->view.height;
}

static gboolean
load_image (VgContourDevice *self, const VgContourScene *scene, GError **error)
{
  const char *what = "the planes of the image";
  gsize n = image_size (self);
  VgContourView *view = &self->view;
  void *grey = NULL, *prior = NULL;
  gboolean ok;

  for (gsize i = 0; i < n; i++)
    view->grey_sum += scene->grey[i];
  ok = vg_cuda_alloc (&grey, n * sizeof (guint16), what, error) &&
       vg_cuda_alloc ((void **) &view->field, n * sizeof (gint32), what, error) &&
       vg_cuda_alloc (&prior, sizeof (VgContourPrior), what, error) &&
       vg_cuda_alloc ((void **) &view->all, sizeof (VgContourUnion), what, error) &&
       vg_cuda_alloc ((void **) &view->notes, VG_CONTOUR_NOTES * sizeof (VgContourNote), what,
                      error) &&
       vg_cuda_alloc ((void **) &self->keys, n * sizeof (unsigned long long), what, error) &&
       vg_cuda_alloc ((void **) &self->counts, n * sizeof (gint32), what, error);
  view->grey = (const guint16 *) grey;
  view->prior = (const VgContourPrior *) prior;
  for (guint i = 0; i < G_N_ELEMENTS (self->planes) && ok; i++)
    ok = vg_cuda_alloc ((void **) &self->planes[i], n * sizeof (float), what, error);
  self->host_notes = !ok ? NULL
                         : (VgContourNote *) vg_cuda_host_alloc (
                               VG_CONTOUR_NOTES * sizeof (VgContourNote), error);
  return self->host_notes != NULL &&
         vg_cuda_copy (grey, scene->grey, n * sizeof (guint16), self->stream, error) &&
         vg_cuda_copy_now (prior, &scene->prior, sizeof (VgContourPrior), self->stream, error);
}

VgContourDevice *
vg_contour_device_new (int device, const VgContourScene *scene, GError **error)
{
  VgContourDevice *self;

  if (!vg_cuda_use (device, error))
    return NULL;
  self = g_new0 (VgContourDevice, 1);
  self->device = device;
  self->view.width = scene->width;
  self->view.height = scene->height;
  if (vg_cuda_stream_new (&self->stream, error) && load_image (self, scene, error) &&
      vg_contour_device_upload (self, scene, error))
    return self;
  vg_contour_device_free (self);
  return NULL;
}

static void
free_pools (VgContourView *view)
{
  cudaFree (view->phi);
  cudaFree (view->work);
  cudaFree (view->h);
  cudaFree (view->mark);
  view->phi = view->work = NULL;
  view->h = view->mark = NULL;
}

static void
free_objects (VgContourDevice *self)
{
  cudaFree (self->view.objects);
  cudaFree (self->next);
  cudaFree (self->view.shapes);
  vg_cuda_host_free (self->host);
  self->view.objects = self->next = NULL;
  self->view.shapes = NULL;
  self->host = NULL;
  self->objects_room = 0;
}

static void
drop_period (VgContourDevice *self)
{
  if (self->period != NULL)
    cudaGraphExecDestroy (self->period);
  self->period = NULL;
}

void
vg_contour_device_free (VgContourDevice *self)
{
  if (self == NULL)
    return;
  if (vg_cuda_use (self->device, NULL))
    {
      vg_cuda_stream_free (self->stream);
      drop_period (self);
      free_pools (&self->view);
      free_objects (self);
      cudaFree ((void *) self->view.grey);
      cudaFree (self->view.field);
      cudaFree ((void *) self->view.prior);
      cudaFree (self->view.all);
      cudaFree (self->view.notes);
      cudaFree (self->keys);
      cudaFree (self->counts);
      for (guint i = 0; i < G_N_ELEMENTS (self->planes); i++)
        cudaFree (self->planes[i]);
      vg_cuda_host_free (self->host_notes);
      cudaGetLastError ();
    }
  g_free (self);
}

/* Pools for SAMPLES, whose contents are not set. */
static gboolean
make_pools (VgContourDevice *self, gsize samples, GError **error)
{
  const char *what = "the nuclei's tiles";
  VgContourView *view = &self->view;
  gsize room = samples + samples / 8;

  self->room = 0;
  if (!vg_cuda_alloc ((void **) &view->phi, room * sizeof (float), what, error) ||
      !vg_cuda_alloc ((void **) &view->h, room * sizeof (guint16), what, error) ||
      !vg_cuda_alloc ((void **) &view->mark, room * sizeof (guint16), what, error) ||
      !vg_cuda_alloc ((void **) &view->work, 3 * room * sizeof (float), what, error))
    return FALSE;
  self->room = room;
  return TRUE;
}

/* Pools for SAMPLES and room for N objects. */
static gboolean
make_room (VgContourDevice *self, gsize samples, int n, GError **error)
{
  const char *what = "the nuclei's tiles";
  VgContourView *view = &self->view;
  int objects = n + n / 8 + 16;

  if (samples > self->room)
    {
      free_pools (view);
      if (!make_pools (self, samples, error))
        return FALSE;
    }
  self->samples = samples;
  if (n <= self->objects_room)
    return TRUE;
  free_objects (self);
  if (!vg_cuda_alloc ((void **) &view->objects, (gsize) objects * sizeof (VgContourDeviceObject),
                      what, error) ||
      !vg_cuda_alloc ((void **) &self->next, (gsize) objects * sizeof (VgContourDeviceObject), what,
                      error) ||
      !vg_cuda_alloc ((void **) &view->shapes,
                      (gsize) (view->full ? objects : 1) * VG_CONTOUR_TEMPLATE * sizeof (float),
                      what, error))
    return FALSE;
  self->host = (VgContourDeviceObject *) vg_cuda_host_alloc (
      (gsize) objects * sizeof (VgContourDeviceObject), error);
  self->objects_room = self->host != NULL ? objects : 0;
  return self->host != NULL;
}

static gsize
count_samples (const VgContourBox *tile)
{
  return (gsize) tile->width * (gsize) (tile->height + 1);
}

/* The scene's objects, one after the other in the pools. */
static void
list_objects (VgContourDevice *self, const VgContourScene *scene)
{
  gsize samples = 0;

  memset (self->host, 0, (gsize) scene->objects->len * sizeof *self->host);
  for (guint i = 0; i < scene->objects->len; i++)
    {
      const VgContourObject *object = vg_contour_scene_object (scene, i);

      self->host[i].tile = object->tile;
      self->host[i].state = object->state;
      self->host[i].offset = samples;
      self->host[i].id = object->id;
      samples += count_samples (&object->tile);
    }
}

typedef enum { TO_DEVICE, TO_HOST } Way;

/* All samples of all objects, through one block of host memory per pool. */
static gboolean
move_samples (VgContourDevice *self, const VgContourScene *scene, Way way, GError **error)
{
  void *const pools[] = { self->view.phi, self->view.h, self->view.mark };
  const gsize sizes[] = { sizeof (float), sizeof (guint16), sizeof (guint16) };
  g_autofree guint8 *block = (guint8 *) g_try_malloc (MAX (self->samples, 1) * sizeof (float));

  if (block == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for the tiles of %u nuclei; choose a smaller region",
                   scene->objects->len);
      return FALSE;
    }
  for (int p = 0; p < 3; p++)
    {
      if (way == TO_HOST &&
          !vg_cuda_copy_now (block, pools[p], self->samples * sizes[p], self->stream, error))
        return FALSE;
      for (guint i = 0; i < scene->objects->len; i++)
        {
          VgContourObject *object = vg_contour_scene_object (scene, i);
          void *samples = p == 0   ? (void *) object->phi
                          : p == 1 ? (void *) object->h
                                   : (void *) object->mark;
          gsize bytes = (gsize) object->tile.width * (gsize) object->tile.height * sizes[p];
          guint8 *at = block + self->host[i].offset * sizes[p];

          memcpy (way == TO_DEVICE ? (void *) at : samples,
                  way == TO_DEVICE ? samples : (void *) at, bytes);
        }
      if (way == TO_DEVICE &&
          !vg_cuda_copy_now (pools[p], block, self->samples * sizes[p], self->stream, error))
        return FALSE;
    }
  return TRUE;
}

static void
choose_shape (VgContourDevice *self)
{
  int processors = 132;

  cudaDeviceGetAttribute (&processors, cudaDevAttrMultiProcessorCount, self->device);
  /* few objects: all threads of a processor on one or two of them */
  self->threads = self->view.n <= 4 * processors ? FEW_THREADS : TILE_THREADS;
  self->blocks = (int) MIN ((image_size (self) + FULL_THREADS - 1) / FULL_THREADS,
                            (gsize) MAX (4 * processors / MAX (self->view.n, 1), 1));
}

gboolean
vg_contour_device_upload (VgContourDevice *self, const VgContourScene *scene, GError **error)
{
  VgContourView *view = &self->view;
  VgContourUnion all = { scene->u_in, scene->u_out, 0, 0, 0 };
  gsize samples = 0;
  int n = (int) scene->objects->len;

  for (int i = 0; i < n; i++)
    samples += count_samples (&vg_contour_scene_object (scene, (guint) i)->tile);
  drop_period (self);
  view->n = n;
  view->weights = scene->weights;
  view->full = scene->full;
  if (!vg_cuda_use (self->device, error) ||
      !VG_CUDA_OK (cudaStreamSynchronize (self->stream), error) ||
      !make_room (self, samples, n, error))
    return FALSE;
  list_objects (self, scene);
  choose_shape (self);
  self->current = move_samples (self, scene, TO_DEVICE, error) &&
                  vg_cuda_copy (view->objects, self->host, (gsize) n * sizeof *self->host,
                                self->stream, error) &&
                  vg_cuda_copy (view->all, &all, sizeof all, self->stream, error) &&
                  vg_cuda_copy_now (view->field, scene->field, image_size (self) * sizeof (gint32),
                                    self->stream, error);
  return self->current;
}

/* Sets FROM to where the samples are copied to make way for others: to the pool of work. */
static gboolean
set_aside (VgContourDevice *self, VgContourSamples *from, GError **error)
{
  const VgContourView *view = &self->view;
  float *phi = view->work;
  guint16 *h = (guint16 *) (phi + self->samples), *mark = h + self->samples;

  *from = (VgContourSamples){ phi, h, mark };
  return vg_cuda_copy (phi, view->phi, self->samples * sizeof *phi, self->stream, error) &&
         vg_cuda_copy (h, view->h, self->samples * sizeof *h, self->stream, error) &&
         vg_cuda_copy (mark, view->mark, self->samples * sizeof *mark, self->stream, error);
}

gboolean
vg_contour_device_grow (VgContourDevice *self, const VgContourScene *scene, GError **error)
{
  VgContourView *view = &self->view, old = *view;
  VgContourSamples from = { view->phi, view->h, view->mark };
  gsize samples = 0, bytes = (gsize) view->n * sizeof *self->host;
  gboolean ok;

  for (guint i = 0; i < scene->objects->len; i++)
    samples += count_samples (&vg_contour_scene_object (scene, i)->tile);
  self->current = FALSE;
  if (!vg_cuda_use (self->device, error))
    return FALSE;
  if (samples > self->room)
    {
      drop_period (self); /* it has the pools */
      cudaFree (old.work);
      old.work = view->phi = view->work = NULL;
      view->h = view->mark = NULL;
      ok = make_pools (self, samples, error);
    }
  else
    {
      memset (&old, 0, sizeof old);
      ok = set_aside (self, &from, error);
    }
  list_objects (self, scene);
  ok = ok && vg_cuda_copy (self->next, self->host, bytes, self->stream, error);
  if (ok)
    vg_contour_launch_growth (self, &from);
  ok = ok && vg_cuda_launched ("larger tiles", error) &&
       vg_cuda_copy (view->objects, self->next, bytes, self->stream, error) &&
       VG_CUDA_OK (cudaStreamSynchronize (self->stream), error);
  free_pools (&old);
  self->samples = samples;
  return self->current = ok;
}

gboolean
vg_contour_device_reweigh (VgContourDevice *self, const VgContourScene *scene, GError **error)
{
  gsize n = scene->objects->len;

  if (!vg_cuda_use (self->device, error))
    return FALSE;
  drop_period (self);
  self->view.weights = scene->weights;
  for (gsize i = 0; i < n; i++)
    self->host[i].state = vg_contour_scene_object (scene, (guint) i)->state;
  self->current = vg_cuda_copy_now (self->view.objects, self->host, n * sizeof *self->host,
                                    self->stream, error);
  return self->current;
}

/* Records the launches of a whole period, so that they cost one. */
static gboolean
record_period (VgContourDevice *self, int n, GError **error)
{
  cudaGraph_t graph = NULL;
  gboolean ok = VG_CUDA_OK (cudaStreamBeginCapture (self->stream, cudaStreamCaptureModeThreadLocal),
                            error);

  if (!ok)
    return FALSE;
  for (int k = 0; k < n && ok; k++)
    ok = vg_contour_launch_iteration (self, k + 1 == n, error);
  cudaError_t ended = cudaStreamEndCapture (self->stream, &graph);
  ok = ok && vg_cuda_ok (ended, "cudaStreamEndCapture", error) &&
       VG_CUDA_OK (cudaGraphInstantiate (&self->period, graph, 0), error);
  if (graph != NULL)
    cudaGraphDestroy (graph);
  return ok;
}

/* The period that starts at the scene's iteration, whole. */
static gboolean
launch_period (VgContourDevice *self, VgContourScene *scene, GError **error)
{
  if (self->period == NULL && !record_period (self, scene->reinit_period, error))
    return FALSE;
  return VG_CUDA_OK (cudaGraphLaunch (self->period, self->stream), error);
}

enum { MOST_RECORDED = 100 };

gboolean
vg_contour_device_iterate (VgContourDevice *self, VgContourScene *scene, int n, GError **error)
{
  if (!vg_cuda_use (self->device, error))
    return FALSE;
  while (n > 0 && self->view.n > 0)
    {
      int period = scene->reinit_period,
          left = period - (int) (scene->iteration % (guint64) period);
      gboolean whole = left == period && n >= period && period <= MOST_RECORDED;

      if (self->notes == VG_CONTOUR_NOTES && !vg_contour_device_wait (self, scene, error))
        return FALSE;
      if (!(whole ? launch_period (self, scene, error)
                  : vg_contour_launch_iteration (self, left == 1, error)))
        return FALSE;
      scene->iteration += whole ? (guint64) period : 1;
      n -= whole ? period : 1;
      if (whole || left == 1)
        self->noted[self->notes++] = scene->iteration;
    }
  scene->iteration += (guint64) n; /* no object: time goes by */
  return TRUE;
}

gboolean
vg_contour_device_wait (VgContourDevice *self, VgContourScene *scene, GError **error)
{
  VgContourUnion all;

  if (!vg_cuda_use (self->device, error) ||
      !vg_cuda_copy (self->host, self->view.objects, (gsize) self->view.n * sizeof *self->host,
                     self->stream, error) ||
      !vg_cuda_copy (self->host_notes, self->view.notes,
                     (gsize) self->notes * sizeof *self->host_notes, self->stream, error) ||
      !vg_cuda_copy (&all, self->view.all, sizeof all, self->stream, error) ||
      !VG_CUDA_OK (
          cudaMemsetAsync (&self->view.all->notes, 0, sizeof self->view.all->notes, self->stream),
          error) ||
      !VG_CUDA_OK (cudaStreamSynchronize (self->stream), error))
    return FALSE;
  for (int i = 0; i < self->view.n; i++)
    vg_contour_scene_object (scene, (guint) i)->state = self->host[i].state;
  for (int i = 0; i < self->notes; i++)
    {
      VgContourMoment moment = { self->noted[i], { 0.0 }, self->host_notes[i].moving };

      for (int t = 0; t < VG_CONTOUR_TERMS; t++)
        moment.energy[t] = (double) self->host_notes[i].energy[t] / VG_CONTOUR_UNIT;
      g_array_append_val (scene->history, moment);
    }
  self->notes = 0;
  scene->u_in = all.u_in;
  scene->u_out = all.u_out;
  return TRUE;
}

gboolean
vg_contour_device_download (VgContourDevice *self, VgContourScene *scene, GError **error)
{
  return vg_contour_device_wait (self, scene, error) &&
         vg_cuda_copy (scene->field, self->view.field, image_size (self) * sizeof (gint32),
                       self->stream, error) &&
         move_samples (self, scene, TO_HOST, error);
}

gboolean
vg_contour_device_draw (VgContourDevice *self, GError **error)
{
  gsize n = image_size (self);

  return vg_cuda_use (self->device, error) &&
         VG_CUDA_OK (cudaMemsetAsync (self->keys, 0, n * sizeof *self->keys, self->stream),
                     error) &&
         VG_CUDA_OK (cudaMemsetAsync (self->counts, 0, n * sizeof *self->counts, self->stream),
                     error) &&
         vg_contour_launch_draw (self, error);
}
