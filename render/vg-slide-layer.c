/* SPDX-License-Identifier: MIT */
#include "render/vg-slide-layer.h"
#include "vg-shaders.h"

/* Tiles uploaded for one image: about 10 ms of copying. */
enum { MOST_UPLOADS = 16 };

typedef struct
{
  guint64 serial, drawn; /* number of the image that showed it last */
  GLuint id;
  gsize bytes;
} Texture;

static void
texture_free (gpointer data)
{
  Texture *texture = data;

  glDeleteTextures (1, &texture->id);
  g_free (texture);
}

void
vg_slide_layer_set (VgSlideLayer *self, GPtrArray *tiles)
{
  if (tiles != NULL)
    g_ptr_array_ref (tiles);
  g_clear_pointer (&self->tiles, g_ptr_array_unref);
  self->tiles = tiles;
}

static gboolean
prepare (VgSlideLayer *self, GError **error)
{
  if (self->program != 0)
    return TRUE;
  self->program = vg_gl_program (vg_slide_vertex_shader, "", vg_slide_fragment_shader, error);
  if (self->program == 0)
    return FALSE;
  self->box = glGetUniformLocation (self->program, "box");
  self->viewport = glGetUniformLocation (self->program, "viewport");
  self->part = glGetUniformLocation (self->program, "part");
  self->disc = glGetUniformLocation (self->program, "disc");
  glUseProgram (self->program);
  glUniform1i (glGetUniformLocation (self->program, "tile"), 0);
  glGenVertexArrays (1, &self->vertex_array);
  self->textures = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, texture_free);
  return TRUE;
}

static gboolean
upload (VgSlideLayer *self, const VgSlideTile *tile, GError **error)
{
  Texture *texture = g_new0 (Texture, 1);

  vg_gl_clear_errors ();
  texture->serial = tile->serial;
  texture->bytes = 4 * (gsize) tile->width * (gsize) tile->height; /* as most drivers keep RGB */
  glGenTextures (1, &texture->id);
  glBindTexture (GL_TEXTURE_2D, texture->id);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glPixelStorei (GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D (GL_TEXTURE_2D, 0, GL_RGB8, tile->width, tile->height, 0, GL_RGB, GL_UNSIGNED_BYTE,
                tile->rgb);
  glPixelStorei (GL_UNPACK_ALIGNMENT, 4);
  if (!vg_gl_check ("uploading a tile of the slide", error))
    {
      texture_free (texture);
      return FALSE;
    }
  g_hash_table_insert (self->textures, &texture->serial, texture);
  self->bytes += texture->bytes;
  return TRUE;
}

/* Frees textures that the last image did not need, the oldest first. */
static void
bound (VgSlideLayer *self)
{
  while (self->bytes > VG_SLIDE_LAYER_BYTES)
    {
      GHashTableIter iter;
      Texture *texture, *oldest = NULL;

      g_hash_table_iter_init (&iter, self->textures);
      while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &texture))
        if (texture->drawn < self->drawn && (oldest == NULL || texture->drawn < oldest->drawn))
          oldest = texture;
      if (oldest == NULL)
        return;
      self->bytes -= oldest->bytes;
      g_hash_table_remove (self->textures, &oldest->serial);
    }
}

/* Corners are computed in double precision, so that neighbours share their edge exactly. */
static void
draw_tile (VgSlideLayer *self, const VgScene *scene, const VgSlideTile *tile,
           const Texture *texture)
{
  const VgSlidePlace *place = &scene->place;
  double zoom_y = vg_scene_zoom_y (scene), step = (double) (1 << tile->level);

  glBindTexture (GL_TEXTURE_2D, texture->id);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, scene->smooth ? GL_LINEAR : GL_NEAREST);
  glUniform4f (
      self->box,
      (float) (((tile->x - place->origin[0]) / place->downsample - scene->center_x) * scene->zoom),
      (float) (((tile->y - place->origin[1]) / place->downsample - scene->center_y) * zoom_y),
      (float) (((tile->right - place->origin[0]) / place->downsample - scene->center_x) *
               scene->zoom),
      (float) (((tile->bottom - place->origin[1]) / place->downsample - scene->center_y) * zoom_y));
  glUniform2f (self->part, (float) ((tile->right - tile->x) / step / tile->width),
               (float) ((tile->bottom - tile->y) / step / tile->height));
  glDrawArrays (GL_TRIANGLE_STRIP, 0, 4);
}

gboolean
vg_slide_layer_draw (VgSlideLayer *self, const VgPane *pane, GError **error)
{
  const VgScene *scene = &pane->scene;
  int uploads = 0;
  gboolean fine = TRUE;

  self->late = FALSE;
  if (self->tiles == NULL || self->tiles->len == 0 || !(scene->place.downsample > 0))
    return TRUE;
  if (!prepare (self, error))
    return FALSE;
  self->drawn++;
  glActiveTexture (GL_TEXTURE0);
  glUseProgram (self->program);
  glUniform2f (self->viewport, pane->width, pane->height);
  vg_gl_set_disc (self->disc, pane);
  glBindVertexArray (self->vertex_array);
  for (guint i = 0; i < self->tiles->len && fine; i++)
    {
      const VgSlideTile *tile = self->tiles->pdata[i];
      Texture *texture = g_hash_table_lookup (self->textures, &tile->serial);

      if (texture == NULL && uploads < MOST_UPLOADS)
        {
          uploads++;
          fine = upload (self, tile, error);
          texture = g_hash_table_lookup (self->textures, &tile->serial);
        }
      self->late |= texture == NULL;
      if (texture == NULL)
        continue;
      texture->drawn = self->drawn;
      draw_tile (self, scene, tile, texture);
    }
  glBindVertexArray (0);
  glUseProgram (0);
  bound (self);
  return fine;
}

void
vg_slide_layer_clear (VgSlideLayer *self)
{
  g_clear_pointer (&self->tiles, g_ptr_array_unref);
  g_clear_pointer (&self->textures, g_hash_table_unref);
  if (self->program != 0)
    {
      glDeleteProgram (self->program);
      glDeleteVertexArrays (1, &self->vertex_array);
    }
  *self = (VgSlideLayer){ 0 };
}
