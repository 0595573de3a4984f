/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/motion/perfusion-motion.h"

/* As vg_perfusion_motion_find, on a GPU. */
VgPerfusionMotion *perfusion_find_motion (const VgPerfusionMotionTask *task, int device,
                                          GError **error);
