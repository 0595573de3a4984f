/* SPDX-License-Identifier: MIT */
#include "ui/volume/vg-section-mask.h"

static const double opacity = 0.5;
static const guint8 ink[3] = { 255, 150, 0 };

/* The sample that a pixel shows along one axis; -1: none. */
static int
sample_at (double center, double zoom, int pixel, int pixels, int samples, gboolean turned)
{
  double at = floor (center + (pixel + 0.5 - 0.5 * pixels) / zoom);

  if (!(at >= 0 && at < samples))
    return -1;
  return turned ? samples - 1 - (int) at : (int) at;
}

void
vg_section_draw_mask (const VgScene *scene, const guint8 *mask, int columns, int rows, guint8 *rgba,
                      int width, int height)
{
  g_autofree int *across = g_new (int, width);

  for (int i = 0; i < width; i++)
    across[i] = sample_at (scene->center_x, scene->zoom, i, width, columns, scene->turned[0]);
  for (int j = 0; j < height; j++)
    {
      int row = sample_at (scene->center_y, vg_scene_zoom_y (scene), j, height, rows,
                           scene->turned[1]);
      guint8 *line = rgba + (gsize) j * (gsize) width * 4;

      for (int i = 0; i < width && row >= 0; i++)
        if (across[i] >= 0 && mask[(gsize) row * (gsize) columns + (gsize) across[i]] != 0)
          for (int k = 0; k < 3; k++)
            line[4 * i + k] = (guint8) ((1 - opacity) * line[4 * i + k] + opacity * ink[k] + 0.5);
    }
}
