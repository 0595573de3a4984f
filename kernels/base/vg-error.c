/* SPDX-License-Identifier: MIT */
/* Error domains.  A quark belongs to its string, so the program and the CUDA
 * module, which both contain this file, agree on them. */
#include "kernels/base/vg-error.h"

G_DEFINE_QUARK (vg - usage - error - quark, vg_usage_error)
G_DEFINE_QUARK (vg - io - error - quark, vg_io_error)
G_DEFINE_QUARK (vg - operation - error - quark, vg_operation_error)
G_DEFINE_QUARK (vg - gpu - error - quark, vg_gpu_error)
