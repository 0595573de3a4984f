/* SPDX-License-Identifier: MIT */
/* Bench rows that end in a texture.  Camera to texture: as in the program, one
 * thread takes 16-bit frames from page-locked memory, where a grabber leaves
 * them, through the engine into plane buffers, every frame; this thread, with
 * the GL context, moves the newest plane into the texture at a screen's rate.
 * What remains is the upload, and that is the limit the rows state. */
#include "render/vg-gl.h"
#include <math.h>
#include "render/vg-renderer.h"

enum { N_FRAMES = 8, N_BUFFERS = 3, PICTURES_PER_S = 60 };

typedef struct
{
  int width, height;
} Size;
static const Size sizes[] = { { 1392, 1040 }, { 1920, 1440 }, { 4096, 3072 } };

/* One camera, one engine, one screen. */
typedef struct
{
  const VgCuda *cuda;
  const VgEngine *engine;
  VgRenderer *renderer;
  VgImageInfo info;
  VgFrame frames[N_FRAMES];
  gpointer memory;
  gpointer state;
  VgCudaPlane *buffers[N_BUFFERS];
  int frames_per_run;
  guint64 fed, pictures;
  GMutex lock;       /* of the two below */
  int newest, shown; /* buffers: filled last, on its way to the texture; -1: none */
  GError *error;     /* of the camera's thread */
  GError *display_error;
} Camera;

static gboolean
fill_frames (Camera *self, const VgOperation *operation, const void *params, int width, int height)
{
  VgSyntheticSize size = { width, height, N_FRAMES, 1 };
  gpointer source = operation->synthetic->open (params, &size, &self->info, &self->error);
  gsize bytes = source != NULL ? vg_image_info_frame_bytes (&self->info) : 0;
  gboolean ok = bytes > 0 &&
                (self->memory = self->cuda->host_alloc (bytes * N_FRAMES, &self->error)) != NULL;

  for (int i = 0; ok && i < N_FRAMES; i++)
    {
      VgFrame *frame = &self->frames[i];

      /* The camera's own reference is never given up, so nothing is released. */
      *frame = (VgFrame){ .info = &self->info,
                          .data = (guint8 *) self->memory + i * bytes,
                          .pinned = TRUE };
      g_atomic_ref_count_init (&frame->ref_count);
      ok = operation->synthetic->read (source, i, frame->data, &self->error);
    }
  if (source != NULL)
    operation->synthetic->close (source);
  return ok;
}

/* The plane of the operation's first map; FALSE when it is not on the device. */
static gboolean
first_map (Camera *self, const VgOperation *operation, VgPlane *plane)
{
  for (guint i = 0; i < operation->n_outputs; i++)
    if (operation->outputs[i].kind == VG_OUTPUT_MAP &&
        self->engine->output (self->state, i, plane, NULL))
      return plane->place == VG_DEVICE;
  return FALSE;
}

typedef struct
{
  Camera *camera;
  const VgOperation *operation;
  gint running; /* atomic: the camera's thread is at work */
} CameraRun;

/* A buffer that is neither the newest nor on its way to the texture. */
static int
free_buffer (Camera *self)
{
  int i = 0;

  g_mutex_lock (&self->lock);
  while (i == self->newest || i == self->shown)
    i++;
  g_mutex_unlock (&self->lock);
  return i;
}

static gboolean
take_frame (CameraRun *run)
{
  Camera *self = run->camera;
  VgFrame *frame = &self->frames[self->fed % N_FRAMES];
  int buffer;
  VgPlane plane;
  VgStep step;

  frame->id = frame->index = self->fed++;
  frame->time_us = g_get_monotonic_time ();
  if (!self->engine->feed (self->state, frame, &self->error))
    return FALSE;
  step = self->engine->step (self->state, 1.0, &self->error);
  if (step == VG_STEP_FAILED)
    return FALSE;
  if (step != VG_STEP_DONE || !first_map (self, run->operation, &plane))
    return TRUE;
  buffer = free_buffer (self);
  if (!self->cuda->plane_store (self->buffers[buffer], &plane, &self->error))
    return FALSE;
  g_mutex_lock (&self->lock);
  self->newest = buffer;
  g_mutex_unlock (&self->lock);
  return TRUE;
}

static gpointer
camera_thread (gpointer data)
{
  CameraRun *run = data;
  Camera *self = run->camera;
  gboolean ok = TRUE;
  VgPlane plane;
  float value;

  for (int i = 0; i < self->frames_per_run && ok; i++)
    ok = take_frame (run);
  /* the last map has come when one of its values has */
  if (ok && first_map (self, run->operation, &plane))
    self->cuda->probe (&plane, (int[]){ 0, 0, 0 }, 1, &value, &self->error);
  g_atomic_int_set (&run->running, FALSE);
  return NULL;
}

static void
show_newest (Camera *self)
{
  VgPlane plane;

  g_mutex_lock (&self->lock);
  self->shown = self->newest;
  g_mutex_unlock (&self->lock);
  if (self->shown < 0)
    return;
  self->cuda->plane_get (self->buffers[self->shown], &plane);
  if (!vg_renderer_upload (self->renderer, 0, &plane, 0,
                           self->display_error == NULL ? &self->display_error : NULL))
    return;
  glFinish ();
  self->pictures++;
}

static void
run_camera (gpointer data)
{
  CameraRun *run = data;
  GThread *thread;

  run->running = TRUE;
  thread = g_thread_new ("camera", camera_thread, run);
  for (gint64 next = g_get_monotonic_time (); g_atomic_int_get (&run->running);)
    {
      gint64 wait = next - g_get_monotonic_time ();

      if (wait > 0)
        g_usleep (MIN (wait, 1000)); /* short: the end of the run must not wait for a picture */
      else
        {
          show_newest (run->camera);
          next += G_USEC_PER_SEC / PICTURES_PER_S;
        }
    }
  g_thread_join (thread);
}

static void
camera_clear (Camera *self)
{
  if (self->state != NULL)
    self->engine->free (self->state);
  for (int i = 0; i < N_BUFFERS; i++)
    if (self->buffers[i] != NULL)
      self->cuda->plane_free (self->buffers[i]);
  vg_renderer_free (self->renderer);
  if (self->memory != NULL)
    self->cuda->host_free (self->memory);
  g_mutex_clear (&self->lock);
  g_clear_error (&self->error);
  g_clear_error (&self->display_error);
}

static gboolean
camera_open (Camera *self, const VgOperation *operation, void *params, Size size, int device)
{
  VgContext context = { .params = params, .info = &self->info, .devices = &device, .n_devices = 1 };

  if (!fill_frames (self, operation, params, size.width, size.height))
    return FALSE;
  if (operation->adopt != NULL)
    operation->adopt (params, &self->info);
  self->renderer = vg_renderer_new (VG_DISPLAY_INTEROP, self->cuda, &self->error);
  if (self->renderer == NULL)
    return FALSE;
  for (int i = 0; i < N_BUFFERS; i++)
    if ((self->buffers[i] = self->cuda->plane_new (device, &self->error)) == NULL)
      return FALSE;
  self->state = self->engine->prepare (&context, &self->error);
  return self->state != NULL;
}

static void
run_show (gpointer data)
{
  show_newest (data);
}

static void
add_camera_rows (Camera *self, CameraRun *run, VgBench *bench, double upload, Size size)
{
  gsize bytes = vg_image_info_frame_bytes (&self->info);
  g_autofree char *id = g_strdup_printf ("camera_to_texture_%dx%d", size.width, size.height);
  g_autofree char *show_id = g_strdup_printf ("plane_to_texture_%dx%d", size.width, size.height);
  g_autofree char *work = g_strdup_printf (
      "pinned %d-bit frame to map, overlapped, the newest into the texture %d times a second",
      (int) vg_type_size (self->info.type) * 8, PICTURES_PER_S);
  g_autofree char *by = g_strdup_printf ("upload %.1f GB/s", upload / 1e9);
  double seconds;

  self->frames_per_run = bench->quick ? 64 : (int) (0.25 * upload / (double) bytes) + 1;
  run_camera (run); /* fills the engine's history and the buffers */
  seconds = bench->time (bench, run_camera, run, 5);
  if (self->error == NULL && self->display_error == NULL && self->pictures > 0)
    bench->add (bench, &(VgBenchRow){ id, work, seconds / self->frames_per_run * 1e3, "ms",
                                      (double) bytes / upload * 1e3, by });
  seconds = bench->time (bench, run_show, self, 20);
  if (self->error == NULL && self->display_error == NULL && self->pictures > 0)
    bench->add (bench, &(VgBenchRow){ show_id, "one map in GPU memory into the texture, waited for",
                                      seconds * 1e3, "ms", NAN, "" });
}

static void
bench_camera (const VgOperation *operation, VgBench *bench, const VgCuda *cuda, int device,
              double upload, Size size)
{
  Camera camera = { .cuda = cuda, .engine = vg_cuda_engine (operation), .newest = -1, .shown = -1 };
  CameraRun run = { &camera, operation, FALSE };
  void *params = vg_params_new (&operation->params);

  g_mutex_init (&camera.lock);
  if (camera_open (&camera, operation, params, size, device))
    add_camera_rows (&camera, &run, bench, upload, size);
  if (camera.error != NULL || camera.display_error != NULL || camera.pictures == 0)
    g_printerr ("camera to texture at %dx%d skipped: %s\n", size.width, size.height,
                camera.error != NULL           ? camera.error->message
                : camera.display_error != NULL ? camera.display_error->message
                                               : "the engine gave no map");
  camera_clear (&camera);
  vg_params_free (&operation->params, params);
}

typedef struct
{
  VgRenderer *renderer;
  VgPlane plane;
  gboolean ok;
} HostRun;

static void
run_host (gpointer data)
{
  HostRun *run = data;

  run->ok = vg_renderer_upload (run->renderer, 0, &run->plane, 0, NULL) && run->ok;
  glFinish ();
}

static void
bench_host (VgBench *bench, Size size)
{
  g_autofree float *values = g_new (float, (gsize) size.width *size.height);
  HostRun run = {
    vg_renderer_new (VG_DISPLAY_HOST, NULL, NULL),
    { .place = VG_HOST, .data = values, .width = size.width, .height = size.height, .slices = 1 },
    TRUE
  };

  for (gsize i = 0; i < (gsize) size.width * size.height; i++)
    values[i] = (float) (i % 4093);
  if (run.renderer != NULL)
    {
      g_autofree char *id = g_strdup_printf ("host_to_texture_%dx%d", size.width, size.height);
      double seconds = bench->time (bench, run_host, &run, 5);

      if (run.ok)
        bench->add (
            bench, &(VgBenchRow){ id, "float plane in host memory to texture through pixel buffers",
                                  seconds * 1e3, "ms", NAN, "" });
    }
  vg_renderer_free (run.renderer);
}

/* Rows for one operation.  What cannot be measured here is left out, with a
 * line on stderr that says why. */
void
vg_render_bench (const VgOperation *operation, VgBench *bench)
{
  g_autoptr (GError) error = NULL;
  const char *reason = NULL;
  const VgCuda *cuda = vg_cuda_get (&reason);
  VgHeadless *headless = vg_headless_new (&error);
  guint n = bench->quick ? 1 : G_N_ELEMENTS (sizes);
  double copy, upload, download;
  int device = -1;

  if (headless == NULL)
    {
      g_printerr ("display rows skipped: %s\n", error->message);
      return;
    }
  for (guint i = 0; i < n; i++)
    bench_host (bench, sizes[i]);

  if (cuda != NULL && (device = cuda->gl_device (&error)) < 0)
    reason = error != NULL ? error->message : "CUDA has no device that drives OpenGL here";
  else if (cuda != NULL && !cuda->bandwidth (device, &copy, &upload, &download, &error))
    reason = error->message;
  else if (operation->input.kind != VG_INPUT_STREAM || operation->synthetic == NULL ||
           vg_cuda_engine (operation) == NULL)
    reason = cuda != NULL ? "the operation has no stream of its own on the GPU" : reason;
  if (reason != NULL)
    g_printerr ("camera to texture skipped: %s\n", reason);
  else
    for (guint i = 0; i < n; i++)
      bench_camera (operation, bench, cuda, device, upload, sizes[i]);
  vg_headless_free (headless);
}
