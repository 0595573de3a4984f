/* SPDX-License-Identifier: MIT */
/* A GL context without a display server.  EGL and CUDA number their devices
 * differently, so the EGL device is chosen whose CUDA ordinal is the one in
 * use and that CUDA then also accepts; after that any device that gives
 * OpenGL 3.3, after that Mesa's surfaceless platform. */
#include "render/vg-gl.h"
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include "render/vg-renderer.h"

enum { MAX_DEVICES = 32 };

struct _VgHeadless
{
  EGLDisplay display;
  EGLContext context;
};

typedef struct
{
  PFNEGLGETPLATFORMDISPLAYEXTPROC get_platform_display;
  PFNEGLQUERYDEVICESEXTPROC query_devices;
  PFNEGLQUERYDEVICEATTRIBEXTPROC query_device_attrib;
} EglFunctions;

static void
close_context (VgHeadless *self)
{
  if (self->display == EGL_NO_DISPLAY)
    return;
  eglMakeCurrent (self->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  if (self->context != EGL_NO_CONTEXT)
    eglDestroyContext (self->display, self->context);
  eglTerminate (self->display);
  self->display = EGL_NO_DISPLAY;
  self->context = EGL_NO_CONTEXT;
}

/* Makes a context on DISPLAY current; FALSE leaves nothing open. */
static gboolean
open_context (VgHeadless *self, EGLDisplay display, GError **error)
{
  static const EGLint attributes[] = {
    EGL_CONTEXT_MAJOR_VERSION,
    3,
    EGL_CONTEXT_MINOR_VERSION,
    3,
    EGL_CONTEXT_OPENGL_PROFILE_MASK,
    EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
    EGL_NONE,
  };

  if (display == EGL_NO_DISPLAY || !eglInitialize (display, NULL, NULL))
    {
      g_set_error_literal (
          error, VG_RENDER_ERROR, VG_RENDER_ERROR_ABSENT,
          "EGL finds no device to draw on; install libegl1 and a driver with OpenGL 3.3");
      return FALSE;
    }
  self->display = display;
  self->context = EGL_NO_CONTEXT;
  if (eglBindAPI (EGL_OPENGL_API))
    self->context = eglCreateContext (display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
  if (self->context == EGL_NO_CONTEXT ||
      !eglMakeCurrent (display, EGL_NO_SURFACE, EGL_NO_SURFACE, self->context))
    {
      g_set_error (
          error, VG_RENDER_ERROR, VG_RENDER_ERROR_ABSENT,
          "EGL gives no OpenGL 3.3 context (error 0x%04x); install a driver with OpenGL 3.3",
          eglGetError ());
      close_context (self);
      return FALSE;
    }
  if (vg_gl_init (error))
    return TRUE;
  close_context (self);
  return FALSE;
}

static gboolean
drives_cuda (const VgCuda *cuda)
{
  return cuda->gl_device (NULL) >= 0;
}

/* The device of CUDA ordinal WANTED; -1: any device. */
static gboolean
open_device (VgHeadless *self, const EglFunctions *egl, const VgCuda *cuda, int wanted,
             GError **error)
{
  EGLDeviceEXT devices[MAX_DEVICES];
  EGLint n = 0;

  if (egl->get_platform_display == NULL || egl->query_devices == NULL ||
      !egl->query_devices (MAX_DEVICES, devices, &n))
    return FALSE;
  for (EGLint i = 0; i < n; i++)
    {
      EGLAttrib ordinal = -1;

      if (wanted >= 0 && (egl->query_device_attrib == NULL ||
                          !egl->query_device_attrib (devices[i], EGL_CUDA_DEVICE_NV, &ordinal) ||
                          ordinal != wanted))
        continue;
      g_clear_error (error);
      if (!open_context (
              self, egl->get_platform_display (EGL_PLATFORM_DEVICE_EXT, devices[i], NULL), error))
        continue;
      if (wanted < 0 || drives_cuda (cuda))
        return TRUE;
      close_context (self);
    }
  return FALSE;
}

/* A current OpenGL 3.3 core context of its own; VG_RENDER_ERROR_ABSENT when
 * there is none to be had. */
VgHeadless *
vg_headless_new (GError **error)
{
  const VgCuda *cuda = vg_cuda_get (NULL);
  EglFunctions egl = {
    (PFNEGLGETPLATFORMDISPLAYEXTPROC) eglGetProcAddress ("eglGetPlatformDisplayEXT"),
    (PFNEGLQUERYDEVICESEXTPROC) eglGetProcAddress ("eglQueryDevicesEXT"),
    (PFNEGLQUERYDEVICEATTRIBEXTPROC) eglGetProcAddress ("eglQueryDeviceAttribEXT"),
  };
  g_autoptr (GError) why = NULL;
  VgHeadless *self = g_new0 (VgHeadless, 1);

  self->display = EGL_NO_DISPLAY;
  if ((cuda != NULL && open_device (self, &egl, cuda, 0, &why)) ||
      open_device (self, &egl, NULL, -1, &why))
    return self;
  g_clear_error (&why);
  if (open_context (
          self,
          egl.get_platform_display != NULL
              ? egl.get_platform_display (EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL)
              : eglGetDisplay (EGL_DEFAULT_DISPLAY),
          &why))
    return self;
  g_propagate_error (error, g_steal_pointer (&why));
  g_free (self);
  return NULL;
}

void
vg_headless_free (VgHeadless *self)
{
  if (self == NULL)
    return;
  close_context (self);
  g_free (self);
}
