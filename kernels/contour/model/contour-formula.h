/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-scalar.h"
#include <math.h>
#include <stdint.h>
/* One level set per nucleus: the scalar formulas of both backends.  Ali and
 * Madabhushi, J. Pathol. Inform. 2, S13 (2011) and IEEE TMI 31, 1448 (2012),
 * after Chan and Vese (IEEE TIP 10, 266, 2001); docs/contour.md has the model
 * with every symbol.  phi > 0 is inside; lengths in pixels.
 *
 * Both backends give the same bits: only operations that IEEE 754 rounds
 * exactly are used, in the order written (no fused multiply-add), and every
 * sum over pixels or objects is of whole numbers. */

#if defined __GNUC__ && !defined __clang__ && !defined __CUDACC__
#pragma GCC optimize("fp-contract=off")
#elif defined __clang__ && !defined __CUDACC__
#pragma STDC FP_CONTRACT OFF
#endif

/* H and the grey values are whole multiples of this in sums. */
#define VG_CONTOUR_UNIT 4096
#define VG_CONTOUR_UNIT_F 4096.0f
/* Half-width of the Heaviside function's ramp. */
#define VG_CONTOUR_RAMP 1.5f
/* The front: where the step is measured. */
#define VG_CONTOUR_FRONT 1.5f
/* Largest time step of the adaptive rule. */
#define VG_CONTOUR_MOST_DT 50.0f
/* Prior: a square template of nodes over [-REACH, REACH] radii. */
enum {
  VG_CONTOUR_NODES = 49,
  VG_CONTOUR_TEMPLATE = VG_CONTOUR_NODES * VG_CONTOUR_NODES,
  VG_CONTOUR_MODES = 2
};
#define VG_CONTOUR_REACH 2.4f
#define VG_CONTOUR_NODE_STEP (2.0f * VG_CONTOUR_REACH / (VG_CONTOUR_NODES - 1))
#define VG_CONTOUR_NODES_PER_RADIUS ((VG_CONTOUR_NODES - 1) / (2.0f * VG_CONTOUR_REACH))
/* A nucleus is at least and at most this large, in given radii. */
#define VG_CONTOUR_LEAST_SCALE 0.5f
#define VG_CONTOUR_MOST_SCALE 1.7f

/* What the iteration needs of the settings. */
typedef struct
{
  float lambda_in, lambda_out, beta_r, mu, beta_s, omega;
  float step, dt_fixed;
  int fixed, global_means, use_prior;
  float radius, band;
  int ring;          /* width about the box where the background's mean is taken */
  float moved_least; /* mean displacement over a period below which an object stops */
  int warm, cooling; /* iterations at the full step, and those in which it then halves */
  int most_age;      /* iterations of an object, at most */
} VgContourWeights;

VG_SCALAR float
vg_contour_min (float a, float b)
{
  return a < b ? a : b;
}

VG_SCALAR float
vg_contour_max (float a, float b)
{
  return a > b ? a : b;
}

VG_SCALAR float
vg_contour_clamp (float x, float low, float high)
{
  return vg_contour_min (vg_contour_max (x, low), high);
}

/* H(z) in units: 0 outside, VG_CONTOUR_UNIT inside, a cubic ramp between.  Its
 * support is bounded, so that far objects do not add up in the shared field. */
VG_SCALAR int
vg_contour_heaviside (float phi)
{
  float t = vg_contour_clamp (phi * (0.5f / VG_CONTOUR_RAMP) + 0.5f, 0.0f, 1.0f);

  return (int) (t * t * (3.0f - 2.0f * t) * VG_CONTOUR_UNIT_F + 0.5f);
}

/* The force's delta: the derivative of the paper's arctangent H, eps = 1.  Its
 * long tails let a front move between two reinitialisations. */
VG_SCALAR float
vg_contour_delta (float phi)
{
  return 0.318309886f / (1.0f + phi * phi);
}

/* Curvature from the eight neighbours, within +-1. */
VG_SCALAR float
vg_contour_curvature (float nw, float n, float ne, float w, float c, float e, float sw, float s,
                      float se)
{
  float px = 0.5f * (e - w), py = 0.5f * (s - n);
  float pxx = e - 2.0f * c + w, pyy = s - 2.0f * c + n, pxy = 0.25f * (se - ne - sw + nw);
  float square = px * px + py * py + 1e-8f;

  return vg_contour_clamp ((pxx * py * py - 2.0f * px * py * pxy + pyy * px * px) /
                               (square * sqrtf (square)),
                           -1.0f, 1.0f);
}

/* The force on phi of one object at a pixel: F, without the shape term.  F_:
 * grey value; OTHERS: summed H of the other objects. */
VG_SCALAR float
vg_contour_force (const VgContourWeights *weights, float phi, float kappa, float f, float others,
                  float u_in, float u_out)
{
  float free_part = vg_contour_max (0.0f, 1.0f - others);
  float in = f - u_in, out = f - u_out;
  float region = weights->lambda_in * in * in - weights->lambda_out * out * out;

  return vg_contour_delta (phi) *
         (weights->mu * kappa - weights->beta_r * free_part * region - weights->omega * others);
}

/* The adaptive step has its full length until a front has gone this far, and
 * then halves each time it might have gone so much farther: a contour that
 * finds no border comes to rest instead of running on into its surroundings. */
#define VG_CONTOUR_WARM_PX 144.0f
#define VG_CONTOUR_COOLING_PX 45.0f
enum { VG_CONTOUR_MOST_HALVINGS = 24 };

/* An object that has neither come to rest nor done all its iterations. */
VG_SCALAR int
vg_contour_is_moving (const VgContourWeights *weights, int moving, int64_t age)
{
  return moving && age < weights->most_age;
}

/* Time step of an object's iteration AGE, counted from 1, from the fastest point of its front. */
VG_SCALAR float
vg_contour_time_step (const VgContourWeights *weights, float fastest, int64_t age)
{
  float step = weights->step;

  if (weights->fixed)
    return weights->dt_fixed;
  if (age > weights->warm)
    {
      int64_t halvings = 1 + (age - weights->warm - 1) / weights->cooling;

      step /= (float) (1 << (halvings < VG_CONTOUR_MOST_HALVINGS ? (int) halvings
                                                                 : VG_CONTOUR_MOST_HALVINGS));
    }
  return vg_contour_min (step / vg_contour_max (fastest, 1e-9f), VG_CONTOUR_MOST_DT);
}

/* phi after a step DT; the shape term 2 beta_s (psi - phi) is implicit, so no
 * weight makes it unstable.  PULL is 2 beta_s DT, SHARE 1 / (1 + PULL). */
VG_SCALAR float
vg_contour_advance (float phi, float force, float psi, float dt, float pull, float share)
{
  return (phi + dt * force + pull * psi) * share;
}

/* An object's energy by terms: what the force and the shape term go down. */
enum {
  VG_CONTOUR_REGION,
  VG_CONTOUR_OVERLAP,
  VG_CONTOUR_SHAPE,
  VG_CONTOUR_CURVATURE,
  VG_CONTOUR_TERMS
};

VG_SCALAR int32_t
vg_contour_in_units (float energy)
{
  return (int32_t) (vg_contour_min (energy, 1e5f) * VG_CONTOUR_UNIT_F + 0.5f);
}

/* What a pixel of the box adds to each, in units: the region term with the
 * part others do not claim, the overlap, beta_s times the square of APART =
 * phi - psi, and mu times the length of the front, the slope of H, from H of
 * the four neighbours. */
VG_SCALAR void
vg_contour_energy (const VgContourWeights *weights, int h, int w, int e, int n, int s, float f,
                   float others, float u_in, float u_out, float apart, int32_t *terms)
{
  float in = f - u_in, out = f - u_out, share = (float) h * (1.0f / VG_CONTOUR_UNIT_F);
  float free_part = vg_contour_max (0.0f, 1.0f - others);
  float region = free_part * (weights->lambda_in * in * in * share +
                              weights->lambda_out * out * out * (1.0f - share));
  float gx = (float) (e - w) * (0.5f / VG_CONTOUR_UNIT_F),
        gy = (float) (s - n) * (0.5f / VG_CONTOUR_UNIT_F);

  terms[VG_CONTOUR_REGION] = vg_contour_in_units (weights->beta_r * region);
  terms[VG_CONTOUR_OVERLAP] = vg_contour_in_units (weights->omega * others * share);
  terms[VG_CONTOUR_SHAPE] = vg_contour_in_units (weights->beta_s * apart * apart);
  terms[VG_CONTOUR_CURVATURE] = vg_contour_in_units (weights->mu * sqrtf (gx * gx + gy * gy));
}

/* Periods in a row without motion after which an object stops. */
#define VG_CONTOUR_STILL 2

/* Mean displacement of the front: area between two outlines over the
 * circumference of a disc of that area. */
VG_SCALAR float
vg_contour_moved (int64_t difference, int64_t area)
{
  double px = (double) area / VG_CONTOUR_UNIT;

  return px > 0.0
             ? (float) ((double) difference / VG_CONTOUR_UNIT / (3.5449077018110318 * sqrt (px)))
             : 0.0f;
}

/* Of a sum of grey values weighted with H. */
VG_SCALAR float
vg_contour_mean (int64_t weighted, int64_t weight, float otherwise)
{
  return weight > 0 ? (float) ((double) weighted / (double) weight / VG_CONTOUR_UNIT) : otherwise;
}

/* ---- The prior's pose ---- */

/* Sums over an object's box, x and y from the box's corner. */
typedef struct
{
  int64_t area, x, y, xx, xy, yy; /* weighted with H */
  int64_t in, out_area, out;      /* grey value weighted with H; background */
} VgContourSums;

typedef struct
{
  float x, y;         /* centroid */
  float scale;        /* radius of the disc of the same area, clamped */
  float cosine, sine; /* of the long axis */
  /* of the shape term: 0 where the image's border cuts too much off for a pose to be known */
  float held;
} VgContourPose;

/* Along one axis: where the object lies between the image's borders.  MEAN
 * and VARIANCE of its H, FIRST and LAST pixel of the image, from the box's
 * corner.  The ellipse of these moments reaches 2 standard deviations; a border
 * nearer than that cuts the object.  Of a disc that loses 5, 14 or 50 % it lies
 * at 0.91, 0.86 and 0.80 of that. */
#define VG_CONTOUR_CUT 0.9
VG_SCALAR float
vg_contour_held (double mean, double variance, int first, int last)
{
  double room = fmin (mean - first, last - mean) + 0.5, reach = 2.0 * sqrt (fmax (variance, 0.01));

  return vg_contour_clamp ((float) ((room / reach - VG_CONTOUR_CUT) / (1.0 - VG_CONTOUR_CUT)), 0.0f,
                           1.0f);
}

/* (LEFT, TOP): the box's corner in the image of WIDTH x HEIGHT. */
VG_SCALAR VgContourPose
vg_contour_pose (const VgContourSums *sums, float radius, int left, int top, int width, int height)
{
  VgContourPose pose;
  double area = (double) sums->area, x = (double) sums->x / area, y = (double) sums->y / area;
  double across = (double) sums->xx / area - x * x, down = (double) sums->yy / area - y * y,
         a = across - down;
  double b = 2.0 * ((double) sums->xy / area - x * y), length = sqrt (a * a + b * b);
  double cosine = length > 1e-9 ? sqrt (0.5 * (1.0 + a / length)) : 1.0;
  double sine = length > 1e-9 ? sqrt (0.5 * fmax (1.0 - a / length, 0.0)) : 0.0;

  pose.x = (float) x;
  pose.y = (float) y;
  pose.scale = vg_contour_clamp ((float) sqrt (area / VG_CONTOUR_UNIT * 0.31830988618379067),
                                 VG_CONTOUR_LEAST_SCALE * radius, VG_CONTOUR_MOST_SCALE * radius);
  pose.cosine = (float) cosine;
  pose.sine = (float) (b < 0.0 ? -sine : sine);
  pose.held = vg_contour_min (vg_contour_held (x, across, -left, width - 1 - left),
                              vg_contour_held (y, down, -top, height - 1 - top));
  return pose;
}

/* Of a term's SUM over the box what counts: of the shape term what is held. */
VG_SCALAR int64_t
vg_contour_energy_of (int term, int64_t sum, const VgContourPose *pose)
{
  return term == VG_CONTOUR_SHAPE ? (int64_t) ((double) sum * (double) pose->held) : sum;
}

/* Bilinear between two values of a row and the two below. */
VG_SCALAR float
vg_contour_blend (float p00, float p10, float p01, float p11, float tx, float ty)
{
  float top = p00 + tx * (p10 - p00), bottom = p01 + tx * (p11 - p01);

  return top + ty * (bottom - top);
}

/* Where a point is between the pixels of a box of WIDTH x HEIGHT: the index of
 * the first of four, how far the others are, and how far BEYOND the box it is. */
VG_SCALAR int
vg_contour_corner (int stride, int width, int height, float x, float y, int *right, int *down,
                   float *tx, float *ty, float *beyond)
{
  float cx = vg_contour_clamp (x, 0.0f, (float) (width - 1)),
        cy = vg_contour_clamp (y, 0.0f, (float) (height - 1));
  int ix = (int) cx, iy = (int) cy;

  *right = ix + 1 < width ? 1 : 0;
  *down = iy + 1 < height ? stride : 0;
  *tx = cx - (float) ix;
  *ty = cy - (float) iy;
  *beyond = fabsf (x - cx) + fabsf (y - cy);
  return iy * stride + ix;
}

/* phi that far beyond the box, whose edge has VALUE: the image ends there, or
 * phi is -BAND.  Were it VALUE all the way, a nucleus beside the image's
 * border would seem to reach beyond it, and grow. */
VG_SCALAR float
vg_contour_continue (float value, float beyond, float band)
{
  return vg_contour_max (value - beyond, -band);
}

/* phi of a box of WIDTH x HEIGHT at a point. */
VG_SCALAR float
vg_contour_sample (const float *phi, int stride, int width, int height, float x, float y,
                   float band)
{
  int right, down;
  float tx, ty, beyond;
  const float *p = phi + vg_contour_corner (stride, width, height, x, y, &right, &down, &tx, &ty,
                                            &beyond);

  return vg_contour_continue (vg_contour_blend (p[0], p[right], p[down], p[down + right], tx, ty),
                              beyond, band);
}

/* A place in radii along the prior's axes as a point of the box. */
VG_SCALAR void
vg_contour_place (const VgContourPose *pose, float u, float v, float *x, float *y)
{
  *x = pose->x + pose->scale * (pose->cosine * u - pose->sine * v);
  *y = pose->y + pose->scale * (pose->sine * u + pose->cosine * v);
}

/* A term of a mode's coefficient, whole: 2047 of them add up in 32 bits. */
#define VG_CONTOUR_PROJECTION 1048576.0f
VG_SCALAR int32_t
vg_contour_projection (float phi, float scale, float mean, float weighted_mode)
{
  float term = vg_contour_clamp ((phi / scale - mean) * weighted_mode, -1.0f, 1.0f);

  return (int32_t) (term * VG_CONTOUR_PROJECTION + (term < 0.0f ? -0.5f : 0.5f));
}

VG_SCALAR float
vg_contour_coefficient (int32_t projection, float limit)
{
  return vg_contour_clamp ((float) projection * (1.0f / VG_CONTOUR_PROJECTION), -limit, limit);
}

/* Where a point of the box is between the template's nodes: the index of the
 * first of four; BEYOND: its distance to the template, in radii. */
VG_SCALAR int
vg_contour_node (const VgContourPose *pose, float inverse_scale, float x, float y, float *tu,
                 float *tv, float *beyond)
{
  const float last = (float) (VG_CONTOUR_NODES - 1);
  float dx = (x - pose->x) * inverse_scale, dy = (y - pose->y) * inverse_scale;
  float u = (pose->cosine * dx + pose->sine * dy + VG_CONTOUR_REACH) * VG_CONTOUR_NODES_PER_RADIUS;
  float v = (pose->cosine * dy - pose->sine * dx + VG_CONTOUR_REACH) * VG_CONTOUR_NODES_PER_RADIUS;
  float cu = vg_contour_clamp (u, 0.0f, last), cv = vg_contour_clamp (v, 0.0f, last);
  int iu = (int) cu, iv = (int) cv;

  /* of whole numbers: without branches */
  iu = iu < VG_CONTOUR_NODES - 2 ? iu : VG_CONTOUR_NODES - 2;
  iv = iv < VG_CONTOUR_NODES - 2 ? iv : VG_CONTOUR_NODES - 2;
  *tu = cu - (float) iu;
  *tv = cv - (float) iv;
  *beyond = (fabsf (u - cu) + fabsf (v - cv)) * VG_CONTOUR_NODE_STEP;
  return iv * VG_CONTOUR_NODES + iu;
}

/* The prior's signed distance at a point of the box; SHAPE is the template
 * with its modes added.  Beyond the template the distance to it is taken off. */
VG_SCALAR float
vg_contour_prior (const float *shape, const VgContourPose *pose, float inverse_scale, float x,
                  float y)
{
  float tu, tv, beyond;
  const float *p = shape + vg_contour_node (pose, inverse_scale, x, y, &tu, &tv, &beyond);

  return pose->scale *
         (vg_contour_blend (p[0], p[1], p[VG_CONTOUR_NODES], p[VG_CONTOUR_NODES + 1], tu, tv) -
          beyond);
}

/* ---- Re-distancing ---- */

/* Far away: a foot that is none. */
#define VG_CONTOUR_FAR 1e6f

/* One of the eight neighbours is on the other side. */
VG_SCALAR int
vg_contour_is_beside (float c, float nw, float n, float ne, float w, float e, float sw, float s,
                      float se)
{
  int inside = c > 0.0f;

  return (n > 0.0f) != inside || (s > 0.0f) != inside || (w > 0.0f) != inside ||
         (e > 0.0f) != inside || (nw > 0.0f) != inside || (ne > 0.0f) != inside ||
         (sw > 0.0f) != inside || (se > 0.0f) != inside;
}

/* The nearest point of the front to a pixel beside it, from its four
 * neighbours: along the gradient, whose component towards a neighbour on the
 * other side is the difference to it.  So the front stays where it is between
 * pixels (the sub-cell fix of Russo and Smereka, J. Comput. Phys. 163, 51,
 * 2000).  TRUE: one of the four is on the other side. */
VG_SCALAR int
vg_contour_foot (float c, float w, float e, float n, float s, float *fx, float *fy)
{
  int inside = c > 0.0f;
  int cut_w = (w > 0.0f) != inside, cut_e = (e > 0.0f) != inside, cut_n = (n > 0.0f) != inside,
      cut_s = (s > 0.0f) != inside;
  float gx = 0.5f * (e - w), gy = 0.5f * (s - n), to_w = c - w, to_e = e - c, to_n = c - n,
        to_s = s - c;
  float square, t;

  if (cut_w || cut_e)
    gx = cut_e && (!cut_w || fabsf (to_e) > fabsf (to_w)) ? to_e : to_w;
  if (cut_n || cut_s)
    gy = cut_s && (!cut_n || fabsf (to_s) > fabsf (to_n)) ? to_s : to_n;
  square = gx * gx + gy * gy;
  t = square > 1e-12f ? -c / square : 0.0f;
  *fx = vg_contour_clamp (t * gx, -1.5f, 1.5f);
  *fy = vg_contour_clamp (t * gy, -1.5f, 1.5f);
  return cut_w || cut_e || cut_n || cut_s;
}
