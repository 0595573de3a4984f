/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/model/perfusion-simd.h"
#include "kernels/perfusion/fit/perfusion-exchange-pass.h"
/* The pass of the exchange model on the CPU, compiled for the processor's vector instructions. */

VG_SIMD void
vg_perfusion_exchange_products (const VgPerfusionTask *task, const VgPerfusionReal *x,
                                const VG_PERFUSION_SAMPLE *y, long stride, VgPerfusionProducts *out)
{
  const int dual = task->dual, delays = task->bounds.delays != VG_PERFUSION_DELAYS_NONE,
            even = task->even;

  if (dual && delays)
    vg_perfusion_pass (task, x, y, stride, 1, 1, even, out);
  else if (dual)
    vg_perfusion_pass (task, x, y, stride, 1, 0, even, out);
  else if (delays)
    vg_perfusion_pass (task, x, y, stride, 0, 1, even, out);
  else
    vg_perfusion_pass (task, x, y, stride, 0, 0, even, out);
}
