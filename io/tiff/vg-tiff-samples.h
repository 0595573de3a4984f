/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
/* Conversion of the samples that libtiff decodes (in the byte order of this machine, integers of 1
 * to 15 bits packed) to the four sample types of the program. */
G_BEGIN_DECLS

typedef struct _VgTiffSamples VgTiffSamples;
struct _VgTiffSamples
{
  VgType type;      /* after conversion */
  guint bits;       /* before conversion */
  gboolean plain;   /* no conversion is needed */
  gboolean packed;  /* samples do not begin at bytes, so steps must be 1 */
  const char *note; /* describes the conversion; or NULL */
  void (*convert) (const VgTiffSamples *self, const void *from, gsize from_step, void *to,
                   gsize to_step, gsize n);
};

/* FORMAT is the SampleFormat tag; FALSE: such samples are not supported. */
gboolean vg_tiff_samples_init (VgTiffSamples *self, guint bits, guint format);
/* Inverts integer samples, for pages whose lowest value is white. */
void vg_tiff_samples_invert (const VgTiffSamples *self, void *samples, gsize n);
/* Bits that the largest of N integer samples needs. */
int vg_tiff_samples_bits_used (VgType type, const void *samples, gsize n);

G_END_DECLS
