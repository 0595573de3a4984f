/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The tags of a PicoQuant .ptu file that matter for a picture of decays. */
G_BEGIN_DECLS

typedef struct
{
  guint record_type;
  gint64 data, records; /* where the records begin, and how many there are */
  gint64 announced;     /* more than there are: the file was broken off; 0: it was not */
  gboolean image;
  int width, height;
  guint line_start, line_stop, frame; /* marker bits; 0: not marked */
  gboolean bidirectional;
  /* part of the sine's amplitude that the scan uses; 0: a linear scan */
  double sine;
  double pixel_um, pixel_time_s;
  double bin_s, period_s; /* 0: not said */
  char instrument[24];
} VgPtuHeader;

gboolean vg_ptu_detect (const guint8 *head, gsize length, gint64 size);
/* FALSE and error: damaged, T2 data, or records of a kind not known. */
gboolean vg_ptu_header_read (VgPtuHeader *self, int fd, const char *name, gint64 size,
                             GError **error);

G_END_DECLS
