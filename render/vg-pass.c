/* SPDX-License-Identifier: MIT */
/* One triangle over the viewport; the fragment shader computes every pixel. */
#include "render/vg-pass.h"
#include <float.h>
#include <math.h>
#include <string.h>
#include "vg-shaders.h"

enum {
  U_PLANE,
  U_BRIGHTNESS_PLANE,
  U_COLORMAP,
  U_SIZE,
  U_MIRRORED,
  U_VIEWPORT,
  U_ZOOM,
  U_CENTER_WHOLE,
  U_CENTER_PART,
  U_LIMITS,
  U_GAMMA,
  U_LOG_SCALE,
  U_INVALID_COLOR,
  U_BACKGROUND,
  U_ISOLINES,
  U_N_ISOLINES,
  U_ISOLINE_FLOOR,
  U_BRIGHTNESS_LIMITS,
  U_UNDERLAY,
  U_OPACITY,
  U_SKIP_ZERO,
  U_MOSAIC,
  U_TURNED,
  U_SEE_THROUGH,
  U_SWAPPED,
  U_CORNER,
  U_DISC,
};

static const char *const uniform_names[] = {
  "plane",         "brightness_plane",
  "colormap",      "size",
  "mirrored",      "viewport",
  "zoom",          "center_whole",
  "center_part",   "limits",
  "gamma",         "log_scale",
  "invalid_color", "background",
  "isolines",      "n_isolines",
  "isoline_floor", "brightness_limits",
  "underlay",      "opacity",
  "skip_zero",     "mosaic",
  "turned",        "see_through",
  "swapped",       "corner",
  "disc",
};
G_STATIC_ASSERT (G_N_ELEMENTS (uniform_names) == VG_PASS_N_UNIFORMS);

typedef struct
{
  int sampling, isolines, brightness, underlay, mosaic;
} Variant;

static VgPassProgram *
get_program (VgPass *self, Variant variant, GError **error)
{
  VgPassProgram *program =
      &self->programs[variant.sampling * 16 + variant.isolines * 8 + variant.brightness * 4 +
                      variant.underlay * 2 + variant.mosaic];
  g_autofree char *defines = NULL;

  if (program->id != 0)
    return program;
  defines = g_strdup_printf ("#define SAMPLING %d\n#define ISOLINES %d\n#define BRIGHTNESS "
                             "%d\n#define UNDERLAY %d\n#define MOSAIC %d\n",
                             variant.sampling, variant.isolines, variant.brightness,
                             variant.underlay, variant.mosaic);
  program->id = vg_gl_program (vg_picture_vertex_shader, defines, vg_picture_fragment_shader,
                               error);
  if (program->id == 0)
    return NULL;
  /* -1 for uniforms that this variant lacks; glUniform ignores them */
  for (int i = 0; i < VG_PASS_N_UNIFORMS; i++)
    program->uniforms[i] = glGetUniformLocation (program->id, uniform_names[i]);
  glUseProgram (program->id);
  glUniform1i (program->uniforms[U_PLANE], 0);
  glUniform1i (program->uniforms[U_BRIGHTNESS_PLANE], 1);
  glUniform1i (program->uniforms[U_COLORMAP], 2);
  glUniform1i (program->uniforms[U_UNDERLAY], 3);
  glUseProgram (0);
  return program;
}

gboolean
vg_pass_init (VgPass *self, GError **error)
{
  glGenVertexArrays (1, &self->vertex_array);
  glGenTextures (1, &self->colormap_texture);
  glBindTexture (GL_TEXTURE_2D, self->colormap_texture);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  /* a driver that refuses the simplest variant cannot be used */
  return get_program (self, (Variant){ 0 }, error) != NULL &&
         vg_gl_check ("preparing the picture", error);
}

void
vg_pass_clear (VgPass *self)
{
  for (int i = 0; i < VG_PASS_N_VARIANTS; i++)
    if (self->programs[i].id != 0)
      glDeleteProgram (self->programs[i].id);
  if (self->vertex_array != 0)
    glDeleteVertexArrays (1, &self->vertex_array);
  if (self->colormap_texture != 0)
    glDeleteTextures (1, &self->colormap_texture);
  *self = (VgPass){ 0 };
}

static void
bind (int unit, GLuint texture)
{
  glActiveTexture (GL_TEXTURE0 + unit);
  glBindTexture (GL_TEXTURE_2D, texture);
}

static void
set_colormap (VgPass *self, const VgColormap *colormap)
{
  guint8 rgba[256][4];

  bind (2, self->colormap_texture);
  if (self->colormap == colormap)
    return;
  for (int i = 0; i < 256; i++)
    {
      memcpy (rgba[i], colormap->rgb[i], 3);
      rgba[i][3] = 255;
    }
  glTexImage2D (GL_TEXTURE_2D, 0, GL_RGBA8, 256, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
  self->colormap = colormap;
}

static void
set_coloring (const GLint *u, const VgColoring *coloring)
{
  double low, high;

  vg_coloring_limits (coloring, &low, &high);
  glUniform2f (u[U_LIMITS], (float) low, (float) high);
  glUniform1f (u[U_GAMMA], (float) coloring->gamma);
  glUniform1i (u[U_LOG_SCALE], coloring->log_scale);
  glUniform3f (u[U_INVALID_COLOR], coloring->invalid_rgb[0] / 255.f,
               coloring->invalid_rgb[1] / 255.f, coloring->invalid_rgb[2] / 255.f);
}

/* Width and height of the plane, or of a slice of a mosaic, as displayed. */
static void
seen_size (const VgScene *scene, const VgTexture *plane, int size[2])
{
  gboolean tiles = scene->mosaic.slices > 0;

  size[0] = tiles ? scene->mosaic.width : scene->swapped ? plane->height : plane->width;
  size[1] = tiles ? scene->mosaic.height : scene->swapped ? plane->width : plane->height;
}

static void
set_view (const GLint *u, const VgPane *pane, const VgTexture *plane)
{
  const VgScene *scene = &pane->scene;
  double whole_x = floor (CLAMP (scene->center_x, -1e9, 1e9)),
         whole_y = floor (CLAMP (scene->center_y, -1e9, 1e9));
  int size[2];

  seen_size (scene, plane, size);
  glUniform2i (u[U_SIZE], size[0], size[1]);
  glUniform1i (u[U_SWAPPED], scene->swapped);
  glUniform3i (u[U_MOSAIC], scene->mosaic.columns, scene->mosaic.slices, scene->mosaic.gap);
  glUniform1i (u[U_MIRRORED], plane->mirrored);
  glUniform2i (u[U_TURNED], scene->turned[0], scene->turned[1]);
  glUniform2f (u[U_VIEWPORT], pane->width, pane->height);
  glUniform2f (u[U_CORNER], pane->x, pane->y);
  vg_gl_set_disc (u[U_DISC], pane);
  glUniform2f (u[U_ZOOM], (float) scene->zoom, (float) vg_scene_zoom_y (scene));
  glUniform2i (u[U_CENTER_WHOLE], (int) whole_x, (int) whole_y);
  glUniform2f (u[U_CENTER_PART], (float) (scene->center_x - whole_x),
               (float) (scene->center_y - whole_y));
  glUniform3fv (u[U_BACKGROUND], 1, scene->background);
}

static void
set_extras (const GLint *u, const VgScene *scene, int n_isolines)
{
  float levels[G_N_ELEMENTS (scene->isolines)] = { 0 };
  double lowest = INFINITY;

  for (int i = 0; i < n_isolines; i++)
    {
      levels[i] = (float) (scene->coloring.log_scale ? log (scene->isolines[i])
                                                     : scene->isolines[i]);
      lowest = MIN (lowest, scene->isolines[i]);
    }
  glUniform1f (u[U_ISOLINE_FLOOR], (float) MAX (lowest / 10, FLT_MIN));
  glUniform1fv (u[U_ISOLINES], G_N_ELEMENTS (levels), levels);
  glUniform1i (u[U_N_ISOLINES], n_isolines);
  glUniform2f (u[U_BRIGHTNESS_LIMITS], (float) scene->brightness_low,
               (float) scene->brightness_high);
  glUniform1f (u[U_OPACITY], (float) scene->opacity);
}

/* A viewport pixel, limited to the range of an int. */
static int
to_pixel (double at)
{
  return (int) CLAMP (at, -1, 1 << 20);
}

/* Limits drawing to pixels that may show a sample: in a software renderer the background would cost
 * as much as the image. */
static void
clip_to_plane (const VgPane *pane, const VgTexture *plane)
{
  const VgScene *scene = &pane->scene;
  int width = pane->width, height = pane->height;
  gboolean tiles = scene->mosaic.slices > 0;
  double left = plane->mirrored ? -plane->width : 0;
  int size[2];
  seen_size (scene, plane, size);
  double right = tiles ? vg_mosaic_width (&scene->mosaic) : size[0],
         bottom = tiles ? vg_mosaic_height (&scene->mosaic) : size[1];
  int x0 = to_pixel (floor (0.5 * width + (left - scene->center_x) * scene->zoom));
  int x1 = to_pixel (ceil (0.5 * width + (right - scene->center_x) * scene->zoom));
  int y0 = to_pixel (floor (0.5 * height - scene->center_y * vg_scene_zoom_y (scene)));
  int y1 = to_pixel (ceil (0.5 * height + (bottom - scene->center_y) * vg_scene_zoom_y (scene)));

  /* the slide continues beside the plane: only pixels whose centre is inside the plane */
  if (scene->place.downsample > 0)
    {
      x0 = to_pixel (ceil (0.5 * width + (left - scene->center_x) * scene->zoom - 0.5));
      x1 = to_pixel (ceil (0.5 * width + (right - scene->center_x) * scene->zoom - 0.5));
      y0 = to_pixel (ceil (0.5 * height - scene->center_y * vg_scene_zoom_y (scene) - 0.5));
      y1 = to_pixel (
          ceil (0.5 * height + (bottom - scene->center_y) * vg_scene_zoom_y (scene) - 0.5));
    }
  glEnable (GL_SCISSOR_TEST);
  x0 = CLAMP (x0, 0, width);
  y0 = CLAMP (y0, 0, height);
  glScissor (pane->x + x0, pane->y + height - CLAMP (y1, y0, height), CLAMP (x1, x0, width) - x0,
             CLAMP (y1, y0, height) - y0);
}

static gboolean
same_size (const VgTexture *a, const VgTexture *b)
{
  return a->id != 0 && a->width == b->width && a->height == b->height;
}

gboolean
vg_pass_draw (VgPass *self, const VgPane *pane, const VgTexture *plane, const VgTexture *brightness,
              const VgTexture *under, GError **error)
{
  const VgScene *scene = &pane->scene;
  int n_isolines = CLAMP (scene->n_isolines, 0, (int) G_N_ELEMENTS (scene->isolines));
  Variant variant = { .sampling = MIN (scene->zoom, vg_scene_zoom_y (scene)) < 0.999 ? 2
                                  : scene->smooth                                    ? 1
                                                                                     : 0,
                      .isolines = n_isolines > 0 };
  VgPassProgram *program;

  variant.brightness = scene->brightness && same_size (brightness, plane);
  variant.underlay = scene->underlay && same_size (under, plane);
  variant.mosaic = scene->mosaic.slices > 0;
  program = get_program (self, variant, error);
  if (program == NULL)
    return FALSE;
  glUseProgram (program->id);
  set_colormap (self, scene->coloring.colormap);
  set_coloring (program->uniforms, &scene->coloring);
  set_view (program->uniforms, pane, plane);
  set_extras (program->uniforms, scene, n_isolines);
  glUniform1i (program->uniforms[U_SKIP_ZERO], variant.underlay && scene->skip_zero);
  glUniform1i (program->uniforms[U_SEE_THROUGH], variant.underlay && scene->see_through);
  bind (3, variant.underlay ? under->id : plane->id);
  bind (1, variant.brightness ? brightness->id : plane->id);
  bind (0, plane->id);
  clip_to_plane (pane, plane);
  if (variant.underlay && scene->see_through)
    {
      glEnable (GL_BLEND);
      glBlendFuncSeparate (GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    }
  glBindVertexArray (self->vertex_array);
  glDrawArrays (GL_TRIANGLES, 0, 3);
  glDisable (GL_SCISSOR_TEST);
  glDisable (GL_BLEND);
  glBindVertexArray (0);
  glUseProgram (0);
  return TRUE;
}
