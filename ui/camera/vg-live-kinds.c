/* SPDX-License-Identifier: MIT */
#include "ui/camera/vg-live-kinds.h"
#include "ui/words/vg-translation.h"

static const VgLiveKind kinds[] = {
  { "shm:", "shm:NAME", N_ ("a program on this computer"),
    N_ ("Start the program that sends the frames.") },
  { "watch:", "watch:FOLDER", N_ ("a folder into which files are written"),
    N_ ("Check that files in a supported format are written into this folder.") },
  { "igtl-listen:", "igtl-listen://PORT", N_ ("a program that connects with OpenIGTLink"),
    N_ ("Connect the program that sends images to this port.") },
  { "igtl:", "igtl://HOST:PORT", N_ ("a program with OpenIGTLink"),
    N_ ("Check that the program at this address is running and sends images.") },
  { "gst:", "gst:PIPELINE", N_ ("video through GStreamer"),
    N_ ("Check that the device is connected and switched on.") },
  { "camera:", "camera:ID", N_ ("a camera with GenICam"),
    N_ ("Check that the camera is connected and switched on, and check its trigger.") },
  { "test:", "test:speckle", N_ ("the simulated camera"), NULL },
};

const VgLiveKind *
vg_live_kinds (guint *n)
{
  *n = G_N_ELEMENTS (kinds);
  return kinds;
}

const VgLiveKind *
vg_live_kind_of (const char *address)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_has_prefix (address, kinds[i].scheme))
      return &kinds[i];
  return NULL;
}
