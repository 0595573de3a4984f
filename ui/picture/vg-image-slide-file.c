/* SPDX-License-Identifier: MIT */
/* The file of a slide: opened for its tiles, which threads read, and shown in place of another. */
#include "ui/picture/vg-image-view-private.h"
#include <string.h>
#include <sys/stat.h>
#include "io/source/vg-source.h"
#include "ui/picture/vg-picture.h"

static VgSource *
open_slide (gpointer path, GError **error)
{
  return vg_source_open (path, &(VgSourceOptions){ .colour = TRUE }, error);
}

static void
wake (gpointer source)
{
  g_source_set_ready_time (source, 0);
}

static gboolean
dispatch (GSource *source, GSourceFunc callback, gpointer data)
{
  g_source_set_ready_time (source, -1);
  return callback (data);
}

/* What is being opened is a slide: it takes the place of what is shown. */
static void
take_expected (VgImageSlide *self)
{
  VgImageView *view = self->view;
  VgView whole = *vg_session_get_view (view->session);

  self->before = whole;
  view->expected_slide = NULL;
  vg_image_view_show (view, NULL);
  vg_picture_set_tiles (VG_PICTURE (view->picture), NULL);
  g_clear_pointer (&view->slide, vg_image_slide_free);
  view->slide = self;
  whole.zoom = whole.part_x = whole.part_y = whole.part_scale = 0;
  if (self->fit)
    vg_session_set_view (view->session, &whole);
  vg_image_scene_update_all (view);
  g_signal_emit_by_name (view, "slide-shown");
}

static gboolean
on_arrived (gpointer data)
{
  VgImageSlide *self = data;
  g_autofree char *trouble = vg_tile_cache_take_trouble (self->cache);
  gboolean known = self->width > 0;

  if (self->view->expected_slide == self)
    {
      if (vg_tile_cache_get_size (self->cache, &self->width, &self->height))
        take_expected (self);
      else if (trouble != NULL) /* no slide, which is no news here */
        g_clear_pointer (&self->view->expected_slide, vg_image_slide_free);
      return G_SOURCE_CONTINUE;
    }
  self->stale = TRUE;
  self->troubled |= trouble != NULL;
  if (!known && vg_tile_cache_get_size (self->cache, &self->width, &self->height))
    vg_image_scene_update_all (self->view);
  else
    vg_image_slide_look (self->view);
  if (trouble != NULL)
    g_signal_emit_by_name (self->view, "slide-trouble", trouble);
  return G_SOURCE_CONTINUE;
}

static gint64
time_of (const char *path)
{
  struct stat status;

  return stat (path, &status) == 0
             ? (gint64) status.st_mtim.tv_sec * 1000000 + status.st_mtim.tv_nsec / 1000
             : 0;
}

static VgImageSlide *
slide_new (VgImageView *view, const char *path)
{
  static GSourceFuncs funcs = { .dispatch = dispatch };
  VgImageSlide *self = g_new0 (VgImageSlide, 1);

  self->view = view;
  self->path = g_strdup (path);
  self->changed_us = time_of (path);
  self->arrived = g_source_new (&funcs, sizeof (GSource));
  g_source_set_name (self->arrived, "tiles of a slide");
  g_source_set_priority (self->arrived, G_PRIORITY_DEFAULT_IDLE);
  g_source_set_callback (self->arrived, on_arrived, self, NULL);
  g_source_attach (self->arrived, NULL);
  self->cache = vg_tile_cache_new (&(VgTileCacheOptions){ .open = open_slide,
                                                          .arrived = wake,
                                                          .data = g_strdup (path),
                                                          .free_data = g_free,
                                                          .user = self->arrived });
  return self;
}

void
vg_image_view_expect_slide (VgImageView *self, const char *path, gboolean fit)
{
  g_clear_pointer (&self->expected_slide, vg_image_slide_free);
  if (vg_image_view_has_slide (self, path))
    return;
  self->expected_slide = slide_new (self, path);
  self->expected_slide->expected = TRUE;
  self->expected_slide->fit = fit;
}

void
vg_image_view_set_slide (VgImageView *self, const char *path, const VgImageInfo *info)
{
  gboolean slide = path != NULL && info != NULL && info->downsample > 0, other;
  gint64 now_us;

  if (slide && self->expected_slide != NULL && strcmp (self->expected_slide->path, path) == 0 &&
      !vg_image_view_has_slide (self, path))
    take_expected (self->expected_slide);
  g_clear_pointer (&self->expected_slide, vg_image_slide_free);
  other = slide ? !vg_image_view_has_slide (self, path) : self->slide != NULL;
  if (other)
    vg_image_view_show (self, NULL); /* it would lie on another slide */
  if (other && self->slide != NULL && self->slide->expected)
    vg_session_set_view (self->session, &self->slide->before);
  now_us = slide ? time_of (path) : 0;
  /* of a file that is gone, what was read stays */
  if (other ||
      (slide && now_us != 0 && (self->slide->troubled || self->slide->changed_us != now_us)))
    {
      vg_picture_set_tiles (VG_PICTURE (self->picture), NULL);
      g_clear_pointer (&self->slide, vg_image_slide_free);
      self->slide = slide ? slide_new (self, path) : NULL;
    }
  if (slide && self->result != NULL &&
      (self->result->place.downsample != info->downsample ||
       self->result->place.origin[0] != info->origin[0] ||
       self->result->place.origin[1] != info->origin[1]))
    vg_image_view_show (self, NULL); /* of the part before: regions and points are of this one */
  if (slide)
    {
      self->slide->info = *info;
      self->slide->expected = FALSE;
    }
  vg_image_scene_update_all (self);
}
