/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include <string.h>
/* Little-endian numbers at any address, aligned or not. */
G_BEGIN_DECLS

static inline guint16
vg_get_u16 (const guint8 *bytes)
{
  return (guint16) (bytes[0] | bytes[1] << 8);
}

static inline guint32
vg_get_u32 (const guint8 *bytes)
{
  return (guint32) vg_get_u16 (bytes) | (guint32) vg_get_u16 (bytes + 2) << 16;
}

static inline guint64
vg_get_u64 (const guint8 *bytes)
{
  return (guint64) vg_get_u32 (bytes) | (guint64) vg_get_u32 (bytes + 4) << 32;
}

static inline gint16
vg_get_i16 (const guint8 *bytes)
{
  return (gint16) vg_get_u16 (bytes);
}

static inline gint32
vg_get_i32 (const guint8 *bytes)
{
  return (gint32) vg_get_u32 (bytes);
}

static inline float
vg_get_f32 (const guint8 *bytes)
{
  guint32 bits = vg_get_u32 (bytes);
  float value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

static inline double
vg_get_f64 (const guint8 *bytes)
{
  guint64 bits = vg_get_u64 (bytes);
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

G_END_DECLS
