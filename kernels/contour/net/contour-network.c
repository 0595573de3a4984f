/* SPDX-License-Identifier: MIT */
#include "kernels/contour/net/contour-network.h"
#include "kernels/contour/net/contour-winograd.h"
#include <math.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif
/* A U-Net (Ronneberger et al., MICCAI 2015): on the way down each resolution keeps its channels,
 * on the way up the coarser one's come beside them. */

enum { DEPTH = VG_CONTOUR_DEPTH, LAST = VG_CONTOUR_N_LAYERS - 1 };
/* Convolutions are computed in squares of SQUARE pixels.  Two are computed in bands of rows, so
 * that the values between them stay in the processor's cache.  BAND: rows of a band; BESIDE: rows
 * above and below that the second convolution reads.  All are multiples of SQUARE. */
enum { SQUARE = 4, BAND = 64, BESIDE = SQUARE, BAND_ROWS = BAND + 2 * BESIDE };

/* Of each resolution. */
typedef struct
{
  VgContourChannels in[DEPTH];   /* what comes from the finer one, or the picture */
  VgContourChannels half[DEPTH]; /* between two convolutions: the rows that one band needs */
  VgContourChannels own[DEPTH];  /* after both; on the way up the result replaces it */
  VgContourTeam team;
} Planes;

struct _VgContourNetwork
{
  const VgContourNet *net;
  Planes planes; /* of the last image; the next image uses their memory again */
};

gsize
vg_contour_network_bytes (const VgContourNet *net, int width, int height)
{
  gsize bytes = 0;

  for (int k = 0; k < DEPTH; k++)
    bytes += vg_contour_channels_bytes (width >> k, height >> k,
                                        (k > 0 ? net->channels[k - 1] : VG_CONTOUR_NET_INPUTS) +
                                            net->channels[k]) +
             vg_contour_channels_bytes (width >> k, BAND_ROWS, net->channels[k]);
  return bytes;
}

static void
clear (Planes *planes)
{
  for (int k = 0; k < DEPTH; k++)
    {
      vg_contour_channels_clear (&planes->in[k]);
      vg_contour_channels_clear (&planes->half[k]);
      vg_contour_channels_clear (&planes->own[k]);
    }
  g_free (planes->team.work);
  *planes = (Planes){ 0 };
}

/* The planes are not cleared, because no run reads pixels that it has not computed.  FALSE: no
 * memory. */
static gboolean
allocate (const VgContourNet *net, int width, int height, int threads, Planes *planes)
{
  VgContourTeam *team = &planes->team;
  gboolean good = TRUE;

  for (int k = 0; k < DEPTH && good; k++)
    {
      int w = width >> k, h = height >> k, own = net->channels[k];
      int above = k > 0 ? net->channels[k - 1] : VG_CONTOUR_NET_INPUTS;

      good = vg_contour_channels_init (&planes->in[k], w, h, above) &&
             vg_contour_channels_init (&planes->half[k], w, BAND_ROWS, own) &&
             vg_contour_channels_init (&planes->own[k], w, h, own);
    }
  team->threads = threads;
  for (int i = 0; i < VG_CONTOUR_N_LAYERS; i++)
    team->room = MAX (team->room, vg_contour_winograd_work (&net->layers[i]));
  g_free (team->work);
  team->work = g_try_new (float, (gsize) threads * team->room);
  return good && team->work != NULL;
}

static void
fill_input (const float *input, const VgContourChannels *to)
{
  const int n = VG_CONTOUR_NET_INPUTS;

  for (int y = 0; y < to->height; y++)
    for (int i = 0; i < n * to->width; i++)
      vg_contour_channels_at (to, 0, y)[i] = input[(gsize) y * (gsize) (n * to->width) + (gsize) i];
}

/* The last convolution, and what its outputs mean. */
static void
write_maps (const VgContourLayer *layer, Planes *planes, VgContourWindow window, float *maps)
{
  const VgContourChannels *from = &planes->own[0];
  VgContourChannels *band = &planes->half[0];
  const gsize n = (gsize) from->width * (gsize) from->height;

  for (int y0 = window.y0; y0 < window.y1; y0 += BAND)
    {
      const int y1 = MIN (y0 + BAND, window.y1);

      band->first = y0;
      vg_contour_convolve (layer, from, NULL, band,
                           (VgContourWindow){ window.x0, y0, window.x1, y1 }, &planes->team);
#pragma omp parallel for schedule(static) num_threads(planes->team.threads)
      for (int y = y0; y < y1; y++)
        for (int x = window.x0; x < window.x1; x++)
          {
            const float *at = vg_contour_channels_at (band, x, y);
            gsize i = (gsize) y * (gsize) from->width + (gsize) x;

            for (gsize k = 0; k < VG_CONTOUR_MAP_DISTANCE; k++)
              maps[k * n + i] = 1.0f / (1.0f + expf (-at[k]));
            maps[VG_CONTOUR_MAP_DISTANCE * n + i] = CLAMP (at[VG_CONTOUR_MAP_DISTANCE], 0.0f, 1.0f);
          }
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

/* The pixels of the coarser resolution that cover WINDOW. */
static VgContourWindow
reduce (VgContourWindow window)
{
  return (VgContourWindow){ window.x0 / 2, window.y0 / 2, (window.x1 + 1) / 2,
                            (window.y1 + 1) / 2 };
}

static VgContourWindow
enlarge (VgContourWindow window)
{
  return (VgContourWindow){ 2 * window.x0, 2 * window.y0, 2 * window.x1, 2 * window.y1 };
}

/* Sets the pixels of rows Y0 to before Y1 that are outside WINDOW, but near enough for the squares
 * of a convolution of WINDOW to read them, to 0.  Its outputs do not depend on their values, but
 * their last bits do. */
static void
clear_beside (const VgContourChannels *planes, VgContourWindow window, int y0, int y1)
{
  const int left = MAX (window.x0 - SQUARE, -1),
            right = MIN (window.x1 + SQUARE, planes->width + VG_CONTOUR_SPARE);
  const gsize pixel = sizeof (float) * (gsize) planes->channels;

  for (int y = y0; y < y1; y++)
    if (y < window.y0 || y >= window.y1)
      memset (vg_contour_channels_at (planes, left, y), 0, pixel * (gsize) (right - left));
    else
      {
        memset (vg_contour_channels_at (planes, left, y), 0, pixel * (gsize) (window.x0 - left));
        memset (vg_contour_channels_at (planes, window.x1, y), 0,
                pixel * (gsize) (right - window.x1));
      }
}

/* The same for all rows that are read. */
static void
clear_around (const VgContourChannels *planes, VgContourWindow window)
{
  clear_beside (planes, window, MAX (window.y0 - SQUARE, -1),
                MIN (window.y1 + SQUARE, planes->height + VG_CONTOUR_BELOW));
}

/* Writes two convolutions of FROM and COARSE (or NULL) to the pixels in WINDOW of TO, which may be
 * FROM, because each row is read for the last time before it is written. */
static void
convolve_twice (const VgContourLayer *layer, const VgContourChannels *from,
                const VgContourChannels *coarse, VgContourChannels *half,
                const VgContourChannels *to, VgContourWindow window, const VgContourTeam *team)
{
  const VgContourWindow needed = widen (window, 1, to);
  const int start = window.y0 & -SQUARE;

  for (int y = start; y < window.y1; y += BAND)
    {
      const int fresh = y > start ? y + BESIDE : y - BESIDE, end = y + BAND + BESIDE;

      if (y > start) /* the last rows of the band above are the first rows of this one */
        memmove (vg_contour_channels_at (half, -1, half->first),
                 vg_contour_channels_at (half, -1, half->first + BAND),
                 sizeof (float) * half->row * 2 * BESIDE);
      half->first = y - BESIDE;
      clear_beside (half, needed, fresh, end);
      vg_contour_convolve (
          &layer[0], from, coarse, half,
          (VgContourWindow){ needed.x0, MAX (needed.y0, fresh), needed.x1, MIN (needed.y1, end) },
          team);
      vg_contour_convolve (
          &layer[1], half, NULL, to,
          (VgContourWindow){ window.x0, MAX (window.y0, y), window.x1, MIN (window.y1, y + BAND) },
          team);
    }
}

/* Only what the pixels in WINDOW depend on is computed.  FALSE: stopped. */
static gboolean
compute (const VgContourNet *net, Planes *planes, VgContourWindow window, const VgContext *context)
{
  const VgContourTeam *team = &planes->team;
  const VgContourLayer *layer = net->layers;
  VgContourWindow up[DEPTH] = { window }, down[DEPTH]; /* of the results on the way up and down */

  for (int k = 1; k < DEPTH; k++)
    up[k] = reduce (widen (up[k - 1], 2, &planes->own[k - 1]));
  down[DEPTH - 1] = up[DEPTH - 1]; /* a coarser result needs more than a finer one */
  for (int k = DEPTH - 1; k > 0; k--)
    down[k - 1] = enlarge (widen (down[k], 2, &planes->own[k]));
  for (int k = 0; k < DEPTH && !vg_context_is_stopped (context); k++, layer += 2)
    {
      if (k > 0)
        {
          vg_contour_pool (&planes->own[k - 1], &planes->in[k], reduce (down[k - 1]), team);
          clear_around (&planes->in[k], reduce (down[k - 1]));
        }
      convolve_twice (layer, &planes->in[k], NULL, &planes->half[k], &planes->own[k], down[k],
                      team);
      clear_around (&planes->own[k], down[k]);
    }
  for (int k = DEPTH - 2; k >= 0 && !vg_context_is_stopped (context); k--, layer += 2)
    convolve_twice (layer, &planes->own[k], &planes->own[k + 1], &planes->half[k], &planes->own[k],
                    up[k], team);
  return !vg_context_is_stopped (context);
}

VgContourNetwork *
vg_contour_network_new (const VgContourNet *net)
{
  VgContourNetwork *self = g_new0 (VgContourNetwork, 1);

  self->net = net;
  return self;
}

void
vg_contour_network_free (VgContourNetwork *self)
{
  if (self != NULL)
    clear (&self->planes);
  g_free (self);
}

gboolean
vg_contour_network_run (VgContourNetwork *self, const float *input, int width, int height,
                        VgContourWindow window, const VgContext *context, float *maps)
{
  Planes *planes = &self->planes;
  int threads = context->threads;

#ifdef _OPENMP
  if (threads < 1)
    threads = omp_get_max_threads ();
#endif
  threads = MAX (threads, 1);
  if (!allocate (self->net, width, height, threads, planes))
    {
      clear (planes);
      return FALSE;
    }
  fill_input (input, &planes->in[0]);
  if (!compute (self->net, planes, window, context))
    return FALSE;
  write_maps (&self->net->layers[LAST], planes, window, maps);
  return TRUE;
}
