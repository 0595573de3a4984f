/* SPDX-License-Identifier: MIT */
#include "tests/support/io/fake-slide.h"
#include "kernels/base/vg-error.h"

typedef struct
{
  VgSource parent;
  VgPyramid pyramid;
  FakeSlide *slide;
} FakeSource;

void
fake_slide_init (FakeSlide *self, gint64 width, gint64 height, int n_levels,
                 const double *downsamples)
{
  *self = (FakeSlide){ .n_levels = n_levels };
  for (int i = 0; i < n_levels; i++)
    self->levels[i] = (VgLevel){ MAX ((gint64) ((double) width / downsamples[i]), 1),
                                 MAX ((gint64) ((double) height / downsamples[i]), 1),
                                 downsamples[i] };
  g_mutex_init (&self->mutex);
  g_cond_init (&self->moved);
}

/* The level, and the place on the slide in steps of 16 pixels. */
void
fake_slide_pixel (const FakeSlide *self, int level, gint64 x, gint64 y, guint8 rgb[3])
{
  double downsample = self->levels[level].downsample;

  rgb[0] = (guint8) (40 * level + 10);
  rgb[1] = (guint8) ((gint64) ((double) x * downsample) / 16 % 250);
  rgb[2] = (guint8) ((gint64) ((double) y * downsample) / 16 % 250);
}

static gboolean
is_bad (FakeSlide *self, int level, gint64 x, gint64 y, int width, int height)
{
  double downsample = self->levels[level].downsample;

  return self->gone || ((double) x * downsample < (double) self->bad[2] &&
                        (double) (x + width) * downsample > (double) self->bad[0] &&
                        (double) y * downsample < (double) self->bad[3] &&
                        (double) (y + height) * downsample > (double) self->bad[1]);
}

static gboolean
read_region (VgSource *source, int level, gint64 x, gint64 y, int width, int height, guint8 *rgb,
             GError **error)
{
  FakeSlide *self = ((FakeSource *) source)->slide;
  gboolean bad;

  g_assert_true (x >= 0 && y >= 0 && x + width <= self->levels[level].width &&
                 y + height <= self->levels[level].height);
  g_mutex_lock (&self->mutex);
  self->reads++;
  self->waiting++;
  g_cond_broadcast (&self->moved);
  while (self->held)
    g_cond_wait (&self->moved, &self->mutex);
  self->waiting--;
  bad = is_bad (self, level, x, y, width, height);
  g_mutex_unlock (&self->mutex);
  if (bad)
    {
      g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "the slide is damaged");
      return FALSE;
    }
  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++)
      fake_slide_pixel (self, level, x + i, y + j,
                        rgb + 3 * ((gsize) j * (gsize) width + (gsize) i));
  return TRUE;
}

static void
count (FakeSlide *self, int *number)
{
  g_mutex_lock (&self->mutex);
  ++*number;
  g_cond_broadcast (&self->moved);
  g_mutex_unlock (&self->mutex);
}

static void
clear_source (VgSource *source)
{
  FakeSlide *self = ((FakeSource *) source)->slide;

  count (self, &self->closed);
}

static const VgSourceClass fake_class = { .read_region = read_region, .clear = clear_source };

VgSource *
fake_slide_open (gpointer data, GError **error)
{
  FakeSlide *self = data;
  FakeSource *source;
  gboolean gone;

  g_mutex_lock (&self->mutex);
  gone = self->gone;
  self->opened += !gone;
  g_cond_broadcast (&self->moved);
  g_mutex_unlock (&self->mutex);
  if (gone)
    {
      g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "the slide is gone");
      return NULL;
    }
  source = (FakeSource *) vg_source_new (sizeof (FakeSource), &fake_class, "fake slide", NULL, -1);
  source->slide = self;
  source->pyramid = (VgPyramid){ .levels = self->levels, .n_levels = self->n_levels };
  source->parent.pyramid = &source->pyramid;
  return &source->parent;
}

void
fake_slide_arrived (gpointer data)
{
  FakeSlide *self = data;

  count (self, &self->arrived);
}

void
fake_slide_freed (gpointer data)
{
  FakeSlide *self = data;

  count (self, &self->freed);
}

void
fake_slide_set_held (FakeSlide *self, gboolean held)
{
  g_mutex_lock (&self->mutex);
  self->held = held;
  g_cond_broadcast (&self->moved);
  g_mutex_unlock (&self->mutex);
}

void
fake_slide_wait (FakeSlide *self, const int *count, int least)
{
  g_mutex_lock (&self->mutex);
  while (*count < least)
    g_cond_wait (&self->moved, &self->mutex); /* the test's time limit ends a wait in vain */
  g_mutex_unlock (&self->mutex);
}
