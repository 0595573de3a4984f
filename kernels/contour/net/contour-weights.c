/* SPDX-License-Identifier: MIT */
#include "kernels/contour/net/contour-weights.h"
#include "kernels/contour/net/contour-winograd.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-program.h"
#include "vg-config.h"
#include <math.h>
#include <string.h>
/* The file, little-endian: magic, version, number of layers; for each layer name, inputs, outputs,
 * side and offset; 16-bit floats; the SHA-256 of all that. */

#define WEIGHTS_FILE "contour-nuclei.vgnet"

static const guint8 magic[8] = { 'V', 'G', 'N', 'E', 'T', '\r', '\n', 0 };
enum { VERSION = 1, DIGEST = 32, HEAD = 16, ENTRY = 32, MOST_CHANNELS = 1024 };
/* A file of more than this is none of ours. */
#define MOST_BYTES ((gsize) 64 << 20)

static guint32
read_u32 (const guint8 *at)
{
  return (guint32) at[0] | (guint32) at[1] << 8 | (guint32) at[2] << 16 | (guint32) at[3] << 24;
}

/* A 16-bit float of IEEE 754. */
static float
read_half (const guint8 *at)
{
  guint bits = at[0] | (guint) at[1] << 8, exponent = bits >> 10 & 31, mantissa = bits & 1023;
  float value = exponent == 0    ? ldexpf ((float) mantissa, -24)
                : exponent == 31 ? NAN
                                 : ldexpf ((float) (mantissa + 1024), (int) exponent - 25);

  return bits >> 15 ? -value : value;
}

static gboolean
has_digest (const guint8 *bytes, gsize length)
{
  guint8 digest[DIGEST];
  gsize room = DIGEST;
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  g_checksum_update (sum, bytes, (gssize) (length - DIGEST));
  g_checksum_get_digest (sum, digest, &room);
  return memcmp (digest, bytes + length - DIGEST, DIGEST) == 0;
}

/* The inputs that layer I has in this network, and whether it sets the channels of a resolution. */
static int
inputs_of (const VgContourNet *self, int i)
{
  const int down = 2 * VG_CONTOUR_DEPTH;
  int k;

  if (i < down)
    return i == 0 ? VG_CONTOUR_NET_INPUTS : self->channels[(i - 1) / 2];
  if (i == VG_CONTOUR_N_LAYERS - 1)
    return self->channels[0];
  k = VG_CONTOUR_DEPTH - 2 - (i - down) / 2;
  return i % 2 == 0 ? self->channels[k] + self->channels[k + 1] : self->channels[k];
}

/* TRUE if the layer has the shape that its place in the network demands. */
static gboolean
fits (VgContourNet *self, int i)
{
  const VgContourLayer *layer = &self->layers[i];
  const int down = 2 * VG_CONTOUR_DEPTH, last = VG_CONTOUR_N_LAYERS - 1;

  if (layer->outputs < 1 || layer->outputs > MOST_CHANNELS)
    return FALSE;
  if (i < down && i % 2 == 0)
    {
      if (layer->outputs % VG_CONTOUR_LANES != 0)
        return FALSE;
      self->channels[i / 2] = layer->outputs;
    }
  return layer->side == (i == last ? 1 : 3) && layer->inputs == inputs_of (self, i) &&
         layer->outputs == (i == last  ? VG_CONTOUR_NET_OUTPUTS
                            : i < down ? self->channels[i / 2]
                                       : self->channels[VG_CONTOUR_DEPTH - 2 - (i - down) / 2]);
}

/* The values of a layer in the order in which they are used; FALSE: one is not finite. */
static gboolean
take_values (VgContourLayer *layer, const guint8 *from)
{
  gsize area = (gsize) layer->side * (gsize) layer->side, inputs = (gsize) layer->inputs;
  gboolean finite = TRUE;

  layer->groups = (layer->outputs + VG_CONTOUR_LANES - 1) / VG_CONTOUR_LANES;
  layer->weights = g_new0 (float, (gsize) layer->groups *area *inputs *VG_CONTOUR_LANES);
  layer->bias = g_new0 (float, (gsize) layer->groups *VG_CONTOUR_LANES);
  for (gsize o = 0; o < (gsize) layer->outputs; o++)
    for (gsize i = 0; i < inputs; i++)
      for (gsize k = 0; k < area; k++, from += 2)
        {
          gsize group = o / VG_CONTOUR_LANES, lane = o % VG_CONTOUR_LANES;
          float value = read_half (from);

          finite = finite && isfinite (value);
          layer->weights[((group * area + k) * inputs + i) * VG_CONTOUR_LANES + lane] = value;
        }
  for (int o = 0; o < layer->outputs; o++, from += 2)
    {
      layer->bias[o] = read_half (from);
      finite = finite && isfinite (layer->bias[o]);
    }
  return finite;
}

static gboolean
read_layers (VgContourNet *self, const guint8 *bytes, gsize length)
{
  const gsize first = HEAD + VG_CONTOUR_N_LAYERS * ENTRY;
  gsize values = 0;

  for (int i = 0; i < VG_CONTOUR_N_LAYERS; i++)
    {
      const guint8 *entry = bytes + HEAD + i * ENTRY;
      VgContourLayer *layer = &self->layers[i];
      gsize count;

      memcpy (layer->name, entry, sizeof layer->name - 1);
      layer->inputs = (int) MIN (read_u32 (entry + 16), G_MAXINT);
      layer->outputs = (int) MIN (read_u32 (entry + 20), G_MAXINT);
      layer->side = (int) MIN (read_u32 (entry + 24), G_MAXINT);
      if (!fits (self, i) || read_u32 (entry + 28) != values)
        return FALSE;
      count = (gsize) layer->outputs *
              ((gsize) layer->inputs * (gsize) layer->side * (gsize) layer->side + 1);
      if ((length - DIGEST - first) / 2 < values + count ||
          !take_values (layer, bytes + first + 2 * values))
        return FALSE;
      values += count;
      vg_contour_winograd_prepare (layer);
    }
  return first + 2 * values + DIGEST == length;
}

VgContourNet *
vg_contour_net_parse (const guint8 *bytes, gsize length, const char *name, GError **error)
{
  g_autoptr (VgContourNet) self = g_new0 (VgContourNet, 1);
  const char *fault = NULL;

  if (length < HEAD || memcmp (bytes, magic, sizeof magic) != 0)
    fault = "contains no weights of a network";
  else if (read_u32 (bytes + 8) != VERSION || read_u32 (bytes + 12) != VG_CONTOUR_N_LAYERS)
    fault = "belongs to another version of the program";
  else if (length < HEAD + VG_CONTOUR_N_LAYERS * ENTRY + DIGEST || !has_digest (bytes, length) ||
           !read_layers (self, bytes, length))
    fault = "is truncated or was modified";
  if (fault == NULL)
    return g_steal_pointer (&self);
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
               "\"%s\" %s; install the program again", name, fault);
  return NULL;
}

VgContourNet *
vg_contour_net_load (const char *path, GError **error)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, error);

  if (file == NULL)
    return NULL;
  return vg_contour_net_parse ((const guint8 *) g_mapped_file_get_contents (file),
                               MIN (g_mapped_file_get_length (file), MOST_BYTES), path, error);
}

void
vg_contour_net_free (VgContourNet *self)
{
  for (int i = 0; self != NULL && i < VG_CONTOUR_N_LAYERS; i++)
    {
      g_free (self->layers[i].weights);
      g_free (self->layers[i].bias);
      g_free (self->layers[i].products);
    }
  g_free (self);
}

/* ---- The program's own ---- */

typedef struct
{
  VgContourNet *net;
  char *why;
} Loaded;

/* In $VIVOGRAPH_MODEL_DIR alone when that is set. */
static gpointer
load_own (gpointer unused)
{
  static Loaded loaded;
  const char *chosen = g_getenv ("VIVOGRAPH_MODEL_DIR");
  const char *folder = chosen != NULL                     ? chosen
                       : vg_program_is_in_build_folder () ? VG_SOURCE_MODEL_DIR
                                                          : VG_MODEL_DIR;
  g_autofree char *path = g_build_filename (folder, WEIGHTS_FILE, NULL);
  g_autoptr (GError) error = NULL;

  loaded.net = vg_contour_net_load (path, &error);
  if (loaded.net == NULL)
    loaded.why = g_strdup (error->message);
  return &loaded;
}

const VgContourNet *
vg_contour_net_get (const char **why)
{
  static GOnce once = G_ONCE_INIT;
  const Loaded *loaded = g_once (&once, load_own, NULL);

  if (why != NULL)
    *why = loaded->why;
  return loaded->net;
}
