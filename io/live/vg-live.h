/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-source.h"
/* Live sources: cameras, streams and other programs that deliver frames as they come.  Each is a
 * VgSource without an end, named by an address such as "shm:NAME"; the part before the colon
 * chooses its driver.
 *
 * A live source does not end when its device becomes unavailable: its status reports this, and it
 * waits until the device is back.  It ends with VG_IO_ERROR_STREAM if the size or the type of the
 * frames changes, because the engine could not use them. */
G_BEGIN_DECLS

/* What a driver is asked to open. */
typedef struct
{
  const char *address; /* the part after the colon */
  const char *name;    /* for messages: the whole address */
  const VgSourceOptions *options;
} VgLiveRequest;

typedef void (*VgLiveFound) (const char *address, const char *description, gpointer data);

typedef struct
{
  int abi;            /* VG_LIVE_ABI of the module that holds the driver */
  const char *scheme; /* "shm" */
  /* VG_IO_ERROR_LATER: there is nothing to open yet.  A driver that waits ends with
   * G_IO_ERROR_CANCELLED when the thread's g_cancellable_get_current is cancelled. */
  VgSource *(*open) (const VgLiveRequest *request, GError **error);
  /* Calls FOUND for every connected device; NULL: the driver cannot list them. */
  gboolean (*list) (VgLiveFound found, gpointer data, GError **error);
} VgLiveDriver;

enum { VG_LIVE_ABI = 7 };

/* TRUE: TEXT is the address of a live source, and no file has that name. */
gboolean vg_live_is_address (const char *text);
/* TRUE: the frames of ADDRESS are grey or colour images, as those of all sources but watched
 * folders are, whose files may be of any kind. */
gboolean vg_live_sends_images (const char *address);
/* TRUE: A and B are addresses of the same device, perhaps with other settings. */
gboolean vg_live_is_same_device (const char *a, const char *b);
/* Opens the live source ADDRESS.  VG_IO_ERROR_LATER: it has nothing to deliver yet, such as a
 * watched folder without a file; try again.  OPTIONS may be NULL. */
VgSource *vg_live_open (const char *address, const VgSourceOptions *options, GError **error);
/* Calls FOUND for every device of every driver, and MISSING for a driver that cannot list its
 * devices, with its scheme and the reason. */
void vg_live_list (VgLiveFound found, VgLiveFound missing, gpointer data);

G_END_DECLS
