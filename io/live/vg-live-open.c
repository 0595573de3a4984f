/* SPDX-License-Identifier: MIT */
/* The drivers of live sources, and the opening of an address. */
#include "io/live/vg-live-private.h"
#include <string.h>
#include "kernels/core/vg-module.h"
#include "vg-config.h"

/* A driver, in the program or in a module that is loaded when it is first needed. */
typedef struct
{
  const char *scheme;
  const VgLiveDriver *own; /* NULL: in a module */
  const char *module, *advice;
} Entry;

static const Entry entries[] = {
  { "shm", &vg_shm_driver, NULL, NULL },
  { "watch", &vg_watch_driver, NULL, NULL },
  { "test", &vg_simulated_driver, NULL, NULL },
  { "igtl", &vg_igtl_driver, NULL, NULL },
  { "igtl-listen", &vg_igtl_listen_driver, NULL, NULL },
  { "gst", NULL, "vivograph-gst.so",
    "the GStreamer module is not installed; install libgstreamer-plugins-base1.0-dev and build "
    "Vivograph again" },
  { "camera", NULL, "vivograph-camera.so",
    "the camera module is not installed; install libaravis-dev and libusb-1.0-0-dev, and build "
    "Vivograph again" },
};

typedef struct
{
  const VgLiveDriver *driver;
  char *reason; /* why there is none */
} Loaded;

/* The entry whose scheme TEXT begins with, or NULL. */
static const Entry *
find_entry (const char *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      gsize length = strlen (entries[i].scheme);

      if (strncmp (text, entries[i].scheme, length) == 0 && text[length] == ':')
        return &entries[i];
    }
  return NULL;
}

static void
load (const Entry *entry, Loaded *loaded)
{
  g_autofree char *path = NULL;
  const VgLiveDriver *(*symbol) (void) = (const VgLiveDriver *(*) (void) ) vg_module_open (
      entry->module, VG_BUILD_IO_DIR, "vg_live_module", &path, &loaded->reason);
  const VgLiveDriver *driver = symbol != NULL ? symbol () : NULL;

  if (driver != NULL && driver->abi == VG_LIVE_ABI)
    loaded->driver = driver;
  else if (driver != NULL)
    loaded->reason = g_strdup_printf (
        "%s has version %d, but Vivograph needs version %d; install both together", path,
        driver->abi, VG_LIVE_ABI);
  else if (loaded->reason == NULL)
    loaded->reason = g_strdup (entry->advice);
}

/* The driver of ENTRY; NULL and *REASON: its module cannot be used.  A module is tried once. */
static const VgLiveDriver *
get_driver (const Entry *entry, const char **reason)
{
  static GMutex lock;
  static Loaded all[G_N_ELEMENTS (entries)];
  Loaded *loaded = &all[entry - entries];
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  if (entry->own != NULL)
    return entry->own;
  if (loaded->driver == NULL && loaded->reason == NULL)
    load (entry, loaded);
  *reason = loaded->reason;
  return loaded->driver;
}

gboolean
vg_live_is_address (const char *text)
{
  return find_entry (text) != NULL && !g_file_test (text, G_FILE_TEST_EXISTS);
}

gboolean
vg_live_sends_images (const char *address)
{
  return vg_live_is_address (address) && !g_str_has_prefix (address, "watch:");
}

gboolean
vg_live_is_same_device (const char *a, const char *b)
{
  g_autofree char *first = vg_live_address_device (a), *second = vg_live_address_device (b);

  return find_entry (a) != NULL && g_str_equal (first, second);
}

void
vg_live_list (VgLiveFound found, VgLiveFound missing, gpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      const char *reason = NULL;
      const VgLiveDriver *driver = get_driver (&entries[i], &reason);
      g_autoptr (GError) error = NULL;

      if (driver == NULL)
        missing (entries[i].scheme, reason, data);
      else if (driver->list != NULL && !driver->list (found, data, &error))
        missing (entries[i].scheme, error->message, data);
    }
}

VgSource *
vg_live_open (const char *address, const VgSourceOptions *options, GError **error)
{
  static const VgSourceOptions no_options = { 0 };
  const Entry *entry = find_entry (address);
  const VgLiveDriver *driver;
  const char *reason = NULL;
  g_autofree char *name = g_utf8_make_valid (address, -1);
  VgLiveRequest request = { .name = name, .options = options != NULL ? options : &no_options };
  g_auto (VgReadOptions) read_options = { 0 };
  g_autoptr (VgSource) source = NULL;

  g_return_val_if_fail (entry != NULL, NULL);
  driver = get_driver (entry, &reason);
  if (driver == NULL)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot open \"%s\": %s", name, reason);
      return NULL;
    }
  if (!vg_read_options_parse (&read_options, request.options->read_options, error))
    return NULL;
  request.address = address + strlen (entry->scheme) + 1;
  if (*request.address == '\0')
    {
      g_set_error (error, VG_USAGE_ERROR, 0, "\"%s\" does not name a source; write %s:NAME", name,
                   entry->scheme);
      return NULL;
    }
  source = driver->open (&request, error);
  return source != NULL && vg_source_apply_read_options (source, &read_options, FALSE, error)
             ? g_steal_pointer (&source)
             : NULL;
}
