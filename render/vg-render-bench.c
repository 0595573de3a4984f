/* SPDX-License-Identifier: MIT */
/* Bench rows that end in a texture.  Camera to texture: 16-bit frames wait in
 * page-locked memory, as a grabber leaves them; the engine takes each, its
 * first map goes into a buffer of its own, and a buffer filled two frames ago
 * goes into the texture, so that upload, work and display overlap.  What
 * remains is the upload, and that is the limit the rows state. */
#include "vg-gl.h"
#include <math.h>
#include "vg-renderer.h"

enum { N_FRAMES = 4, N_BUFFERS = 3, FRAMES_PER_RUN = 32 };

typedef struct { int width, height; } Size;
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
  guint64 fed, stored;
  GError *error;
} Camera;

static gboolean
fill_frames (Camera *self, const VgOperation *operation, const void *params, int width, int height)
{
  VgSyntheticSize size = { width, height, N_FRAMES, 1 };
  gpointer source = operation->synthetic->open (params, &size, &self->info, &self->error);
  gsize bytes = source != NULL ? vg_image_info_frame_bytes (&self->info) : 0;
  gboolean ok = bytes > 0 && (self->memory = self->cuda->host_alloc (bytes * N_FRAMES, &self->error)) != NULL;

  for (int i = 0; ok && i < N_FRAMES; i++)
    {
      VgFrame *frame = &self->frames[i];

      /* The camera's own reference is never given up, so nothing is released. */
      *frame = (VgFrame) { .info = &self->info, .data = (guint8 *) self->memory + i * bytes, .pinned = TRUE };
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
    if (operation->outputs[i].kind == VG_OUTPUT_MAP && self->engine->output (self->state, i, plane))
      return plane->place == VG_DEVICE;
  return FALSE;
}

typedef struct
{
  Camera *camera;
  const VgOperation *operation;
} CameraRun;

static gboolean
show_frame (CameraRun *run)
{
  Camera *self = run->camera;
  VgFrame *frame = &self->frames[self->fed % N_FRAMES];
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
  if (!self->cuda->plane_store (self->buffers[self->stored++ % N_BUFFERS], &plane, &self->error))
    return FALSE;
  if (self->stored < N_BUFFERS)
    return TRUE;
  self->cuda->plane_get (self->buffers[self->stored % N_BUFFERS], &plane);
  return vg_renderer_upload (self->renderer, 0, &plane, 0, &self->error);
}

static void
run_camera (gpointer data)
{
  CameraRun *run = data;

  for (int i = 0; i < FRAMES_PER_RUN && run->camera->error == NULL; i++)
    if (!show_frame (run) && run->camera->error == NULL)
      g_set_error_literal (&run->camera->error, VG_RENDER_ERROR, VG_RENDER_ERROR_FAILED, "a frame was not shown");
  glFinish ();
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
  g_clear_error (&self->error);
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
bench_camera (const VgOperation *operation, VgBench *bench, const VgCuda *cuda, int device, double upload, Size size)
{
  Camera camera = { .cuda = cuda, .engine = vg_cuda_engine (operation) };
  CameraRun run = { &camera, operation };
  void *params = vg_params_new (&operation->params);
  double seconds = 0;

  if (camera_open (&camera, operation, params, size, device))
    {
      run_camera (&run);   /* fills the engine's history and the buffers */
      seconds = bench->time (bench, run_camera, &run, 5);
    }
  if (camera.error == NULL && camera.stored >= N_BUFFERS)
    {
      g_autofree char *id = g_strdup_printf ("camera_to_texture_%dx%d", size.width, size.height);
      g_autofree char *work = g_strdup_printf ("pinned %d-bit frame to updated texture, overlapped",
                                               (int) vg_type_size (camera.info.type) * 8);
      g_autofree char *by = g_strdup_printf ("upload %.1f GB/s", upload / 1e9);

      bench->add (bench, &(VgBenchRow) { id, work, seconds / FRAMES_PER_RUN * 1e3, "ms",
                                         vg_image_info_frame_bytes (&camera.info) / upload * 1e3, by });
    }
  else
    g_printerr ("camera to texture at %dx%d skipped: %s\n", size.width, size.height,
                camera.error != NULL ? camera.error->message : "the engine gave no map");
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
  g_autofree float *values = g_new (float, (gsize) size.width * size.height);
  HostRun run = { vg_renderer_new (VG_DISPLAY_HOST, NULL, NULL),
                  { .place = VG_HOST, .data = values, .width = size.width, .height = size.height, .slices = 1 }, TRUE };

  for (gsize i = 0; i < (gsize) size.width * size.height; i++)
    values[i] = (float) (i % 4093);
  if (run.renderer != NULL)
    {
      g_autofree char *id = g_strdup_printf ("host_to_texture_%dx%d", size.width, size.height);
      double seconds = bench->time (bench, run_host, &run, 5);

      if (run.ok)
        bench->add (bench, &(VgBenchRow) { id, "float plane in host memory to texture through pixel buffers",
                                           seconds * 1e3, "ms", NAN, "" });
    }
  vg_renderer_free (run.renderer);
}

/* Rows for one operation.  What can't be measured here is left out, with a
 * line on stderr that says why. */
void
vg_render_bench (const VgOperation *operation, VgBench *bench)
{
  g_autoptr(GError) error = NULL;
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
  else if (operation->input != VG_INPUT_STREAM || operation->synthetic == NULL || vg_cuda_engine (operation) == NULL)
    reason = cuda != NULL ? "the operation has no stream of its own on the GPU" : reason;
  if (reason != NULL)
    g_printerr ("camera to texture skipped: %s\n", reason);
  else
    for (guint i = 0; i < n; i++)
      bench_camera (operation, bench, cuda, device, upload, sizes[i]);
  vg_headless_free (headless);
}
