/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Pseudo-random numbers of the phantoms.  They are a function of a key, such as a seed and a pixel
 * number, so that pixels can be computed in any order and by any thread.
 * G. Steele, D. Lea and C. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014. */
G_BEGIN_DECLS

/* The output function of SplitMix64: a bijection of 64-bit numbers. */
static inline guint64
vg_random_mix (guint64 z)
{
  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* 64 random bits for KEY, by SplitMix64. */
static inline guint64
vg_random_bits (guint64 key)
{
  return vg_random_mix (key + G_GUINT64_CONSTANT (0x9e3779b97f4a7c15));
}

/* A number 0 <= u < 1 for KEY, uniformly distributed. */
static inline double
vg_random_uniform (guint64 key)
{
  return (double) (vg_random_bits (key) >> 11) * 0x1p-53;
}

/* A number 0 < u < 1 for KEY, uniformly distributed: its logarithm is finite. */
static inline double
vg_random_uniform_open (guint64 key)
{
  return ((double) (vg_random_bits (key) >> 11) + 0.5) * 0x1p-53;
}

/* Smooth noise: a number 0 <= u < 1 for KEY at each (X, Y), with a grain of about 1. */
double vg_random_smooth (double x, double y, guint64 key);

G_END_DECLS
