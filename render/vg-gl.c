/* SPDX-License-Identifier: MIT */
/* GLEW under GTK and EGL.  glewInit() loads every entry point and then, where
 * there is no GLX display (Wayland, EGL), still returns NO_GLX_DISPLAY: that
 * is a success too, and the version is checked here. */
#include "render/vg-gl.h"
#include "render/vg-renderer.h"

G_DEFINE_QUARK (vg - render - error - quark, vg_render_error)

void
vg_gl_clear_errors (void)
{
  /* Bounded: a lost context may report errors for ever. */
  for (int i = 0; i < 64 && glGetError () != GL_NO_ERROR; i++)
    ;
}

gboolean
vg_gl_init (GError **error)
{
  GLenum status;
  GLint major = 0, minor = 0;
  const char *version;

  glewExperimental = GL_TRUE;
  status = glewInit ();
  if (status != GLEW_OK && status != GLEW_ERROR_NO_GLX_DISPLAY)
    {
      g_set_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_ABSENT,
                   "OpenGL can't be loaded (GLEW status %u); install a driver with OpenGL 3.3",
                   status);
      return FALSE;
    }
  vg_gl_clear_errors ();
  version = (const char *) glGetString (GL_VERSION);
  glGetIntegerv (GL_MAJOR_VERSION, &major);
  glGetIntegerv (GL_MINOR_VERSION, &minor);
  vg_gl_clear_errors ();
  if (version == NULL || g_str_has_prefix (version, "OpenGL ES") || major * 10 + minor < 33 ||
      glGenVertexArrays == NULL || glMapBufferRange == NULL)
    {
      g_set_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_ABSENT,
                   "OpenGL 3.3 is needed, this display offers %s; start with "
                   "GDK_DEBUG=gl-prefer-gl or update the driver",
                   version != NULL ? version : "none");
      return FALSE;
    }
  return TRUE;
}

const char *
vg_gl_renderer_name (void)
{
  const char *name = (const char *) glGetString (GL_RENDERER);

  return name != NULL ? name : "unknown OpenGL renderer";
}

static GLuint
compile (GLenum kind, const char *defines, const char *source, GError **error)
{
  const char *const parts[] = { "#version 330 core\n", defines, source };
  GLuint shader = glCreateShader (kind);
  GLint ok = GL_FALSE;

  glShaderSource (shader, G_N_ELEMENTS (parts), parts, NULL);
  glCompileShader (shader);
  glGetShaderiv (shader, GL_COMPILE_STATUS, &ok);
  if (!ok)
    {
      char log[1024] = "";

      glGetShaderInfoLog (shader, sizeof log, NULL, log);
      g_set_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_FAILED, "%s refuses a shader: %s",
                   vg_gl_renderer_name (), g_strstrip (log));
      glDeleteShader (shader);
      return 0;
    }
  return shader;
}

GLuint
vg_gl_program (const char *vertex, const char *defines, const char *fragment, GError **error)
{
  GLuint shaders[2], program;
  GLint ok = GL_FALSE;

  shaders[0] = compile (GL_VERTEX_SHADER, "", vertex, error);
  if (shaders[0] == 0)
    return 0;
  shaders[1] = compile (GL_FRAGMENT_SHADER, defines, fragment, error);
  if (shaders[1] == 0)
    {
      glDeleteShader (shaders[0]);
      return 0;
    }
  program = glCreateProgram ();
  for (int i = 0; i < 2; i++)
    {
      glAttachShader (program, shaders[i]);
      glDeleteShader (shaders[i]);
    }
  glLinkProgram (program);
  glGetProgramiv (program, GL_LINK_STATUS, &ok);
  if (!ok)
    {
      char log[1024] = "";

      glGetProgramInfoLog (program, sizeof log, NULL, log);
      g_set_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_FAILED,
                   "%s refuses to link the shaders: %s", vg_gl_renderer_name (), g_strstrip (log));
      glDeleteProgram (program);
      return 0;
    }
  return program;
}

gboolean
vg_gl_check (const char *what, GError **error)
{
  GLenum code = glGetError ();

  if (code == GL_NO_ERROR)
    return TRUE;
  vg_gl_clear_errors ();
  if (code == GL_OUT_OF_MEMORY)
    g_set_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_MEMORY,
                 "%s: the graphics memory of %s is full", what, vg_gl_renderer_name ());
  else
    g_set_error (error, VG_RENDER_ERROR, VG_RENDER_ERROR_FAILED, "%s: OpenGL error 0x%04x from %s",
                 what, code, vg_gl_renderer_name ());
  return FALSE;
}

void
vg_gl_set_disc (GLint uniform, const VgPane *pane)
{
  float all = pane->round ? 1 : 1e9f;

  glUniform4f (uniform, pane->x + 0.5f * pane->width, pane->y + 0.5f * pane->height,
               0.5f * pane->width * all, 0.5f * pane->height * all);
}
