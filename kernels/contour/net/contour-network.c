/* SPDX-License-Identifier: MIT */
#include "kernels/contour/net/contour-network.h"
#include "kernels/contour/net/contour-convolution.h"
#include "kernels/base/vg-simd.h"
#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif
/* A U-Net (Ronneberger et al., MICCAI 2015): on the way down each resolution keeps its channels,
 * on the way up the coarser one's come beside them. */

enum { DEPTH = VG_CONTOUR_DEPTH, LAST = VG_CONTOUR_N_LAYERS - 1 };

/* Of each resolution. */
typedef struct
{
  VgContourChannels in[DEPTH];   /* what comes from the finer one, or the picture */
  VgContourChannels half[DEPTH]; /* between two convolutions */
  /* its own channels, then those of the coarser one; on the way up the result takes their place */
  VgContourChannels both[DEPTH];
} Planes;

static int
coarser (const VgContourNet *net, int k)
{
  return k + 1 < DEPTH ? net->channels[k + 1] : 0;
}

gsize
vg_contour_network_bytes (const VgContourNet *net, int width, int height)
{
  gsize bytes = 0;

  for (int k = 0; k < DEPTH; k++)
    bytes += vg_contour_channels_bytes (width >> k, height >> k,
                                        (k > 0 ? net->channels[k - 1] : VG_CONTOUR_NET_INPUTS) +
                                            2 * net->channels[k] + coarser (net, k));
  return bytes;
}

static gboolean
allocate (const VgContourNet *net, int width, int height, Planes *planes)
{
  gboolean good = TRUE;

  for (int k = 0; k < DEPTH && good; k++)
    {
      int w = width >> k, h = height >> k, own = net->channels[k];
      int above = k > 0 ? net->channels[k - 1] : VG_CONTOUR_NET_INPUTS;

      good = vg_contour_channels_init (&planes->in[k], w, h, above) &&
             vg_contour_channels_init (&planes->half[k], w, h, own) &&
             vg_contour_channels_init (&planes->both[k], w, h, own + coarser (net, k));
    }
  return good;
}

static void
clear (Planes *planes)
{
  for (int k = 0; k < DEPTH; k++)
    {
      vg_contour_channels_clear (&planes->in[k]);
      vg_contour_channels_clear (&planes->half[k]);
      vg_contour_channels_clear (&planes->both[k]);
    }
}

static void
fill_input (const float *input, const VgContourChannels *to)
{
  const int n = VG_CONTOUR_NET_INPUTS;

  for (int y = 0; y < to->height; y++)
    for (int i = 0; i < n * to->width; i++)
      vg_contour_channels_at (to, 0, y)[i] = input[(gsize) y * (gsize) (n * to->width) + (gsize) i];
}

static void
write_maps (const VgContourChannels *from, VgContourWindow window, float *maps, int threads)
{
  const gsize n = (gsize) from->width * (gsize) from->height;

#pragma omp parallel for schedule(static) num_threads(threads)
  for (int y = window.y0; y < window.y1; y++)
    for (int x = window.x0; x < window.x1; x++)
      {
        const float *at = vg_contour_channels_at (from, x, y);
        gsize i = (gsize) y * (gsize) from->width + (gsize) x;

        for (gsize k = 0; k < VG_CONTOUR_MAP_DISTANCE; k++)
          maps[k * n + i] = 1.0f / (1.0f + expf (-at[k]));
        maps[VG_CONTOUR_MAP_DISTANCE * n + i] = CLAMP (at[VG_CONTOUR_MAP_DISTANCE], 0.0f, 1.0f);
      }
}

/* WINDOW with N pixels more on each side, as far as there are any. */
static VgContourWindow
widen (VgContourWindow window, int n, const VgContourChannels *planes)
{
  return (VgContourWindow){ MAX (window.x0 - n, 0), MAX (window.y0 - n, 0),
                            MIN (window.x1 + n, planes->width),
                            MIN (window.y1 + n, planes->height) };
}

/* On the way back to the finest resolution, what the wanted pixels do not depend on is left out:
 * most of the work is there, and a tile's margin is larger than its core.  FALSE: stopped. */
static gboolean
compute (const VgContourNet *net, Planes *planes, VgContourWindow window, int threads,
         const VgContext *context)
{
  const VgContourLayer *layer = net->layers;
  VgContourWindow wanted[DEPTH] = { window };

  for (int k = 0; k < DEPTH && !vg_context_is_stopped (context); k++, layer += 2)
    {
      const VgContourWindow all = { 0, 0, planes->in[k].width, planes->in[k].height };

      if (k > 0)
        vg_contour_pool (&planes->both[k - 1], &planes->in[k], threads);
      vg_contour_convolve (&layer[0], &planes->in[k], &planes->half[k], all, TRUE, threads);
      vg_contour_convolve (&layer[1], &planes->half[k], &planes->both[k], all, TRUE, threads);
    }
  for (int k = 1; k < DEPTH; k++)
    {
      const VgContourWindow finer = widen (wanted[k - 1], 2, &planes->half[k - 1]);

      wanted[k] = (VgContourWindow){ finer.x0 / 2, finer.y0 / 2, (finer.x1 + 1) / 2,
                                     (finer.y1 + 1) / 2 };
    }
  if (vg_context_is_stopped (context))
    return FALSE;
  for (int k = DEPTH - 2; k >= 0 && !vg_context_is_stopped (context); k--, layer += 2)
    {
      const VgContourChannels *half = &planes->half[k];

      vg_contour_enlarge (&planes->both[k + 1], &planes->both[k], net->channels[k],
                          net->channels[k + 1], threads);
      vg_contour_convolve (&layer[0], &planes->both[k], half, widen (wanted[k], 1, half), TRUE,
                           threads);
      vg_contour_convolve (&layer[1], half, &planes->both[k], wanted[k], TRUE, threads);
    }
  if (vg_context_is_stopped (context))
    return FALSE;
  vg_contour_convolve (&net->layers[LAST], &planes->both[0], &planes->half[0], window, FALSE,
                       threads);
  return TRUE;
}

gboolean
vg_contour_network_run (const VgContourNet *net, const float *input, int width, int height,
                        VgContourWindow window, const VgContext *context, float *maps)
{
  Planes planes = { 0 };
  gboolean good = allocate (net, width, height, &planes);
  int threads = context->threads;

#ifdef _OPENMP
  if (threads < 1)
    threads = omp_get_max_threads ();
#endif
  threads = MAX (threads, 1);
  if (good)
    {
      fill_input (input, &planes.in[0]);
      good = compute (net, &planes, window, threads, context);
    }
  if (good)
    write_maps (&planes.half[0], window, maps, threads);
  clear (&planes);
  return good;
}
