/* SPDX-License-Identifier: MIT */
#include "io/source/vg-format.h"
#include "kernels/base/vg-error.h"

void
vg_format_refuse_as (const char *name, const char *is, const char *advice, GError **error)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
               "Cannot open \"%s\". It is %s, which Vivograph does not read. %s", name, is, advice);
}
