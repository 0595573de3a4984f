/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Packed samples of cameras, as 16-bit integers. */
G_BEGIN_DECLS

typedef enum {
  VG_PACKING_NONE,
  VG_PACKING_10P,     /* PFNC Mono10p: the bits of all samples one after the other, lowest first */
  VG_PACKING_12P,     /* PFNC Mono12p */
  VG_PACKING_10_GIGE, /* GigE Vision Mono10Packed: two samples in three bytes, high bits outside */
  VG_PACKING_12_GIGE, /* GigE Vision Mono12Packed */
} VgPacking;

/* The bytes that N samples take; N is at most 2^40. */
gsize vg_packed_bytes (VgPacking packing, gsize n);
/* Unpacks N samples from the vg_packed_bytes of FROM. */
void vg_unpack (VgPacking packing, const guint8 *from, guint16 *to, gsize n);

G_END_DECLS
