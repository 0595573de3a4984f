/* SPDX-License-Identifier: MIT */
#include "kernels/contour/net/contour-learned.h"
#include "kernels/contour/model/contour-memory.h"
#include "kernels/contour/seeds/contour-seeds.h"
#include "kernels/base/vg-memory.h"
#include <math.h>
#include <string.h>
/* The image is brought to a scale at which nuclei are as large as those of the training, and cut
 * into tiles.  Their sizes change no map by more than rounding.  Whether a place is empty is
 * decided for each cell of a grid of the whole image, so that a part of it gives the same maps. */

/* Radii (px) that the network knows. */
#define LEAST_RADIUS 6.5
#define MOST_RADIUS 17.0
enum { MOST_REDUCTION = 32 };
/* A cell in which nothing is darker than this, such as glass, has no nuclei. */
#define LEAST_INPUT 0.15f
/* Lengths in the scaled image: the side of a cell, the largest side of a tile's core, its margin,
 * and the largest side of an image that needs no tiles.  All are multiples of GRAIN, so that pixels
 * of the coarsest resolution form the same pairs in each part; cores and margins are also multiples
 * of its squares (contour-winograd.h). */
enum {
  GRAIN = 2 * VG_CONTOUR_NET_GRAIN,
  CELL = 12 * GRAIN,
  CORE_CELLS = 3,
  CORE = CORE_CELLS * CELL,
  MARGIN = (VG_CONTOUR_NET_REACH + GRAIN - 1) / GRAIN * GRAIN,
  MOST_WHOLE = CORE + 2 * MARGIN
};

typedef struct
{
  const VgImage *image;
  const float *grey; /* NULL: the colours */
  double zero, full;
  float of_byte[256];        /* of an image of 8 bits: what the network gets for each sample */
  int width, height;         /* of the image */
  int enlarge, reduce;       /* one of them is 1 */
  int left, top;             /* pixels of the grid's first cell before the image */
  int columns, rows;         /* of the scaled image, with what is before and behind */
  int first_x, first_y;      /* a corner of a cell, at or before the scaled image's corner */
  VgContourWindow window;    /* the part of it that is wanted */
  float *nucleus, *distance; /* of the scaled image */
  const VgContourNet *net;
  VgContourNetwork *network; /* on the CPU */
  const VgContext *context;
  const VgContourNetDevice *device;
  gpointer open;               /* of the device; NULL: the CPU runs the network */
  float *input, *other, *maps; /* of a tile: for run_tile and run_both_ways */
} Work;

/* Planes of `input`, `other` and `maps`. */
enum { PLANES = MAX (VG_CONTOUR_NET_INPUTS, VG_CONTOUR_NET_OUTPUTS) };

double
vg_contour_maps_zoom (double radius)
{
  int reduce = 1;

  if (radius > 0.0 && radius < LEAST_RADIUS)
    return 2.0;
  while (radius > MOST_RADIUS * reduce && reduce < MOST_REDUCTION)
    reduce *= 2;
  return 1.0 / reduce;
}

/* What the network gets for a sample: 0 is background. */
static float
input_of (const Work *self, double value)
{
  return isfinite (value) ? (float) CLAMP (1.0 - (value - self->zero) / self->full, 0.0, 1.0)
                          : 0.0f;
}

/* Channel C at a pixel of the image, whose edge is continued. */
static float
value_at (const Work *self, int x, int y, int c)
{
  gsize i = (gsize) CLAMP (y, 0, self->height - 1) * (gsize) self->width +
            (gsize) CLAMP (x, 0, self->width - 1);

  if (self->grey != NULL)
    return self->grey[i];
  i = i * (gsize) self->image->info.channels + (gsize) c;
  return self->image->info.type == VG_U8 ? self->of_byte[((const guint8 *) self->image->data)[i]]
                                         : input_of (self, vg_image_sample (self->image, i));
}

/* Channel C at a pixel of the scaled image: the mean of those that it covers, or one between. */
static float
scaled_at (const Work *self, int x, int y, int c)
{
  double sum = 0.0;
  int x0 = x * self->reduce - self->left, y0 = y * self->reduce - self->top;

  if (self->enlarge == self->reduce)
    return value_at (self, x0, y0, c);
  if (self->enlarge > 1)
    {
      int fx = (x & 1) == 0 ? -1 : 1, fy = (y & 1) == 0 ? -1 : 1;

      x0 = x / 2 - self->left;
      y0 = y / 2 - self->top;
      return 0.0625f *
             (9.0f * value_at (self, x0, y0, c) + 3.0f * value_at (self, x0 + fx, y0, c) +
              3.0f * value_at (self, x0, y0 + fy, c) + value_at (self, x0 + fx, y0 + fy, c));
    }
  for (int dy = 0; dy < self->reduce; dy++)
    for (int dx = 0; dx < self->reduce; dx++)
      sum += (double) value_at (self, x0 + dx, y0 + dy, c);
  return (float) (sum / (self->reduce * self->reduce));
}

/* FALSE: no memory, stopped, or with an error. */
static gboolean
run_network (const Work *self, const float *input, int width, int height, VgContourWindow core,
             float *maps, GError **error)
{
  return self->open != NULL ? self->device->run (self->open, input, width, height, maps, error)
                            : vg_contour_network_run (self->network, input, width, height, core,
                                                      self->context, maps);
}

/* Sets `maps` to the mean of the maps of `input` and of its mirror image in the diagonal, because
 * their errors differ; only in CORE, without borders between nuclei.  FALSE: as above. */
static gboolean
run_both_ways (const Work *self, int width, int height, VgContourWindow core, GError **error)
{
  static const int wanted[] = { VG_CONTOUR_MAP_NUCLEUS, VG_CONTOUR_MAP_DISTANCE };
  enum { INPUTS = VG_CONTOUR_NET_INPUTS, BLOCK = 16 };
  const gsize w = (gsize) width, h = (gsize) height, n = w * h;
  const VgContourWindow mirrored = { core.y0, core.x0, core.y1, core.x1 };
  float *mirror = self->maps; /* until the maps take its place */

#pragma omp parallel for schedule(static)
  for (gsize x0 = 0; x0 < w; x0 += BLOCK) /* in blocks, so that rows and columns are in the cache */
    for (gsize y = 0; y < h; y++)
      for (gsize x = x0; x < MIN (x0 + BLOCK, w); x++)
        for (gsize c = 0; c < INPUTS; c++)
          mirror[(x * h + y) * INPUTS + c] = self->input[(y * w + x) * INPUTS + c];
  if (!run_network (self, mirror, height, width, mirrored, self->other, error) ||
      !run_network (self, self->input, width, height, core, self->maps, error))
    return FALSE;
  for (gsize k = 0; k < G_N_ELEMENTS (wanted); k++)
#pragma omp parallel for schedule(static)
    for (gsize x0 = (gsize) core.x0; x0 < (gsize) core.x1; x0 += BLOCK)
      for (gsize y = (gsize) core.y0; y < (gsize) core.y1; y++)
        for (gsize x = x0; x < MIN (x0 + BLOCK, (gsize) core.x1); x++)
          {
            float *value = self->maps + (gsize) wanted[k] * n + y * w + x;

            *value = 0.5f * (*value + self->other[(gsize) wanted[k] * n + x * h + y]);
          }
  return TRUE;
}

/* WINDOW of the scaled image with its margin, as far as there is one. */
static VgContourWindow
with_margin (const Work *self, const VgContourWindow *window)
{
  return (VgContourWindow){ MAX (window->x0 - MARGIN, 0), MAX (window->y0 - MARGIN, 0),
                            MIN (window->x1 + MARGIN, self->columns),
                            MIN (window->y1 + MARGIN, self->rows) };
}

/* The first of the lines between cells after POSITION, at most END.  A small image is one cell. */
static int
next_line (int position, int first, int size, int end)
{
  return size <= MOST_WHOLE ? end : MIN (position - (position - first) % CELL + CELL, end);
}

/* What is done with a CELL of the tile ALL, which is the part of the scaled image in `input`. */
typedef gboolean (*CellFunc) (const Work *self, VgContourWindow cell, const VgContourWindow *all);

/* Does it with each cell, cut to CORE; returns whether all returned TRUE. */
static gboolean
for_cells (const Work *self, const VgContourWindow *core, const VgContourWindow *all, CellFunc act)
{
  VgContourWindow cell = *core;
  gboolean every = TRUE;

  for (; cell.y0 < core->y1; cell.y0 = cell.y1)
    {
      cell.y1 = next_line (cell.y0, self->first_y, self->rows, core->y1);
      for (cell.x0 = core->x0; cell.x0 < core->x1; cell.x0 = cell.x1)
        {
          cell.x1 = next_line (cell.x0, self->first_x, self->columns, core->x1);
          every = act (self, cell, all) && every;
        }
    }
  return every;
}

static gboolean
is_empty (const Work *self, VgContourWindow cell, const VgContourWindow *all)
{
  const VgContourWindow seen = with_margin (self, &cell);
  const gsize row = VG_CONTOUR_NET_INPUTS * (gsize) (all->x1 - all->x0);

  for (int y = seen.y0; y < seen.y1; y++)
    for (gsize i = VG_CONTOUR_NET_INPUTS * (gsize) (seen.x0 - all->x0);
         i < VG_CONTOUR_NET_INPUTS * (gsize) (seen.x1 - all->x0); i++)
      if (self->input[(gsize) (y - all->y0) * row + i] >= LEAST_INPUT)
        return FALSE;
  return TRUE;
}

/* Copies the maps of CELL, unless it is empty: then they are 0. */
static gboolean
copy_maps (const Work *self, VgContourWindow cell, const VgContourWindow *all)
{
  const gsize w = (gsize) (all->x1 - all->x0), n = w * (gsize) (all->y1 - all->y0),
              row = sizeof (float) * (gsize) (cell.x1 - cell.x0);

  if (is_empty (self, cell, all))
    return TRUE;
  for (int y = cell.y0; y < cell.y1; y++)
    {
      gsize from = (gsize) (y - all->y0) * w + (gsize) (cell.x0 - all->x0),
            to = (gsize) y * (gsize) self->columns + (gsize) cell.x0;

      memcpy (self->nucleus + to, self->maps + VG_CONTOUR_MAP_NUCLEUS * n + from, row);
      memcpy (self->distance + to, self->maps + VG_CONTOUR_MAP_DISTANCE * n + from, row);
    }
  return TRUE;
}

/* FALSE: as above. */
static gboolean
run_tile (const Work *self, const VgContourWindow *core, GError **error)
{
  const VgContourWindow all = with_margin (self, core);
  const int w = all.x1 - all.x0, h = all.y1 - all.y0;

#pragma omp parallel for schedule(static)
  for (int v = 0; v < h; v++)
    for (int u = 0; u < w; u++)
      for (int c = 0; c < VG_CONTOUR_NET_INPUTS; c++)
        {
          float *to = self->input + ((gsize) v * (gsize) w + (gsize) u) * VG_CONTOUR_NET_INPUTS + c;

          *to = c > 0 && self->grey != NULL ? to[-1] : scaled_at (self, all.x0 + u, all.y0 + v, c);
        }
  return for_cells (self, core, &all, is_empty) ||
         (run_both_ways (self, w, h,
                         (VgContourWindow){ core->x0 - all.x0, core->y0 - all.y0, core->x1 - all.x0,
                                            core->y1 - all.y0 },
                         error) &&
          for_cells (self, core, &all, copy_maps));
}

/* The cells of a core if as few cores as possible, with about as many cells, cover the pixels from
 * BEGIN to END.  FIRST is on a line between cells. */
static int
count_cells (int begin, int end, int first)
{
  const int cells = (end - first + CELL - 1) / CELL - (begin - first) / CELL,
            cores = (cells + CORE_CELLS - 1) / CORE_CELLS;

  return (cells + cores - 1) / cores;
}

/* The end of the core of CELLS cells that begins at POSITION, of SIZE pixels that end at END.  A
 * core contains whole cells, except at the ends, because a cell is empty or not as a whole. */
static int
core_end (int position, int first, int cells, int size, int end)
{
  return size <= MOST_WHOLE ? end : MIN (position - (position - first) % CELL + cells * CELL, end);
}

static gboolean
run_tiles (Work *self, GError **error)
{
  const VgContourWindow *window = &self->window;
  int across, down; /* cells of a core */
  const double all = (double) (window->x1 - window->x0) * (window->y1 - window->y0);
  VgContourWindow core = *window;
  double done = 0.0;

  if (window->x0 >= window->x1 || window->y0 >= window->y1)
    return TRUE;
  across = count_cells (window->x0, window->x1, self->first_x);
  down = count_cells (window->y0, window->y1, self->first_y);
  for (core.y0 = window->y0; core.y0 < window->y1; core.y0 = core.y1)
    for (core.x0 = window->x0; core.x0 < window->x1; core.x0 = core.x1)
      {
        core.x1 = core_end (core.x0, self->first_x, across, self->columns, window->x1);
        core.y1 = core_end (core.y0, self->first_y, down, self->rows, window->y1);
        vg_context_report (self->context, VG_CONTOUR_FOREGROUND_SHARE +
                                              (1.0 - VG_CONTOUR_FOREGROUND_SHARE) * done / all);
        if (vg_context_is_stopped (self->context) || !run_tile (self, &core, error))
          return FALSE;
        done += (double) (core.x1 - core.x0) * (core.y1 - core.y0);
      }
  return TRUE;
}

/* A map of the scaled image at the image's pixels: bilinear, or the mean of four. */
static void
bring_back (const Work *self, const float *from, float *to)
{
  const double zoom = (double) self->enlarge / self->reduce;
  /* at the image's own scale all pixels but the last column and row are where they were */
  const int same_rows = zoom == 1.0 ? self->rows - 1 - self->top : 0,
            same = MIN (self->columns - 1 - self->left, self->width);

#pragma omp parallel for schedule(static)
  for (int y = 0; y < self->height; y++)
    for (int x = y < same_rows ? same : 0; x < self->width; x++)
      {
        double u = CLAMP ((x + self->left + 0.5) * zoom - 0.5, 0.0, self->columns - 1.0),
               v = CLAMP ((y + self->top + 0.5) * zoom - 0.5, 0.0, self->rows - 1.0);
        int iu = MIN ((int) u, self->columns - 2), iv = MIN ((int) v, self->rows - 2);
        float tu = (float) (u - iu), tv = (float) (v - iv);
        const float *p = from + (gsize) iv * (gsize) self->columns + iu, *q = p + self->columns;
        float upper = p[0] + tu * (p[1] - p[0]), lower = q[0] + tu * (q[1] - q[0]);

        to[(gsize) y * (gsize) self->width + (gsize) x] = upper + tv * (lower - upper);
      }
  for (int y = 0; y < MIN (same_rows, self->height); y++)
    memcpy (to + (gsize) y * (gsize) self->width,
            from + (gsize) (y + self->top) * (gsize) self->columns + self->left,
            sizeof *to * (gsize) same);
}

/* Places the grid of the whole image over this part of it, in which WINDOW is wanted. */
static void
place (Work *self, const VgPart *part, const VgContourWindow *window)
{
  const int cell = VG_CONTOUR_NET_GRAIN * self->reduce / self->enlarge, pair = 2 * cell;
  const int x = part != NULL ? (int) part->x : 0, y = part != NULL ? (int) part->y : 0;

  self->left = x % pair;
  self->top = y % pair;
  self->columns = (self->left + self->width + cell - 1) / cell * VG_CONTOUR_NET_GRAIN;
  self->rows = (self->top + self->height + cell - 1) / cell * VG_CONTOUR_NET_GRAIN;
  /* lines of the whole image's cells, counted from this part's first cell, at or before it */
  self->first_x = -((x - self->left) / cell * VG_CONTOUR_NET_GRAIN % CELL);
  self->first_y = -((y - self->top) / cell * VG_CONTOUR_NET_GRAIN % CELL);
  self->window = (VgContourWindow){
    (self->left + window->x0) / pair * GRAIN, (self->top + window->y0) / pair * GRAIN,
    MIN ((self->left + window->x1 + pair - 1) / pair * GRAIN, self->columns),
    MIN ((self->top + window->y1 + pair - 1) / pair * GRAIN, self->rows)
  };
}

/* Opens the device, if there is one, for the largest tile, and allocates the planes, which may be
 * NULL.  FALSE and an error. */
static gboolean
make_room (VgContourMaps *self, Work *work, const VgContext *context, GError **error)
{
  const gsize pixels = (gsize) work->width * (gsize) work->height;
  const int width = MIN (work->columns, MOST_WHOLE), height = MIN (work->rows, MOST_WHOLE),
            side = MAX (width, height);
  const gsize tile = PLANES * (gsize) width * (gsize) height;
  gsize bytes = sizeof (float) *
                (2 * pixels + 2 * (gsize) work->columns * (gsize) work->rows + 3 * tile);
  GError *fault = NULL;

  if (work->device != NULL)
    work->open = work->device->open (work->net, context->n_devices > 0 ? context->devices[0] : 0,
                                     side, side, &fault);
  if (fault != NULL)
    {
      g_propagate_error (error, fault);
      return FALSE;
    }
  if (work->open == NULL)
    bytes += vg_contour_network_bytes (work->net, width, height);
  if (!vg_memory_check (bytes, "the network's maps", error))
    {
      if (work->open != NULL)
        work->device->close (work->open);
      return FALSE;
    }
  self->nucleus = g_try_new (float, pixels);
  self->distance = g_try_new (float, pixels);
  work->input = g_try_new (float, tile);
  work->other = g_try_new (float, tile);
  work->maps = g_try_new (float, tile);
  return TRUE;
}

gboolean
vg_contour_maps_init (VgContourMaps *self, const VgContourNet *net, const VgImage *image,
                      const VgContourParams *params, const VgContourScale *scale, double radius,
                      const VgContext *context, GError **error)
{
  const double zoom = vg_contour_maps_zoom (radius);
  const gboolean colours = scale->stained && image->info.channels >= 3 &&
                           (params->stain == VG_CONTOUR_HAEMATOXYLIN ||
                            params->stain == VG_CONTOUR_MACENKO_1);
  VgContourScale known = *scale;
  g_autofree float *grey = colours ? NULL : vg_contour_grey (image, params, &known, error);
  Work work = { .image = image,
                .grey = grey,
                .zero = scale->zero,
                .full = scale->full,
                .width = image->info.width,
                .height = image->info.height,
                .enlarge = zoom > 1.0 ? 2 : 1,
                .reduce = zoom < 1.0 ? (int) (1.0 / zoom) : 1,
                .net = net,
                .context = context,
                .device = self->device };
  g_autoptr (GError) fault = NULL;
  gboolean good;

  if (!colours && grey == NULL)
    return FALSE;
  place (&work, context->part, &self->window);
  if (!make_room (self, &work, context, &fault))
    {
      g_propagate_error (error, g_steal_pointer (&fault));
      return FALSE;
    }
  work.network = vg_contour_network_new (net);
  work.nucleus = g_try_new0 (float, (gsize) work.columns *(gsize) work.rows);
  work.distance = g_try_new0 (float, (gsize) work.columns *(gsize) work.rows);
  for (int v = 0; v < 256; v++)
    work.of_byte[v] = input_of (&work, v);
  good = self->nucleus != NULL && self->distance != NULL && work.nucleus != NULL &&
         work.distance != NULL && work.input != NULL && work.other != NULL && work.maps != NULL &&
         run_tiles (&work, &fault);
  if (good)
    {
      bring_back (&work, work.nucleus, self->nucleus);
      bring_back (&work, work.distance, self->distance);
    }
  g_free (work.input);
  g_free (work.other);
  g_free (work.maps);
  g_free (work.nucleus);
  g_free (work.distance);
  vg_contour_network_free (work.network);
  if (work.open != NULL)
    work.device->close (work.open);
  if (good)
    return TRUE;
  vg_contour_maps_clear (self);
  if (fault == NULL && !vg_context_is_stopped (context))
    return vg_contour_no_memory (work.width, work.height, error);
  if (fault != NULL)
    g_propagate_error (error, g_steal_pointer (&fault));
  return FALSE;
}

void
vg_contour_maps_clear (VgContourMaps *self)
{
  g_clear_pointer (&self->nucleus, g_free);
  g_clear_pointer (&self->distance, g_free);
}

/* Three planes of the image, two of it enlarged by 2, and the network's own for a tile with its
 * mirror image: about 220 bytes per pixel. */
gsize
vg_contour_maps_bytes (gsize pixels)
{
  return pixels * 44 + MIN (4 * pixels, (gsize) MOST_WHOLE * MOST_WHOLE) * 220;
}

/* The weights, and the planes of a square that holds a tile and its mirror image; a narrow image
 * fills little of it. */
gsize
vg_contour_maps_device_bytes (void)
{
  return ((gsize) 5 << 20) + (gsize) MOST_WHOLE * MOST_WHOLE * 400;
}
