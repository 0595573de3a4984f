/* SPDX-License-Identifier: MIT */
#include "app/input/vg-frame-look.h"
#include <math.h>

enum { MOST_SAMPLES = 1 << 20 };

guint32
vg_frame_saturation (const VgImageInfo *info)
{
  const int all = info->type == VG_U8 ? 8 : info->type == VG_U16 ? 16 : 32;
  const int bits = info->significant_bits > 0 ? MIN (info->significant_bits, all) : all;

  return info->type == VG_F32 || info->channels != 1 || bits >= 32 ? 0 : (1u << bits) - 1;
}

static guint32
get (const VgFrame *frame, gsize i)
{
  return frame->info->type == VG_U8    ? ((const guint8 *) frame->data)[i]
         : frame->info->type == VG_U16 ? ((const guint16 *) frame->data)[i]
                                       : ((const guint32 *) frame->data)[i];
}

VgFrameLook
vg_frame_look (const VgFrame *frame)
{
  const int width = frame->info->width, height = frame->info->height;
  const guint32 top = vg_frame_saturation (frame->info);
  const int step = MAX ((int) ((gint64) width * height / MOST_SAMPLES), 1);
  double sum = 0, squares = 0;
  gint64 n = 0, saturated = 0;

  if (top == 0 || width < 2 || height < 1)
    return (VgFrameLook){ NAN, NAN };
  for (int y = 0; y < height; y += step)
    for (int x = 0; x + 1 < width; x++)
      {
        const gsize i = (gsize) y * (gsize) width + (gsize) x;
        const guint32 value = get (frame, i);
        const double difference = (double) get (frame, i + 1) - value;

        saturated += value >= top;
        sum += value;
        squares += difference * difference;
        n++;
      }
  return (VgFrameLook){ (double) saturated / (double) n,
                        sum > 0 ? squares * (double) n / (sum * sum) : NAN };
}

guint8 *
vg_frame_saturated_pixels (const VgFrame *frame, int most, int *width, int *height)
{
  const VgImageInfo *info = frame->info;
  const guint32 top = vg_frame_saturation (info);
  const int step = (MAX (info->width, info->height) + most - 1) / most;
  g_autofree guint8 *pixels = NULL;
  gboolean any = FALSE;

  if (top == 0)
    return NULL;
  *width = (info->width + step - 1) / step;
  *height = (info->height + step - 1) / step;
  pixels = g_malloc0 (4 * (gsize) *width * (gsize) *height);
  for (int y = 0; y < info->height; y++)
    for (int x = 0; x < info->width; x++)
      if (get (frame, (gsize) y * (gsize) info->width + (gsize) x) >= top)
        {
          guint8 *at = pixels + 4 * ((gsize) (y / step) * (gsize) *width + (gsize) (x / step));

          at[0] = at[3] = 255;
          any = TRUE;
        }
  return any ? g_steal_pointer (&pixels) : NULL;
}
