/* SPDX-License-Identifier: MIT */
/* The drivers of live sources, and the opening of an address. */
#include "io/live/vg-live-private.h"
#include <string.h>

static const VgLiveDriver *const drivers[] = { &vg_shm_driver, &vg_watch_driver };

/* The driver whose scheme TEXT begins with, or NULL. */
static const VgLiveDriver *
find_driver (const char *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (drivers); i++)
    {
      gsize length = strlen (drivers[i]->scheme);

      if (strncmp (text, drivers[i]->scheme, length) == 0 && text[length] == ':')
        return drivers[i];
    }
  return NULL;
}

gboolean
vg_live_is_address (const char *text)
{
  return find_driver (text) != NULL && !g_file_test (text, G_FILE_TEST_EXISTS);
}

VgSource *
vg_live_open (const char *address, const VgSourceOptions *options, GError **error)
{
  static const VgSourceOptions no_options = { 0 };
  const VgLiveDriver *driver = find_driver (address);
  g_autofree char *name = g_utf8_make_valid (address, -1);
  VgLiveRequest request = { .name = name, .options = options != NULL ? options : &no_options };
  g_auto (VgReadOptions) read_options = { 0 };
  g_autoptr (VgSource) source = NULL;

  g_return_val_if_fail (driver != NULL, NULL);
  if (!vg_read_options_parse (&read_options, request.options->read_options, error))
    return NULL;
  request.address = address + strlen (driver->scheme) + 1;
  if (*request.address == '\0')
    {
      g_set_error (error, VG_USAGE_ERROR, 0, "\"%s\" names no source; write it like %s:NAME", name,
                   driver->scheme);
      return NULL;
    }
  source = driver->open (&request, error);
  return source != NULL && vg_source_apply_read_options (source, &read_options, FALSE, error)
             ? g_steal_pointer (&source)
             : NULL;
}
