/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The newest 256 measurements of one kind, their quantiles and their rate. */
G_BEGIN_DECLS

enum { VG_MEASURED = 256 };

typedef struct
{
  double values[VG_MEASURED];
  guint64 n; /* ever added */
} VgMeasured;

void vg_measured_add (VgMeasured *self, double value);
/* The value below which a fraction Q lies; 0 when there is none. */
double vg_measured_quantile (const VgMeasured *self, double q);
/* Taken as times in seconds: events per second over the last two seconds
 * before NOW, fewer when 256 events were closer together. */
double vg_measured_rate (const VgMeasured *self, double now);

G_END_DECLS
