/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
/* Where a peer of OpenIGTLink is: //HOST:PORT/DEVICE to connect to, or //[HOST:]PORT/DEVICE to
 * listen at, on this computer alone unless HOST says otherwise.  PORT is 18944 if it is left out.
 */
G_BEGIN_DECLS

enum { VG_IGTL_PORT = 18944 };

typedef struct
{
  char *host; /* to listen at or to connect to */
  guint16 port;
  char *device; /* of the images that are read; NULL: of the first that comes */
  gboolean listens;
} VgIgtlAddress;

/* Reads TEXT, which follows the scheme and its colon.  NAME: the whole address, for messages.
 * FALSE and VG_USAGE_ERROR: it is none. */
gboolean vg_igtl_address_parse (VgIgtlAddress *self, const char *text, gboolean listens,
                                const char *name, GError **error);
/* The same of a whole address, igtl://... or igtl-listen://... */
gboolean vg_igtl_address_parse_whole (VgIgtlAddress *self, const char *name, GError **error);
/* The same, of an address to which maps are sent, which names no device. */
gboolean vg_igtl_address_parse_to_send (VgIgtlAddress *self, const char *name, GError **error);
void vg_igtl_address_clear (VgIgtlAddress *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (VgIgtlAddress, vg_igtl_address_clear)

/* A socket that does not block: one that accepts peers, or is connected to one.  NULL and
 * VG_IO_ERROR_OPEN, or G_IO_ERROR_CANCELLED. */
GSocket *vg_igtl_listen (const VgIgtlAddress *self, GError **error);
GSocket *vg_igtl_connect (const VgIgtlAddress *self, GCancellable *cancellable, GError **error);
/* The next peer that has connected to LISTENER, or NULL. */
GSocket *vg_igtl_accept (GSocket *listener);

G_END_DECLS
