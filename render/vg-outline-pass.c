/* SPDX-License-Identifier: MIT */
#include "render/vg-outline-pass.h"
#include <math.h>
#include <stddef.h>
#include "kernels/shared/vg-outlines-draw.h"
#include "vg-shaders.h"

/* An instance, as the shader reads it. */
typedef struct
{
  gint32 box[4], pool[3];
  guint8 color[4]; /* and dashes */
} Tile;

static gboolean
compile (VgOutlinePass *self, GError **error)
{
  if (self->program != 0)
    return TRUE;
  self->program = vg_gl_program (vg_outlines_vertex_shader, "", vg_outlines_fragment_shader, error);
  if (self->program == 0)
    return FALSE;
  self->viewport = glGetUniformLocation (self->program, "viewport");
  self->zoom = glGetUniformLocation (self->program, "zoom");
  self->center_whole = glGetUniformLocation (self->program, "center_whole");
  self->center_part = glGetUniformLocation (self->program, "center_part");
  self->width = glGetUniformLocation (self->program, "widths");
  self->selected = glGetUniformLocation (self->program, "selected");
  self->on_top = glGetUniformLocation (self->program, "on_top");
  self->disc = glGetUniformLocation (self->program, "disc");
  glUseProgram (self->program);
  glUniform1i (glGetUniformLocation (self->program, "values"), 0);
  glUseProgram (0);
  return TRUE;
}

static void
make_objects (VgOutlinePass *self)
{
  if (self->vertex_array != 0)
    return;
  glGenBuffers (1, &self->tiles);
  glGenTextures (1, &self->texture);
  glGenVertexArrays (1, &self->vertex_array);
  glBindVertexArray (self->vertex_array);
  glBindBuffer (GL_ARRAY_BUFFER, self->tiles);
  glVertexAttribIPointer (0, 4, GL_INT, sizeof (Tile), (void *) offsetof (Tile, box));
  glVertexAttribIPointer (1, 3, GL_INT, sizeof (Tile), (void *) offsetof (Tile, pool));
  glVertexAttribPointer (2, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof (Tile),
                         (void *) offsetof (Tile, color));
  for (GLuint i = 0; i < 3; i++)
    {
      glEnableVertexAttribArray (i);
      glVertexAttribDivisor (i, 1);
    }
  glBindVertexArray (0);
  glBindBuffer (GL_ARRAY_BUFFER, 0);
}

static void
put_tiles (VgOutlinePass *self, const VgOutlines *outlines)
{
  g_autofree Tile *tiles = g_new (Tile, outlines->n);

  for (guint i = 0; i < outlines->n; i++)
    {
      const VgOutline *item = &outlines->items[i];
      const VgOutlineInk ink = vg_outlines_item_ink (item, outlines->plain);

      tiles[i] = (Tile){ { item->x, item->y, item->width, item->height },
                         { (gint32) item->offset, (gint32) item->stride, (gint32) item->id },
                         { ink.rgb[0], ink.rgb[1], ink.rgb[2], ink.dashes } };
    }
  glBindBuffer (GL_ARRAY_BUFFER, self->tiles);
  glBufferData (GL_ARRAY_BUFFER, (GLsizeiptr) (outlines->n * sizeof (Tile)), tiles, GL_STREAM_DRAW);
  glBindBuffer (GL_ARRAY_BUFFER, 0);
}

static void
drop_values (VgOutlinePass *self, const VgCuda *cuda)
{
  if (self->cuda_buffer != NULL)
    cuda->texture_free (self->cuda_buffer);
  if (self->values != 0)
    glDeleteBuffers (1, &self->values);
  self->cuda_buffer = NULL;
  self->values = 0;
  self->capacity = 0;
}

/* Allocates BYTES and a quarter more: CUDA keeps the storage of a registered buffer, and contours
 * grow. */
static gboolean
make_room (VgOutlinePass *self, const VgCuda *cuda, gsize bytes, GError **error)
{
  gsize room = bytes + bytes / 4;
  GLint most = 0;

  if (bytes <= self->capacity)
    return TRUE;
  glGetIntegerv (GL_MAX_TEXTURE_BUFFER_SIZE, &most);
  if (bytes / sizeof (float) > (gsize) most)
    {
      g_set_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_SIZE,
                   "outlines of %" G_GSIZE_FORMAT " samples are more than %s can draw (%d)",
                   bytes / sizeof (float), vg_gl_renderer_name (), most);
      return FALSE;
    }
  drop_values (self, cuda);
  vg_gl_clear_errors ();
  room = MIN (room, (gsize) most * sizeof (float));
  glGenBuffers (1, &self->values);
  glBindBuffer (GL_TEXTURE_BUFFER, self->values);
  glBufferData (GL_TEXTURE_BUFFER, (GLsizeiptr) room, NULL, GL_DYNAMIC_DRAW);
  glBindBuffer (GL_TEXTURE_BUFFER, 0);
  glBindTexture (GL_TEXTURE_BUFFER, self->texture);
  glTexBuffer (GL_TEXTURE_BUFFER, GL_R32F, self->values);
  glBindTexture (GL_TEXTURE_BUFFER, 0);
  if (!vg_gl_check ("making room for the outlines", error))
    {
      drop_values (self, cuda);
      return FALSE;
    }
  self->capacity = room;
  return TRUE;
}

static gboolean
put_host_values (VgOutlinePass *self, const VgCuda *cuda, const VgPlane *values, gsize bytes,
                 GError **error)
{
  g_autofree float *owned = NULL;
  const float *samples = values->data;

  if (values->place == VG_DEVICE)
    {
      if (cuda == NULL)
        {
          g_set_error_literal (error, VG_RENDER_ERROR, VG_RENDER_ERROR_FAILED,
                               "the outlines are in GPU memory, but the CUDA module is not in use");
          return FALSE;
        }
      owned = g_try_malloc (bytes);
      if (owned == NULL)
        {
          g_set_error_literal (error, VG_RENDER_ERROR, VG_RENDER_ERROR_MEMORY,
                               "no memory for the outlines");
          return FALSE;
        }
      if (!cuda->download (values, owned, error))
        return FALSE;
      samples = owned;
    }
  vg_gl_clear_errors ();
  glBindBuffer (GL_TEXTURE_BUFFER, self->values);
  /* orphaned: the last draw may still read the old ones */
  glBufferData (GL_TEXTURE_BUFFER, (GLsizeiptr) self->capacity, NULL, GL_DYNAMIC_DRAW);
  glBufferSubData (GL_TEXTURE_BUFFER, 0, (GLsizeiptr) bytes, samples);
  glBindBuffer (GL_TEXTURE_BUFFER, 0);
  return vg_gl_check ("uploading the outlines", error);
}

static gboolean
put_values (VgOutlinePass *self, const VgCuda *cuda, gboolean interop, const VgPlane *values,
            GError **error)
{
  gsize bytes = (gsize) values->width * sizeof (float);

  if (!make_room (self, cuda, bytes, error))
    return FALSE;
  if (interop && values->place == VG_DEVICE)
    {
      if (self->cuda_buffer == NULL)
        self->cuda_buffer = cuda->buffer_register (self->values, error);
      return self->cuda_buffer != NULL &&
             cuda->texture_update (self->cuda_buffer, values, 0, error);
    }
  if (self->cuda_buffer != NULL) /* a buffer that GL writes must not be registered with CUDA */
    cuda->texture_free (g_steal_pointer (&self->cuda_buffer));
  return put_host_values (self, cuda, values, bytes, error);
}

gboolean
vg_outline_pass_update (VgOutlinePass *self, const VgCuda *cuda, gboolean interop,
                        const VgOutlines *outlines, GError **error)
{
  self->n = 0;
  if (outlines == NULL || outlines->n == 0)
    return TRUE;
  if (!vg_outlines_fit (outlines) || outlines->values.data == NULL)
    {
      g_set_error_literal (error, VG_RENDER_ERROR, VG_RENDER_ERROR_FAILED,
                           "the outlines lie outside their samples");
      return FALSE;
    }
  make_objects (self);
  if (!put_values (self, cuda, interop, &outlines->values, error))
    return FALSE;
  put_tiles (self, outlines);
  self->n = outlines->n;
  self->plain = outlines->plain;
  self->picture_width = outlines->width;
  self->picture_height = outlines->height;
  return TRUE;
}

gboolean
vg_outline_pass_draw (VgOutlinePass *self, const VgPane *pane, GError **error)
{
  const VgScene *scene = &pane->scene;
  double whole_x = floor (CLAMP (scene->center_x, -1e9, 1e9)),
         whole_y = floor (CLAMP (scene->center_y, -1e9, 1e9));

  if (self->n == 0)
    return TRUE;
  if (!compile (self, error))
    return FALSE;
  glUseProgram (self->program);
  glUniform2f (self->viewport, pane->width, pane->height);
  vg_gl_set_disc (self->disc, pane);
  glUniform2f (self->zoom, (float) scene->zoom, (float) vg_scene_zoom_y (scene));
  glUniform2i (self->center_whole, (int) whole_x, (int) whole_y);
  glUniform2f (self->center_part, (float) (CLAMP (scene->center_x, -1e9, 1e9) - whole_x),
               (float) (CLAMP (scene->center_y, -1e9, 1e9) - whole_y));
  glUniform2f (
      self->width,
      (float) (self->plain ? vg_outlines_plain_width (scene->outline_width) : scene->outline_width),
      (float) scene->outline_width);
  glUniform1i (self->selected, self->plain ? 0 : (int) scene->selected);
  glActiveTexture (GL_TEXTURE0);
  glBindTexture (GL_TEXTURE_BUFFER, self->texture);
  glEnable (GL_BLEND);
  glBlendFunc (GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glBindVertexArray (self->vertex_array);
  for (int on_top = 0; on_top < (scene->selected > 0 && !self->plain ? 2 : 1); on_top++)
    {
      glUniform1i (self->on_top, on_top);
      glDrawArraysInstanced (GL_TRIANGLE_STRIP, 0, 4, (GLsizei) self->n);
    }
  glBindVertexArray (0);
  glDisable (GL_BLEND);
  glBindTexture (GL_TEXTURE_BUFFER, 0);
  glUseProgram (0);
  return TRUE;
}

void
vg_outline_pass_clear (VgOutlinePass *self, const VgCuda *cuda)
{
  drop_values (self, cuda);
  if (self->program != 0)
    glDeleteProgram (self->program);
  if (self->vertex_array != 0)
    {
      glDeleteVertexArrays (1, &self->vertex_array);
      glDeleteBuffers (1, &self->tiles);
      glDeleteTextures (1, &self->texture);
    }
  *self = (VgOutlinePass){ 0 };
}
