/* SPDX-License-Identifier: MIT */
/* Any bytes as what a peer sends to the receiver of DICOM images: after an association that is in
 * order if the first byte is odd, else from the beginning. */
#include "io/dicom/receive/vg-dicom-peer.h"
#include "tests/fuzz/fuzz.h"
#include <glib/gstdio.h>

/* A request with the contexts 1, verification, and 3, MR, in implicit VR. */
static const guint8 request[] = "\1\0\0\0\0\xb8\0\1\0\0ANY-SCP         SCANNER         "
                                "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                                "\x20\0\0\x2e\1\0\0\0\x30\0\0\x11"
                                "1.2.840.10008.1.1\x40\0\0\x11"
                                "1.2.840.10008.1.2"
                                "\x20\0\0\x36\3\0\0\0\x30\0\0\x19"
                                "1.2.840.10008.5.1.4.1.1.4\x40\0\0\x11"
                                "1.2.840.10008.1.2"
                                "\x50\0\0\4\x51\0\0\0";

static void
empty_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
}

void
fuzz_one (const guint8 *data, gsize size)
{
  enum { MOST_BYTES = 1 << 20, PIECE = 97 };
  const char *folder = fuzz_folder ();
  VgDicomStore *store = vg_dicom_store_new (folder, MOST_BYTES, NULL);
  g_autoptr (GByteArray) answer = g_byte_array_new ();
  gboolean goes_on = TRUE;
  VgDicomPeer *peer;

  fuzz_require (store != NULL, "there is no folder");
  peer = vg_dicom_peer_new (store);
  if (size > 0 && data[0] % 2 == 1)
    {
      goes_on = vg_dicom_peer_take (peer, request, sizeof request - 1, answer);
      fuzz_require (goes_on && answer->data[0] == VG_DICOM_ACCEPT, "the request is refused");
    }
  for (gsize at = 1; goes_on && at < size; at += PIECE)
    goes_on = vg_dicom_peer_take (peer, data + at, MIN (PIECE, size - at), answer);
  vg_dicom_peer_free (peer);
  vg_dicom_store_free (store);
  empty_folder (folder);
}
