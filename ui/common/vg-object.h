/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib-object.h>
/* What nearly every widget does with signals and references. */

/* Defines signal NAME of TYPE, without a return value.  The number of its arguments and their types
 * follow. */
#define vg_signal_new(type, name, ...)                                                             \
  g_signal_new (name, type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, __VA_ARGS__)

/* Calls CALLBACK (SELF, arguments of the signal) until SELF is finalised. */
#define vg_connect(object, name, callback, self)                                                   \
  g_signal_connect_object (object, name, G_CALLBACK (callback), self, G_CONNECT_SWAPPED)

/* Returns OBJECT with a reference that SELF drops when it is finalised.  Called once for SELF. */
static inline gpointer
vg_hold (gpointer self, gpointer object)
{
  g_object_set_data_full (self, "vg-held", g_object_ref (object), g_object_unref);
  return object;
}
