/* SPDX-License-Identifier: MIT */
/* Draws the coloured image: two planes and the underlay as textures, one pass with
 * resources/shaders/picture.frag, and the choice between interop and copies through the host. */
#include "render/vg-gl.h"
#include "render/vg-renderer.h"
#include <string.h>
#include "render/vg-outline-pass.h"
#include "render/vg-pass.h"
#include "render/vg-slide-layer.h"
#include "render/vg-texture.h"

enum { N_SLOTS = 2 };

/* What one result gives. */
typedef struct
{
  VgTexture slots[N_SLOTS];
  VgOutlinePass outline_pass, second_pass;
} Source;

struct _VgRenderer
{
  const VgCuda *cuda; /* NULL: no CUDA in use */
  gboolean interop;   /* device planes go device to texture */
  VgDisplayPath last; /* what the last upload did */
  char *interop_description, *host_description;

  Source sources[VG_PANE_SOURCES];
  Source *source; /* the chosen one */
  VgTexture under;
  VgUnderlay *underlay; /* in `under`; NULL: none */
  int underlay_slice;
  VgPass pass;
  VgSlideLayer slide;
  gboolean late;
};

static void
describe_host (VgRenderer *self, const char *why)
{
  g_free (self->host_description);
  self->host_description = g_strdup_printf (
      "%s%s; maps pass through main memory: %s",
      strstr (vg_gl_renderer_name (), "pipe") != NULL ? "Software rendering, " : "",
      vg_gl_renderer_name (), why);
}

/* Decides once whether CUDA can reach this context. */
static gboolean
choose_path (VgRenderer *self, VgDisplayPath path, GError **error)
{
  g_autoptr (GError) why = NULL;
  VgCudaDevice info;
  int device = -1;

  self->last = VG_DISPLAY_HOST;
  describe_host (self, path == VG_DISPLAY_HOST ? "as asked for" : "the result is in host memory");
  if (path == VG_DISPLAY_HOST)
    return TRUE;

  if (self->cuda != NULL)
    device = self->cuda->gl_device (&why);
  else
    g_set_error_literal (&why, VG_RENDER_ERROR, VG_RENDER_ERROR_ABSENT,
                         "the CUDA backend is not in use");
  if (device < 0)
    {
      const char *reason = why != NULL ? why->message
                                       : "CUDA has no device that drives this display";

      describe_host (self, reason);
      if (path == VG_DISPLAY_AUTO)
        return TRUE;
      g_set_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_ABSENT,
                   "CUDA-GL interop was asked for but can't be had: %s; use --display=auto",
                   reason);
      return FALSE;
    }
  self->interop = TRUE;
  self->last = VG_DISPLAY_INTEROP;
  self->interop_description = g_strdup_printf (
      "%s; maps stay in its memory",
      self->cuda->device_info (device, &info, NULL) ? info.name : "GPU");
  return TRUE;
}

/* Needs the context current.  VG_RENDER_ERROR_ABSENT when the context is not
 * OpenGL 3.3, or PATH demands interop and there is none. */
VgRenderer *
vg_renderer_new (VgDisplayPath path, const VgCuda *cuda, GError **error)
{
  VgRenderer *self;

  if (!vg_gl_init (error))
    return NULL;
  self = g_new0 (VgRenderer, 1);
  self->cuda = cuda;
  self->source = self->sources;
  if (!choose_path (self, path, error) || !vg_pass_init (&self->pass, error))
    g_clear_pointer (&self, vg_renderer_free);
  return self;
}

void
vg_renderer_free (VgRenderer *self)
{
  if (self == NULL)
    return;
  vg_renderer_clear (self);
  for (int i = 0; i < VG_PANE_SOURCES; i++)
    {
      vg_outline_pass_clear (&self->sources[i].outline_pass, self->cuda);
      vg_outline_pass_clear (&self->sources[i].second_pass, self->cuda);
    }
  vg_slide_layer_clear (&self->slide);
  vg_pass_clear (&self->pass);
  g_free (self->interop_description);
  g_free (self->host_description);
  g_free (self);
}

VgDisplayPath
vg_renderer_get_path (VgRenderer *self)
{
  return self->last;
}

const char *
vg_renderer_get_description (VgRenderer *self)
{
  return self->last == VG_DISPLAY_INTEROP ? self->interop_description : self->host_description;
}

/* Gives up interop after WHY, an error of CUDA: from now on everything is copied through the host.
 * Returns FALSE and sets ERROR if WHY is an error of OpenGL, because the copy through the host
 * needs the same texture or buffer. */
static gboolean
leave_interop (VgRenderer *self, GError *why, GError **error)
{
  if (why->domain == VG_RENDER_ERROR)
    {
      g_propagate_error (error, why);
      return FALSE;
    }
  self->interop = FALSE;
  describe_host (self, why->message);
  g_error_free (why);
  return TRUE;
}

void
vg_renderer_choose_source (VgRenderer *self, int source)
{
  g_return_if_fail (source >= 0 && source < VG_PANE_SOURCES);

  self->source = &self->sources[source];
}

gboolean
vg_renderer_upload (VgRenderer *self, int slot, const VgPlane *plane, int slice, GError **error)
{
  GError *why = NULL;

  g_return_val_if_fail (slot >= 0 && slot < N_SLOTS, FALSE);

  if (self->interop && plane->place == VG_DEVICE)
    {
      self->last = VG_DISPLAY_INTEROP;
      if (vg_texture_update_interop (&self->source->slots[slot], self->cuda, plane, slice, &why))
        return TRUE;
      if (!leave_interop (self, why, error))
        return FALSE;
    }
  self->last = VG_DISPLAY_HOST;
  return vg_texture_update_host (&self->source->slots[slot], self->cuda, plane, slice, error);
}

static gboolean
set_outlines (VgRenderer *self, VgOutlinePass *pass, const VgOutlines *outlines, GError **error)
{
  GError *why = NULL;

  if (self->interop && outlines != NULL && outlines->values.place == VG_DEVICE)
    {
      if (vg_outline_pass_update (pass, self->cuda, TRUE, outlines, &why))
        return TRUE;
      if (!leave_interop (self, why, error))
        return FALSE;
    }
  return vg_outline_pass_update (pass, self->cuda, FALSE, outlines, error);
}

gboolean
vg_renderer_set_outlines (VgRenderer *self, const VgOutlines *outlines, GError **error)
{
  return set_outlines (self, &self->source->outline_pass, outlines, error);
}

gboolean
vg_renderer_set_second_outlines (VgRenderer *self, const VgOutlines *outlines, GError **error)
{
  return set_outlines (self, &self->source->second_pass, outlines, error);
}

gboolean
vg_renderer_set_underlay (VgRenderer *self, VgUnderlay *underlay, int slice, GError **error)
{
  if (self->underlay == underlay && (underlay == NULL || self->underlay_slice == slice))
    return TRUE;
  g_clear_pointer (&self->underlay, vg_underlay_unref);
  if (underlay == NULL)
    {
      vg_texture_clear (&self->under, self->cuda);
      return TRUE;
    }
  self->underlay = vg_underlay_ref (underlay);
  self->underlay_slice = slice;
  if (vg_texture_update_rgba (
          &self->under,
          underlay->rgba + (gsize) MAX (slice, 0) * underlay->width * underlay->height * 4,
          underlay->width, slice < 0 ? underlay->height * underlay->slices : underlay->height,
          error))
    return TRUE;
  vg_texture_clear (&self->under, self->cuda);
  return FALSE;
}

void
vg_renderer_set_tiles (VgRenderer *self, GPtrArray *tiles)
{
  vg_slide_layer_set (&self->slide, tiles);
}

gboolean
vg_renderer_is_late (VgRenderer *self)
{
  return self->late;
}

void
vg_renderer_clear_source (VgRenderer *self)
{
  vg_outline_pass_update (&self->source->outline_pass, self->cuda, FALSE, NULL, NULL);
  vg_outline_pass_update (&self->source->second_pass, self->cuda, FALSE, NULL, NULL);
  for (int i = 0; i < N_SLOTS; i++)
    vg_texture_clear (&self->source->slots[i], self->cuda);
}

void
vg_renderer_clear (VgRenderer *self)
{
  for (int i = VG_PANE_SOURCES - 1; i >= 0; i--)
    {
      vg_renderer_choose_source (self, i);
      vg_renderer_clear_source (self);
    }
  vg_texture_clear (&self->under, self->cuda);
  g_clear_pointer (&self->underlay, vg_underlay_unref);
}

static void
draw_outlines (const Source *source, VgOutlinePass *pass, const VgPane *pane)
{
  g_autoptr (GError) error = NULL;

  if (pane->scene.zoom > 0 && pass->picture_width == source->slots[0].width &&
      pass->picture_height == source->slots[0].height && !vg_outline_pass_draw (pass, pane, &error))
    g_warning ("%s", error->message);
}

/* A round pane leaves what is beside it, and has its background. */
static void
clear_pane (const VgPane *pane)
{
  if (pane->round)
    return;
  glEnable (GL_SCISSOR_TEST);
  glScissor (pane->x, pane->y, pane->width, pane->height);
  glClearColor (pane->scene.background[0], pane->scene.background[1], pane->scene.background[2], 1);
  glClear (GL_COLOR_BUFFER_BIT);
  glDisable (GL_SCISSOR_TEST);
}

/* PANE's y is counted from below. */
static void
draw_pane (VgRenderer *self, const VgPane *pane)
{
  Source *source = &self->sources[pane->source];
  const VgScene *scene = &pane->scene;
  g_autoptr (GError) error = NULL;

  glViewport (pane->x, pane->y, pane->width, pane->height);
  clear_pane (pane);
  if (scene->zoom > 0 && !vg_slide_layer_draw (&self->slide, pane, &error))
    {
      g_warning ("%s", error->message);
      g_clear_error (&error);
    }
  self->late |= self->slide.late;
  if (source->slots[0].id != 0 && scene->coloring.colormap != NULL && scene->zoom > 0 &&
      !vg_pass_draw (&self->pass, pane, &source->slots[0], &source->slots[1], &self->under, &error))
    g_warning ("%s", error->message);
  if (scene->outlines)
    draw_outlines (source, &source->outline_pass, pane);
  draw_outlines (source, &source->second_pass, pane);
}

void
vg_renderer_draw (VgRenderer *self, const VgPane *panes, int n, int width, int height)
{
  self->late = FALSE;
  if (width < 1 || height < 1 || n < 1)
    return;
  glViewport (0, 0, width, height);
  glDisable (GL_BLEND);
  glDisable (GL_DEPTH_TEST);
  glDisable (GL_SCISSOR_TEST);
  glClearColor (panes->scene.background[0], panes->scene.background[1], panes->scene.background[2],
                1);
  glClear (GL_COLOR_BUFFER_BIT);
  for (int i = 0; i < n; i++)
    {
      VgPane pane = panes[i];

      pane.y = height - pane.y - pane.height;
      if (pane.width > 0 && pane.height > 0 && pane.source >= 0 && pane.source < VG_PANE_SOURCES)
        draw_pane (self, &pane);
    }
}

gboolean
vg_renderer_read_plane (VgRenderer *self, int slot, float *values, GError **error)
{
  g_return_val_if_fail (slot >= 0 && slot < N_SLOTS, FALSE);

  if (self->source->slots[slot].id == 0)
    {
      g_set_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_FAILED,
                   "nothing was uploaded to slot %d", slot);
      return FALSE;
    }
  vg_gl_clear_errors ();
  glPixelStorei (GL_PACK_ALIGNMENT, 4);
  glBindTexture (GL_TEXTURE_2D, self->source->slots[slot].id);
  glGetTexImage (GL_TEXTURE_2D, 0, GL_RED, GL_FLOAT, values);
  return vg_gl_check ("reading the picture back", error);
}
