/* SPDX-License-Identifier: MIT */
#include <string.h>
#include "kernels/contour/net/contour-network.cuh"
/* Memory and order of the layers on a GPU; the same network as contour-network.c. */

enum { DEPTH = VG_CONTOUR_DEPTH, LAST = VG_CONTOUR_N_LAYERS - 1 };
/* Tensor cores of this generation and later multiply as the kernels ask for. */
enum { LEAST_CAPABILITY = 8 };
enum { ALIGNED = 256 };

typedef struct
{
  cudaStream_t stream;
  int channels[DEPTH];
  int width, height; /* most */
  guint8 *memory;    /* all of the following */
  float *input, *maps, *head;
  __half *weights[LAST];
  float *bias[LAST];
  /* Of each resolution: what comes from the finer one, between two convolutions, its own. */
  __half *in[DEPTH], *half[DEPTH], *own[DEPTH];
} DeviceNet;

static int
input_groups (const VgContourLayer *layer)
{
  return (layer->inputs + VG_CONTOUR_GROUP - 1) / VG_CONTOUR_GROUP;
}

static gsize
weight_halves (const VgContourLayer *layer)
{
  return (gsize) input_groups (layer) * VG_CONTOUR_GROUP * 9 * (gsize) layer->outputs;
}

static gsize
plane_halves (int width, int height, int k, int channels)
{
  const int groups = (channels + VG_CONTOUR_GROUP - 1) / VG_CONTOUR_GROUP;

  return (gsize) (width >> k) * (gsize) (height >> k) * (gsize) groups * VG_CONTOUR_RECORD;
}

/* The next BYTES of the memory. */
static void *
cut (guint8 *memory, gsize *used, gsize bytes)
{
  void *at = memory != NULL ? memory + *used : NULL;

  *used += (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
  return at;
}

/* Sets what lies where; returns the bytes.  Without memory it only counts. */
static gsize
lay_out (DeviceNet *self, const VgContourNet *net)
{
  const gsize pixels = (gsize) self->width * (gsize) self->height;
  guint8 *memory = self->memory;
  gsize used = 0;

  /* the weights first, as pack_all writes them */
  for (int i = 0; i < LAST; i++)
    {
      self->weights[i] = (__half *) cut (memory, &used,
                                         sizeof (__half) * weight_halves (&net->layers[i]));
      self->bias[i] = (float *) cut (memory, &used,
                                     sizeof (float) * (gsize) net->layers[i].outputs);
    }
  self->head = (float *) cut (
      memory, &used, sizeof (float) * VG_CONTOUR_NET_OUTPUTS * (gsize) (net->channels[0] + 1));
  self->input = (float *) cut (memory, &used, sizeof (float) * VG_CONTOUR_NET_INPUTS * pixels);
  self->maps = (float *) cut (memory, &used, sizeof (float) * VG_CONTOUR_NET_OUTPUTS * pixels);
  for (int k = 0; k < DEPTH; k++)
    {
      int above = k > 0 ? net->channels[k - 1] : VG_CONTOUR_NET_INPUTS;
      gsize own = sizeof (__half) * plane_halves (self->width, self->height, k, net->channels[k]);

      self->in[k] = (__half *) cut (
          memory, &used, sizeof (__half) * plane_halves (self->width, self->height, k, above));
      self->half[k] = (__half *) cut (memory, &used, own);
      self->own[k] = (__half *) cut (memory, &used, own);
    }
  return used;
}

/* ---- Weights ---- */

static float
weight_at (const VgContourLayer *layer, int output, int place, int input)
{
  const gsize group = (gsize) (output / VG_CONTOUR_LANES), area = (gsize) layer->side * layer->side;

  return input >= layer->inputs
             ? 0.0f
             : layer->weights[((group * area + (gsize) place) * (gsize) layer->inputs +
                               (gsize) input) *
                                  VG_CONTOUR_LANES +
                              (gsize) (output % VG_CONTOUR_LANES)];
}

/* In the order in which a warp takes them: lane 4 n + k has output n and the inputs 2 k, 2 k + 1,
 * 2 k + 8, 2 k + 9. */
static void
pack_layer (const VgContourLayer *layer, __half *to)
{
  const int eights = vg_contour_eights (layer->outputs);

  for (int block = 0; block < layer->outputs / (8 * eights); block++)
    for (int group = 0; group < input_groups (layer); group++)
      for (int place = 0; place < 9; place++)
        for (int i = 0; i < eights * 128; i++)
          {
            const int lane = i / 4 % 32, output = (block * eights + i / 128) * 8 + lane / 4,
                      input = group * VG_CONTOUR_GROUP + lane % 4 * 2 + i % 2 + i / 2 % 2 * 8;

            *to++ = __float2half_rn (weight_at (layer, output, place, input));
          }
}

/* Where the device has AT, in BYTES of the host. */
static void *
host_of (const DeviceNet *self, guint8 *bytes, const void *at)
{
  return bytes + ((const guint8 *) at - self->memory);
}

static gboolean
upload (DeviceNet *self, const VgContourNet *net, GError **error)
{
  const gsize n = (gsize) ((const guint8 *) self->input - self->memory);
  const VgContourLayer *last = &net->layers[LAST];
  g_autofree guint8 *bytes = (guint8 *) g_malloc0 (n);
  float *head = (float *) host_of (self, bytes, self->head);

  for (int i = 0; i < LAST; i++)
    {
      const VgContourLayer *layer = &net->layers[i];

      pack_layer (layer, (__half *) host_of (self, bytes, self->weights[i]));
      memcpy (host_of (self, bytes, self->bias[i]), layer->bias,
              sizeof (float) * (gsize) layer->outputs);
    }
  for (int o = 0; o < VG_CONTOUR_NET_OUTPUTS; o++)
    {
      for (int i = 0; i < last->inputs; i++)
        *head++ = weight_at (last, o, 0, i);
      ((float *) host_of (self, bytes,
                          self->head))[VG_CONTOUR_NET_OUTPUTS * last->inputs + o] = last->bias[o];
    }
  return vg_cuda_copy_now (self->memory, bytes, n, self->stream, error);
}

/* ---- Layers ---- */

static void
convolve (const DeviceNet *self, int i, int k, const __half *own, int own_channels,
          const __half *coarser, int width, int height, __half *to)
{
  const VgContourConvolution layer = {
    .own = own,
    .coarser = coarser,
    .own_groups = (own_channels + VG_CONTOUR_GROUP - 1) / VG_CONTOUR_GROUP,
    .coarser_groups = coarser != NULL ? self->channels[k + 1] / VG_CONTOUR_GROUP : 0,
    .width = width >> k,
    .height = height >> k,
    .outputs = self->channels[k],
    .weights = self->weights[i],
    .bias = self->bias[i],
    .to = to,
  };

  vg_contour_launch_convolution (&layer, self->stream);
}

static gboolean
compute (const DeviceNet *self, int width, int height, GError **error)
{
  int i = 0;

  vg_contour_launch_input (self->input, width, height, self->in[0], self->stream);
  for (int k = 0; k < DEPTH; k++, i += 2)
    {
      if (k > 0)
        vg_contour_launch_pool (self->own[k - 1], width >> (k - 1), height >> (k - 1),
                                self->channels[k - 1] / VG_CONTOUR_GROUP, self->in[k],
                                self->stream);
      convolve (self, i, k, self->in[k], k > 0 ? self->channels[k - 1] : VG_CONTOUR_NET_INPUTS,
                NULL, width, height, self->half[k]);
      convolve (self, i + 1, k, self->half[k], self->channels[k], NULL, width, height,
                self->own[k]);
    }
  for (int k = DEPTH - 2; k >= 0; k--, i += 2)
    {
      convolve (self, i, k, self->own[k], self->channels[k], self->own[k + 1], width, height,
                self->half[k]);
      convolve (self, i + 1, k, self->half[k], self->channels[k], NULL, width, height,
                self->own[k]);
    }
  vg_contour_launch_head (self->own[0], width, height, self->channels[0] / VG_CONTOUR_GROUP,
                          self->head, self->maps, self->stream);
  return vg_cuda_launched ("the network", error);
}

gboolean
vg_contour_net_cuda_repeat (gpointer data, int width, int height, GError **error)
{
  const DeviceNet *self = (const DeviceNet *) data;

  return compute (self, width, height, error) &&
         VG_CUDA_OK (cudaStreamSynchronize (self->stream), error);
}

/* ---- Life ---- */

static void
net_close (gpointer data)
{
  DeviceNet *self = (DeviceNet *) data;

  if (self == NULL)
    return;
  vg_cuda_stream_free (self->stream);
  cudaFree (self->memory);
  g_free (self);
}

static gpointer
net_open (const VgContourNet *net, int device, int width, int height, GError **error)
{
  DeviceNet *self;
  int capability = 0;

  if (!vg_cuda_use (device, error) ||
      !VG_CUDA_OK (cudaDeviceGetAttribute (&capability, cudaDevAttrComputeCapabilityMajor, device),
                   error) ||
      capability < LEAST_CAPABILITY)
    return NULL;
  self = g_new0 (DeviceNet, 1);
  self->width = width;
  self->height = height;
  memcpy (self->channels, net->channels, sizeof self->channels);
  if (vg_cuda_stream_new (&self->stream, error) &&
      vg_cuda_alloc ((void **) &self->memory, lay_out (self, net), "the network", error))
    {
      lay_out (self, net);
      if (upload (self, net, error))
        return self;
    }
  net_close (self);
  return NULL;
}

static gboolean
net_run (gpointer data, const float *input, int width, int height, float *maps, GError **error)
{
  const DeviceNet *self = (const DeviceNet *) data;
  const gsize n = (gsize) width * (gsize) height;

  return vg_cuda_copy (self->input, input, sizeof (float) * VG_CONTOUR_NET_INPUTS * n, self->stream,
                       error) &&
         compute (self, width, height, error) &&
         vg_cuda_copy_now (maps, self->maps, sizeof (float) * VG_CONTOUR_NET_OUTPUTS * n,
                           self->stream, error);
}

const VgContourNetDevice vg_contour_net_cuda = { .open = net_open,
                                                 .run = net_run,
                                                 .close = net_close };
