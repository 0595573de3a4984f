/* SPDX-License-Identifier: MIT */
/* The slide about the part that is worked on: which part zoom and centre are
 * of, what is visible of the slide, and its tiles, which threads bring. */
#include "ui/picture/vg-image-view-private.h"
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include "ui/picture/vg-picture.h"
#include "io/source/vg-source.h"
#include "io/slide/vg-tile-cache.h"

enum { SHOWN, TROUBLE, OUTSIDE, N_SIGNALS };
static guint signals[N_SIGNALS];

struct _VgImageSlide
{
  VgImageView *view;
  char *path;
  gint64 changed_us; /* the file, when it was opened */
  VgTileCache *cache;
  GSource *arrived;     /* woken by the threads */
  VgImageInfo info;     /* of the part that is open */
  double width, height; /* of the slide; 0: not known yet */
  VgTileLook look;      /* the last one */
  gboolean stale;       /* there is more to see since */
  gboolean troubled;    /* something could not be read */
  /* it is still being opened: what is worked on is not known yet; FIT: seen whole first */
  gboolean expected, fit;
  VgView before; /* where one comes back to when that fails */
};

void
vg_image_slide_add_signals (GType type)
{
  signals[SHOWN] = g_signal_new ("slide-shown", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
  signals[TROUBLE] = g_signal_new ("slide-trouble", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[OUTSIDE] = g_signal_new ("outside-part", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

/* ---- the file ---- */

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
  g_signal_emit (view, signals[SHOWN], 0);
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
    g_signal_emit (self->view, signals[TROUBLE], 0, trouble);
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
vg_image_slide_free (VgImageSlide *self)
{
  if (self == NULL)
    return;
  vg_tile_cache_close (self->cache); /* from here on nobody wakes the source */
  g_source_destroy (self->arrived);
  g_source_unref (self->arrived);
  g_free (self->path);
  g_free (self);
}

void
vg_image_view_expect_slide (VgImageView *self, const char *path, gboolean fit)
{
  g_return_if_fail (VG_IS_IMAGE_VIEW (self));

  g_clear_pointer (&self->expected_slide, vg_image_slide_free);
  if (vg_image_view_has_slide (self, path))
    return;
  self->expected_slide = slide_new (self, path);
  self->expected_slide->expected = TRUE;
  self->expected_slide->fit = fit;
}

gboolean
vg_image_view_has_slide (VgImageView *self, const char *path)
{
  g_return_val_if_fail (VG_IS_IMAGE_VIEW (self), FALSE);

  return self->slide != NULL && (path == NULL || strcmp (self->slide->path, path) == 0);
}

void
vg_image_view_set_slide (VgImageView *self, const char *path, const VgImageInfo *info)
{
  gboolean slide = path != NULL && info != NULL && info->downsample > 0, other;
  gint64 now_us;

  g_return_if_fail (VG_IS_IMAGE_VIEW (self));

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

/* ---- places ---- */

gboolean
vg_image_slide_is_known (VgImageView *self)
{
  return self->slide != NULL && self->slide->width > 0;
}

VgSlidePlace
vg_image_slide_place (VgImageView *self)
{
  const VgSlidePlace none = { .downsample = 0 };

  if (!vg_image_slide_is_known (self))
    return none;
  if (self->result != NULL)
    return self->result->place;
  if (self->slide->expected)
    return (VgSlidePlace){ { 0, 0 }, 1 };
  return (VgSlidePlace){ { self->slide->info.origin[0], self->slide->info.origin[1] },
                         self->slide->info.downsample };
}

VgPlane
vg_image_slide_part (VgImageView *self)
{
  const VgImageInfo *info = &self->slide->info;
  VgPlane plane = { .width = info->width,
                    .height = info->height,
                    .slices = 1,
                    .pixel_size = { info->pixel_size[0], info->pixel_size[1] } };

  if (self->slide->expected)
    return (VgPlane){ .width = (int) self->slide->width,
                      .height = (int) self->slide->height,
                      .slices = 1 };
  g_strlcpy (plane.unit, info->pixel_unit, sizeof plane.unit);
  return plane;
}

const char *
vg_image_slide_unit (VgImageView *self)
{
  return self->slide != NULL ? self->slide->info.pixel_unit : "";
}

gboolean
vg_image_slide_has_part (VgImageView *self)
{
  return vg_image_slide_is_known (self) && !self->slide->expected;
}

gboolean
vg_image_slide_refuses (VgImageView *self, VgPoint at)
{
  VgPlane part;

  if (!vg_image_slide_has_part (self))
    return FALSE;
  part = vg_image_slide_part (self);
  if (at.x >= 0 && at.y >= 0 && at.x < part.width && at.y < part.height)
    return FALSE;
  g_signal_emit (self, signals[OUTSIDE], 0);
  return TRUE;
}

void
vg_image_slide_set_extent (VgImageView *self, const VgSlidePlace *place, VgExtent *extent)
{
  extent->left = -place->origin[0] / place->downsample;
  extent->top = -place->origin[1] / place->downsample;
  extent->right = (self->slide->width - place->origin[0]) / place->downsample;
  extent->bottom = (self->slide->height - place->origin[1]) / place->downsample;
  extent->slide = TRUE;
}

/* The view, which may be of another part, as one of the part at PLACE: the
 * screen shows the same of the slide.  FALSE: it is that already. */
gboolean
vg_image_slide_follow (VgImageView *self, const VgSlidePlace *place)
{
  VgView view = *vg_session_get_view (self->session);
  double scale = view.part_scale / place->downsample;

  if (!(place->downsample > 0) ||
      (view.part_scale == place->downsample && view.part_x == place->origin[0] &&
       view.part_y == place->origin[1]))
    return FALSE;
  if (view.part_scale > 0)
    {
      view.center_x = view.center_x * scale + (view.part_x - place->origin[0]) / place->downsample;
      view.center_y = view.center_y * scale + (view.part_y - place->origin[1]) / place->downsample;
      view.zoom /= scale;
    }
  else
    view.zoom = 0;
  if (view.center_x < -place->origin[0] / place->downsample ||
      view.center_x > (self->slide->width - place->origin[0]) / place->downsample ||
      view.center_y < -place->origin[1] / place->downsample ||
      view.center_y > (self->slide->height - place->origin[1]) / place->downsample)
    view.zoom = 0; /* of another slide */
  view.part_x = place->origin[0];
  view.part_y = place->origin[1];
  view.part_scale = place->downsample;
  vg_session_set_view (self->session, &view);
  return TRUE;
}

/* ---- what is visible ---- */

static VgTileLook
look_of (VgImageView *self, const VgSlidePlace *place)
{
  const VgImageSlide *slide = self->slide;
  double x0, y0, x1, y1;

  vg_view_transform_to_image (&self->transform, 0, 0, &x0, &y0);
  vg_view_transform_to_image (&self->transform, self->viewport.width, self->viewport.height, &x1,
                              &y1);
  return (VgTileLook){ CLAMP (x0 * place->downsample + place->origin[0], 0, slide->width),
                       CLAMP (y0 * place->downsample + place->origin[1], 0, slide->height),
                       CLAMP (x1 * place->downsample + place->origin[0], 0, slide->width),
                       CLAMP (y1 * place->downsample + place->origin[1], 0, slide->height),
                       place->downsample / MIN (self->transform.zoom, self->transform.zoom_y) };
}

void
vg_image_slide_look (VgImageView *self)
{
  VgImageSlide *slide = self->slide;
  VgSlidePlace place = vg_image_slide_place (self);
  g_autoptr (GPtrArray) tiles = NULL;
  VgTileLook look;

  if (slide == NULL)
    return;
  if (!(place.downsample > 0) || !(self->transform.zoom > 0) || self->viewport.width < 1 ||
      self->viewport.height < 1)
    {
      vg_picture_set_tiles (VG_PICTURE (self->picture), NULL);
      slide->look = (VgTileLook){ 0 };
      return;
    }
  look = look_of (self, &place);
  if (!slide->stale && memcmp (&look, &slide->look, sizeof look) == 0)
    return;
  tiles = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_slide_tile_unref);
  vg_tile_cache_look (slide->cache, &look, tiles);
  vg_picture_set_tiles (VG_PICTURE (self->picture), tiles);
  slide->stale = FALSE;
  if (memcmp (&look, &slide->look, sizeof look) == 0)
    return;
  slide->look = look;
  g_signal_emit (self, signals[SHOWN], 0);
}

gboolean
vg_image_view_get_shown (VgImageView *self, double *x0, double *y0, double *x1, double *y1)
{
  const VgTileLook *look;

  g_return_val_if_fail (VG_IS_IMAGE_VIEW (self), FALSE);

  if (self->slide == NULL || !(self->slide->look.x1 > self->slide->look.x0) ||
      !(self->slide->look.y1 > self->slide->look.y0))
    return FALSE;
  look = &self->slide->look;
  *x0 = look->x0;
  *y0 = look->y0;
  *x1 = look->x1;
  *y1 = look->y1;
  return TRUE;
}
