/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
/* The samples of a TIFF page as libtiff hands them out (this machine's byte
 * order, 1 to 15-bit integers packed), and their way into the four types the
 * program knows. */
G_BEGIN_DECLS

typedef struct _VgTiffSamples VgTiffSamples;
struct _VgTiffSamples
{
  VgType type;      /* what they become */
  guint bits;       /* what they are */
  gboolean plain;   /* a copy will do */
  gboolean packed;  /* not on byte boundaries: only step 1 */
  const char *note; /* what the conversion does, or NULL */
  void (*convert) (const VgTiffSamples *self, const void *from, gsize from_step, void *to,
                   gsize to_step, gsize n);
};

/* FORMAT as in the SampleFormat tag; FALSE: no such samples here. */
gboolean vg_tiff_samples_init (VgTiffSamples *self, guint bits, guint format);
/* Integers counted down from the largest: min-is-white pages. */
void vg_tiff_samples_invert (const VgTiffSamples *self, void *samples, gsize n);
/* Bits that the largest of N integer samples takes. */
int vg_tiff_samples_bits_used (VgType type, const void *samples, gsize n);

G_END_DECLS
