/* SPDX-License-Identifier: MIT */
/* A map from the GPU in a texture, by interop and by way of the host: both
 * hold exactly what the device holds.  The plane is the first map that some
 * operation's CUDA engine makes of its own synthetic data. */
#include <math.h>
#include <string.h>
#include "render/vg-renderer.h"

enum { WIDTH = 181, HEIGHT = 97, MAX_FRAMES = 64 };

typedef struct
{
  const VgCuda *cuda;
  const VgEngine *engine;
  gpointer state;
  VgPlane plane;
  VgImageInfo info;
  VgFrame frames[MAX_FRAMES]; /* alive as long as the engine: it may still copy */
  guint8 *memory;
} Producer;

static const VgOperation *
find_operation (void)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  for (guint i = 0; i < n; i++)
    if (operations[i]->input.kind == VG_INPUT_STREAM && operations[i]->synthetic != NULL &&
        vg_cuda_engine (operations[i]) != NULL)
      return operations[i];
  return NULL;
}

static void
feed_frames (Producer *self, const VgOperation *operation, gpointer source)
{
  gsize bytes = vg_image_info_frame_bytes (&self->info);
  g_autoptr (GError) error = NULL;

  self->memory = g_malloc_n (MAX_FRAMES, bytes);
  for (int i = 0; i < MAX_FRAMES && self->plane.data == NULL; i++)
    {
      VgFrame *frame = &self->frames[i];
      VgStep step;

      *frame = (VgFrame){
        .info = &self->info, .data = self->memory + i * bytes, .id = i, .index = i
      };
      g_atomic_ref_count_init (&frame->ref_count);
      g_assert_true (operation->synthetic->read (source, i, frame->data, &error));
      g_assert_true (self->engine->feed (self->state, frame, &error));
      do
        step = self->engine->step (self->state, 1, &error);
      while (step == VG_STEP_MORE);
      g_assert_no_error (error);
      for (guint o = 0;
           step == VG_STEP_DONE && o < operation->n_outputs && self->plane.data == NULL; o++)
        if (operation->outputs[o].kind == VG_OUTPUT_MAP &&
            !self->engine->output (self->state, o, &self->plane, NULL))
          self->plane.data = NULL;
    }
}

static void
producer_open (Producer *self, int device)
{
  const VgOperation *operation = find_operation ();
  void *params = vg_params_new (&operation->params);
  VgSyntheticSize size = { WIDTH, HEIGHT, MAX_FRAMES, 3 };
  VgContext context = { .params = params, .info = &self->info, .devices = &device, .n_devices = 1 };
  g_autoptr (GError) error = NULL;
  gpointer source;

  if (operation->synthetic->settings != NULL)
    operation->synthetic->settings (&size, params);
  source = operation->synthetic->open (params, &size, &self->info, &error);
  g_assert_no_error (error);
  self->engine = vg_cuda_engine (operation);
  self->state = self->engine->prepare (&context, &error);
  g_assert_no_error (error);
  feed_frames (self, operation, source);
  g_assert_nonnull (self->plane.data);
  g_assert_cmpint (self->plane.place, ==, VG_DEVICE);
  operation->synthetic->close (source);
  vg_params_free (&operation->params, params);
}

static void
producer_close (Producer *self)
{
  self->engine->free (self->state);
  g_free (self->memory);
}

static void
check_path (Producer *producer, VgDisplayPath path)
{
  gsize samples = (gsize) producer->plane.width * producer->plane.height;
  g_autofree float *want = g_new (float, samples * producer->plane.slices),
                   *got = g_new (float, samples);
  g_autoptr (GError) error = NULL;
  VgRenderer *renderer = vg_renderer_new (path, producer->cuda, &error);
  gsize valid = 0;

  g_assert_no_error (error);
  g_assert_true (producer->cuda->download (&producer->plane, want, &error));
  for (int i = 0; i < 50; i++)
    {
      memset (got, 0xff, samples * sizeof (float));
      g_assert_true (vg_renderer_upload (renderer, 0, &producer->plane, 0, &error));
      g_assert_true (vg_renderer_read_plane (renderer, 0, got, &error));
      g_assert_cmpmem (want, samples * sizeof (float), got, samples * sizeof (float));
    }
  g_assert_cmpint (vg_renderer_get_path (renderer), ==, path);
  for (gsize i = 0; i < samples; i++)
    valid += isfinite (want[i]);
  g_assert_cmpuint (valid, >, samples / 2);
  g_test_message ("%s", vg_renderer_get_description (renderer));
  vg_renderer_free (renderer);
}

static void
test_interop (gconstpointer data)
{
  check_path ((Producer *) data, VG_DISPLAY_INTEROP);
}

static void
test_host (gconstpointer data)
{
  check_path ((Producer *) data, VG_DISPLAY_HOST);
}

/* The same texture by turns from the host and from the device. */
static void
test_turns (gconstpointer data)
{
  Producer *producer = (Producer *) data;
  gsize samples = (gsize) producer->plane.width * producer->plane.height;
  g_autofree float *want = g_new (float, samples * producer->plane.slices),
                   *got = g_new (float, samples);
  g_autofree float *other = g_new0 (float, samples);
  VgPlane host = { .place = VG_HOST,
                   .data = other,
                   .width = producer->plane.width,
                   .height = producer->plane.height,
                   .slices = 1 };
  g_autoptr (GError) error = NULL;
  VgRenderer *renderer = vg_renderer_new (VG_DISPLAY_AUTO, producer->cuda, &error);

  g_assert_no_error (error);
  g_assert_true (producer->cuda->download (&producer->plane, want, &error));
  for (int i = 0; i < 10; i++)
    {
      g_assert_true (vg_renderer_upload (renderer, 0, i % 2 ? &host : &producer->plane, 0, &error));
      g_assert_cmpint (vg_renderer_get_path (renderer), ==,
                       i % 2 ? VG_DISPLAY_HOST : VG_DISPLAY_INTEROP);
      g_assert_true (vg_renderer_read_plane (renderer, 0, got, &error));
      g_assert_cmpmem (i % 2 ? other : want, samples * sizeof (float), got,
                       samples * sizeof (float));
    }
  vg_renderer_free (renderer);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  const char *reason = NULL;
  Producer producer = { .cuda = vg_cuda_get (&reason) };
  VgHeadless *headless = vg_headless_new (&error);
  int device = -1, status;

  g_test_init (&argc, &argv, NULL);
  if (headless != NULL && producer.cuda != NULL)
    device = producer.cuda->gl_device (&error);
  if (device < 0 || find_operation () == NULL)
    {
      g_print ("1..0 # SKIP %s\n", error != NULL    ? error->message
                                   : reason != NULL ? reason
                                                    : "no engine on the GPU");
      vg_headless_free (headless);
      return 77;
    }
  producer_open (&producer, device);
  g_test_add_data_func ("/gl/interop", &producer, test_interop);
  g_test_add_data_func ("/gl/device-by-host", &producer, test_host);
  g_test_add_data_func ("/gl/turns", &producer, test_turns);
  status = g_test_run ();
  producer_close (&producer);
  vg_headless_free (headless);
  return status;
}
