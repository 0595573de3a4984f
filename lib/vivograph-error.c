/* SPDX-License-Identifier: MIT */
/* Errors as values, and what concerns no work. */
#include "lib/vivograph-private.h"
#include <gio/gio.h>
#include <string.h>
#include "app/compute/vg-named-param.h"
#include "kernels/base/vg-memory.h"
#include "vg-config.h"

const char *
vivograph_version (void)
{
  return VG_VERSION;
}

size_t
vivograph_memory_available (void)
{
  return vg_memory_available ();
}

static int
set_error (VivographError *error, int status, const char *message)
{
  g_autofree char *valid = NULL;

  if (error == NULL)
    return status;
  error->status = status;
  valid = g_utf8_make_valid (message, -1); /* it may name a file */
  vg_text_copy (error->message, sizeof error->message, valid);
  return status;
}

int
vg_library_fail (VivographError *error, int status, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return set_error (error, status, message);
}

int
vg_library_fail_to_find (VivographError *error, const char *operation)
{
  return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE,
                          "there is no operation \"%.60s\"; vivograph_operation lists them",
                          operation != NULL ? operation : "");
}

int
vg_library_check_work (const VivographWork *work, VivographError *error)
{
  return work != NULL ? VIVOGRAPH_OK
                      : vg_library_fail (error, VIVOGRAPH_ERROR_USAGE,
                                         "the work is NULL; make one with vivograph_work_new");
}

static int
status_of (const GError *failure)
{
  if (failure->domain == VG_USAGE_ERROR)
    return VIVOGRAPH_ERROR_USAGE;
  if (failure->domain == VG_IO_ERROR)
    return VIVOGRAPH_ERROR_INPUT;
  if (failure->domain == VG_GPU_ERROR)
    return VIVOGRAPH_ERROR_DEVICE;
  if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return VIVOGRAPH_ERROR_CANCELLED;
  if (g_error_matches (failure, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT))
    return VIVOGRAPH_ERROR_INPUT;
  if (g_error_matches (failure, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY))
    return VIVOGRAPH_ERROR_MEMORY;
  return VIVOGRAPH_ERROR_FAILED;
}

int
vg_library_fail_with (const VgOperation *operation, VivographError *error, GError *failure)
{
  g_autoptr (GError) owned = failure;
  g_autofree char *message = NULL;

  if (owned == NULL)
    return vg_library_fail (error, VIVOGRAPH_ERROR_FAILED,
                            "the operation failed for no known reason");
  message = vg_named_param_use_ids (&operation->params, owned->message);
  return set_error (error, status_of (owned), message);
}
