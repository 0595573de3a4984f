/* SPDX-License-Identifier: MIT */
#include "io/movie/vg-movie-file.h"
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"
#include "kernels/core/vg-module.h"
#include "vg-config.h"

struct _VgMovieFile
{
  const VgMovieModule *module;
  VgOutputFile *output;
  char *name; /* for messages */
  VgMovieFormat format;
  gpointer movie; /* of the module; NULL: not started, or finished */
};

gboolean
vg_movie_format_of (const char *path, VgMovieFormat *format, GError **error)
{
  static const char *const endings[] = {
    [VG_MOVIE_WEBM] = ".webm", [VG_MOVIE_MP4] = ".mp4", [VG_MOVIE_AVI] = ".avi"
  };
  g_autofree char *lower = g_ascii_strdown (path, -1), *quoted = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (lower, endings[i]))
      {
        *format = (VgMovieFormat) i;
        return TRUE;
      }
  quoted = vg_text_quote (path);
  g_set_error (error, VG_USAGE_ERROR, 0,
               "the movie %s has no known format; let its name end in .webm, .mp4 or .avi", quoted);
  return FALSE;
}

typedef struct
{
  const VgMovieModule *module;
  char *reason; /* why there is none */
} Loaded;

static void
load (Loaded *loaded)
{
  g_autofree char *path = NULL;
  const VgMovieModule *(*symbol) (void) = (const VgMovieModule *(*) (void) ) vg_module_open (
      "vivograph-movie.so", VG_BUILD_IO_DIR, "vg_movie_module", &path, &loaded->reason);
  const VgMovieModule *module = symbol != NULL ? symbol () : NULL;

  if (module != NULL && module->abi == VG_MOVIE_ABI)
    loaded->module = module;
  else if (module != NULL)
    loaded->reason = g_strdup_printf (
        "%s has version %d, but Vivograph needs version %d; install both together", path,
        module->abi, VG_MOVIE_ABI);
  else if (loaded->reason == NULL)
    loaded->reason = g_strdup ("Vivograph was built without GStreamer; install "
                               "libgstreamer-plugins-base1.0-dev and build Vivograph again");
}

/* The module, which is tried once; NULL and an error: it cannot be used. */
static const VgMovieModule *
get_module (const char *name, GError **error)
{
  static GMutex lock;
  static Loaded loaded;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  if (loaded.module == NULL && loaded.reason == NULL)
    load (&loaded);
  if (loaded.module == NULL)
    g_set_error (error, VG_USAGE_ERROR, 0, "the movie \"%s\" cannot be made: %s", name,
                 loaded.reason);
  return loaded.module;
}

VgMovieFile *
vg_movie_file_new (const char *path, GError **error)
{
  g_autoptr (VgMovieFile) self = g_new0 (VgMovieFile, 1);

  self->name = g_filename_display_name (path);
  if (!vg_movie_format_of (path, &self->format, error))
    return NULL;
  self->module = get_module (self->name, error);
  if (self->module == NULL || !self->module->check (self->format, error))
    return NULL;
  self->output = vg_output_file_new (path, error);
  return self->output != NULL ? g_steal_pointer (&self) : NULL;
}

static void
stop (VgMovieFile *self)
{
  if (self->movie != NULL)
    self->module->free (g_steal_pointer (&self->movie));
}

gboolean
vg_movie_file_start (VgMovieFile *self, int width, int height, double fps, VgMovieQuality quality,
                     GError **error)
{
  const VgMovieTarget target = { .path = vg_output_file_temporary (self->output),
                                 .name = self->name,
                                 .format = self->format,
                                 .quality = quality,
                                 .width = width,
                                 .height = height,
                                 .fps = fps };

  stop (self);
  self->movie = self->module->open (&target, error);
  return self->movie != NULL;
}

gboolean
vg_movie_file_add (VgMovieFile *self, const guint8 *rgba, GError **error)
{
  g_return_val_if_fail (self->movie != NULL, FALSE);
  return self->module->add (self->movie, rgba, error);
}

gboolean
vg_movie_file_finish (VgMovieFile *self, GError **error)
{
  gboolean ok;

  g_return_val_if_fail (self->movie != NULL, FALSE);
  ok = self->module->finish (self->movie, error);
  stop (self);
  return ok;
}

gboolean
vg_movie_file_commit (VgMovieFile *self, GError **error)
{
  g_return_val_if_fail (self->movie == NULL, FALSE);
  return vg_output_file_commit (self->output, error);
}

void
vg_movie_file_free (VgMovieFile *self)
{
  if (self == NULL)
    return;
  stop (self);
  vg_output_file_free (self->output);
  g_free (self->name);
  g_free (self);
}
