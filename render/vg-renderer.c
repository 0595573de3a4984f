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

struct _VgRenderer
{
  const VgCuda *cuda; /* NULL: no CUDA in use */
  gboolean interop;   /* device planes go device to texture */
  VgDisplayPath last; /* what the last upload did */
  char *interop_description, *host_description;

  VgTexture slots[N_SLOTS], under;
  VgUnderlay *underlay; /* in `under`; NULL: none */
  int underlay_slice;
  VgPass pass;
  VgOutlinePass outline_pass, second_pass;
  VgSlideLayer slide;
};

static void
describe_host (VgRenderer *self, const char *why)
{
  g_free (self->host_description);
  self->host_description = g_strdup_printf ("host copies, %s (%s)", vg_gl_renderer_name (), why);
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
      "CUDA-GL interop, %s", self->cuda->device_info (device, &info, NULL) ? info.name : "GPU");
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
  vg_outline_pass_clear (&self->outline_pass, self->cuda);
  vg_outline_pass_clear (&self->second_pass, self->cuda);
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

gboolean
vg_renderer_upload (VgRenderer *self, int slot, const VgPlane *plane, int slice, GError **error)
{
  GError *why = NULL;

  g_return_val_if_fail (slot >= 0 && slot < N_SLOTS, FALSE);

  if (self->interop && plane->place == VG_DEVICE)
    {
      self->last = VG_DISPLAY_INTEROP;
      if (vg_texture_update_interop (&self->slots[slot], self->cuda, plane, slice, &why))
        return TRUE;
      if (!leave_interop (self, why, error))
        return FALSE;
    }
  self->last = VG_DISPLAY_HOST;
  return vg_texture_update_host (&self->slots[slot], self->cuda, plane, slice, error);
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
  return set_outlines (self, &self->outline_pass, outlines, error);
}

gboolean
vg_renderer_set_second_outlines (VgRenderer *self, const VgOutlines *outlines, GError **error)
{
  return set_outlines (self, &self->second_pass, outlines, error);
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
  return self->slide.late;
}

void
vg_renderer_clear (VgRenderer *self)
{
  vg_outline_pass_update (&self->outline_pass, self->cuda, FALSE, NULL, NULL);
  vg_outline_pass_update (&self->second_pass, self->cuda, FALSE, NULL, NULL);
  for (int i = 0; i < N_SLOTS; i++)
    vg_texture_clear (&self->slots[i], self->cuda);
  vg_texture_clear (&self->under, self->cuda);
  g_clear_pointer (&self->underlay, vg_underlay_unref);
}

static void
draw_outlines (VgRenderer *self, VgOutlinePass *pass, const VgScene *scene, int width, int height)
{
  g_autoptr (GError) error = NULL;

  if (scene->zoom > 0 && pass->picture_width == self->slots[0].width &&
      pass->picture_height == self->slots[0].height &&
      !vg_outline_pass_draw (pass, scene, width, height, &error))
    g_warning ("%s", error->message);
}

/* Fills WIDTH x HEIGHT pixels of the bound framebuffer. */
void
vg_renderer_draw (VgRenderer *self, const VgScene *scene, int width, int height)
{
  g_autoptr (GError) error = NULL;

  if (width < 1 || height < 1)
    return;
  glViewport (0, 0, width, height);
  glDisable (GL_BLEND);
  glDisable (GL_DEPTH_TEST);
  glDisable (GL_SCISSOR_TEST);
  glClearColor (scene->background[0], scene->background[1], scene->background[2], 1);
  glClear (GL_COLOR_BUFFER_BIT);
  if (scene->zoom > 0 && !vg_slide_layer_draw (&self->slide, scene, width, height, &error))
    {
      g_warning ("%s", error->message);
      g_clear_error (&error);
    }
  if (self->slots[0].id != 0 && scene->coloring.colormap != NULL && scene->zoom > 0 &&
      !vg_pass_draw (&self->pass, scene, &self->slots[0], &self->slots[1], &self->under, width,
                     height, &error))
    g_warning ("%s", error->message);
  if (scene->outlines)
    draw_outlines (self, &self->outline_pass, scene, width, height);
  draw_outlines (self, &self->second_pass, scene, width, height);
}

gboolean
vg_renderer_read_plane (VgRenderer *self, int slot, float *values, GError **error)
{
  g_return_val_if_fail (slot >= 0 && slot < N_SLOTS, FALSE);

  if (self->slots[slot].id == 0)
    {
      g_set_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_FAILED,
                   "nothing was uploaded to slot %d", slot);
      return FALSE;
    }
  vg_gl_clear_errors ();
  glPixelStorei (GL_PACK_ALIGNMENT, 4);
  glBindTexture (GL_TEXTURE_2D, self->slots[slot].id);
  glGetTexImage (GL_TEXTURE_2D, 0, GL_RED, GL_FLOAT, values);
  return vg_gl_check ("reading the picture back", error);
}
