/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The tags of a PicoQuant .ptu file that are needed for an image of decays. */
G_BEGIN_DECLS

typedef struct
{
  guint record_type;
  gint64 data, records; /* offset of the records, bytes; their number */
  gint64 announced;     /* number of records by the header, if the file is cut short; else 0 */
  gboolean image;
  int width, height;
  guint line_start, line_stop, frame; /* marker bits; 0: no such marker */
  gboolean bidirectional;
  /* fraction of the amplitude that a sinusoidal scan uses; 0: a linear scan */
  double sine;
  double pixel_um, pixel_time_s;
  double bin_s, period_s; /* bin width and laser period; 0: not in the file */
  char instrument[24];
} VgPtuHeader;

gboolean vg_ptu_detect (const guint8 *head, gsize length, gint64 size);
/* FALSE and an error: the file is damaged, or has T2 data or an unknown type of record. */
gboolean vg_ptu_header_read (VgPtuHeader *self, int fd, const char *name, gint64 size,
                             GError **error);

G_END_DECLS
