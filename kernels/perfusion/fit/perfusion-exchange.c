/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/model/perfusion-simd.h"
#include "kernels/perfusion/fit/perfusion-exchange-pass.h"
/* The pass of the exchange model on the CPU, compiled for the processor's vector instructions. */

VG_SIMD void
vg_perfusion_exchange_products (const VgPerfusionTask *task, const VgPerfusionReal *x,
                                const VG_PERFUSION_SAMPLE *y, long stride, VgPerfusionProducts *out)
{
  vg_perfusion_pass_any (task, x, y, stride, out);
}
