/* SPDX-License-Identifier: MIT */
#include "ui/scatter/vg-scatter-drawing.h"
#include <math.h>
#include "kernels/shared/vg-colormap.h"

enum { OPAQUE = 255, SHARP = 768 };

const GdkRGBA vg_scatter_accent = { 1, 0.25f, 0.7f, 1 };

static const double tint_opacity = 0.6;

/* On a logarithmic scale, so that one pixel differs from none and from many; 0 to 1. */
static double
find_shade (guint32 count, guint32 most)
{
  return most > 1 ? log1p (count) / log1p (most) : 1;
}

static guint32
find_most (const guint32 *counts)
{
  guint32 most = 0;

  for (int i = 0; i < VG_SCATTER_SIDE * VG_SCATTER_SIDE; i++)
    most = MAX (most, counts[i]);
  return most;
}

/* How far the dot of a bin reaches, so that few samples are seen. */
static int
find_reach (const VgScatter *scatter)
{
  const guint64 few = 2000, many = 10000;

  return scatter->all.n <= few ? 2 : scatter->all.n <= many ? 1 : 0;
}

/* The index of the nearest bin within REACH of (X, Y) that has samples, of the region first; the
 * bin's own index if there is none. */
static int
find_near (const VgScatter *scatter, int x, int y, int reach)
{
  const int own = y * VG_SCATTER_SIDE + x;
  int found = own, least = G_MAXINT;

  for (int v = MAX (y - reach, 0); v <= MIN (y + reach, VG_SCATTER_SIDE - 1); v++)
    for (int u = MAX (x - reach, 0); u <= MIN (x + reach, VG_SCATTER_SIDE - 1); u++)
      {
        int i = v * VG_SCATTER_SIDE + u, square = (u - x) * (u - x) + (v - y) * (v - y);
        gboolean of_region = scatter->in_region != NULL && scatter->in_region[i] > 0;

        square += of_region ? 0 : 2 * reach * reach + 1;
        if (scatter->counts[i] > 0 && (u - x) * (u - x) + (v - y) * (v - y) <= reach * reach + 1 &&
            square < least)
          {
            least = square;
            found = i;
          }
      }
  return found;
}

/* The bins in colours, those with pixels of the region in shades of RGB. */
static cairo_surface_t *
draw_bins (const VgScatter *scatter, const guint8 *rgb)
{
  cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, VG_SCATTER_SIDE,
                                                       VG_SCATTER_SIDE);
  const VgColormap *map = vg_colormap_find ("viridis");
  guint32 most = find_most (scatter->counts),
          most_region = scatter->in_region != NULL ? find_most (scatter->in_region) : 0;
  guint8 *rows = cairo_image_surface_get_data (image);
  int stride = cairo_image_surface_get_stride (image), reach = find_reach (scatter);

  for (int y = 0; y < VG_SCATTER_SIDE; y++)
    for (int x = 0; x < VG_SCATTER_SIDE; x++)
      {
        int i = find_near (scatter, x, y, reach);
        guint32 *pixel = (guint32 *) (void *) (rows + (VG_SCATTER_SIDE - 1 - y) * stride) + x,
                region = most_region > 0 ? scatter->in_region[i] : 0;
        double shade = 0.5 + 0.5 * (region > 0 ? find_shade (region, most_region) : 1);
        const guint8 *color = region > 0 ? rgb
                              : most > 1
                                  ? map->rgb[(int) (OPAQUE * find_shade (scatter->counts[i], most))]
                                  : map->rgb[OPAQUE / 4]; /* single samples, seen on white */

        if (scatter->counts[i] > 0)
          *pixel = (guint32) OPAQUE << 24 | (guint32) (shade * color[0]) << 16 |
                   (guint32) (shade * color[1]) << 8 | (guint32) (shade * color[2]);
      }
  cairo_surface_mark_dirty (image);
  return image;
}

/* Few pixels are drawn larger: a texture is smooth where it is stretched, and their edges are not.
 */
static GdkTexture *
draw_tint (const VgScatter *scatter)
{
  const float channels[] = { vg_scatter_accent.red, vg_scatter_accent.green, vg_scatter_accent.blue,
                             1 };
  int enlarge = MAX (SHARP / MAX (MAX (scatter->tint_width, scatter->tint_height), 1), 1),
      width = scatter->tint_width * enlarge, height = scatter->tint_height * enlarge;
  gsize n = (gsize) width * (gsize) height;
  guint8 *rgba = g_new (guint8, 4 * n);
  g_autoptr (GBytes) bytes = g_bytes_new_take (rgba, 4 * n);

  for (gsize i = 0; i < n; i++)
    {
      int x = (int) (i % (gsize) width) / enlarge, y = (int) (i / (gsize) width) / enlarge;
      double tint = scatter->tint[(gsize) y * (gsize) scatter->tint_width + (gsize) x];

      for (int k = 0; k < 4; k++)
        rgba[4 * i + (gsize) k] = (guint8) (tint_opacity * (double) channels[k] * tint);
    }
  return gdk_memory_texture_new (width, height, GDK_MEMORY_R8G8B8A8_PREMULTIPLIED, bytes,
                                 4 * (gsize) width);
}

static void
draw (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const VgScatterRequest *request = data;
  VgScatterDrawing *self = g_new0 (VgScatterDrawing, 1);
  VgScatterRange range = vg_scatter_find_range (request->pair,
                                                request->has_range ? &request->range : NULL);

  self->scatter = vg_scatter_new (request->pair, &range,
                                  request->region.kind != VG_REGION_NONE ? &request->region : NULL,
                                  request->lasso.kind != VG_REGION_NONE ? &request->lasso : NULL);
  self->image = draw_bins (self->scatter, request->rgb);
  if (self->scatter->tint != NULL)
    self->tint = draw_tint (self->scatter);
  g_task_return_pointer (task, self, (GDestroyNotify) vg_scatter_drawing_free);
}

static void
request_free (gpointer data)
{
  VgScatterRequest *self = data;

  vg_map_pair_unref (self->pair);
  g_free (self);
}

void
vg_scatter_drawing_new_async (const VgScatterRequest *request, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  VgScatterRequest *own = g_memdup2 (request, sizeof *request);

  vg_map_pair_ref (own->pair);
  g_task_set_task_data (task, own, request_free);
  g_task_run_in_thread (task, draw);
}

VgScatterDrawing *
vg_scatter_drawing_new_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

void
vg_scatter_drawing_free (VgScatterDrawing *self)
{
  if (self == NULL)
    return;
  vg_scatter_free (self->scatter);
  g_clear_pointer (&self->image, cairo_surface_destroy);
  g_clear_object (&self->tint);
  g_free (self);
}
