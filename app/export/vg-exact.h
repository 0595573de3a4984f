/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Statistics of any number of float samples in a fixed amount of memory: range and mean while the
 * samples go by, and the exact median.  For the median, the samples must be shown a second time (a
 * radix selection in two passes), unless all are whole numbers from 0 to VG_EXACT_WHOLE - 1, as
 * labels are.  NaN and infinite samples are counted as invalid and enter nothing else. */
G_BEGIN_DECLS

enum { VG_EXACT_WHOLE = 1 << 20 };

typedef struct
{
  guint64 valid, invalid;
  float min, max;
  long double sum;
  guint64 *whole;    /* samples of each whole number; NULL: there are others, or no memory */
  guint64 *high;     /* samples by the upper 16 bits of their rank key */
  guint64 *low[2];   /* second pass: by the lower 16 bits, for the two middle samples */
  guint32 middle[2]; /* upper 16 bits of the two middle samples */
  guint64 before[2]; /* samples below that bin */
} VgExact;

/* NULL: no memory, 512 kB.  Whole numbers take up to 8 MB more. */
VgExact *vg_exact_new (void);
void vg_exact_free (VgExact *self);
void vg_exact_add (VgExact *self, const float *values, gsize n);
/* After the first pass: TRUE if the median is known already. */
gboolean vg_exact_is_complete (const VgExact *self);
/* After the first pass; then the same samples again through `again`.  FALSE: no memory, 1 MB. */
gboolean vg_exact_rewind (VgExact *self);
void vg_exact_again (VgExact *self, const float *values, gsize n);
/* All NaN when no sample was valid. */
double vg_exact_min (const VgExact *self);
double vg_exact_max (const VgExact *self);
double vg_exact_mean (const VgExact *self);
/* of an even number: the mean of the middle two */
double vg_exact_median (const VgExact *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgExact, vg_exact_free)

G_END_DECLS
