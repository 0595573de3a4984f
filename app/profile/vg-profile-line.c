/* SPDX-License-Identifier: MIT */
#include "app/profile/vg-profile-line.h"
#include <math.h>
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"

/* Pixels; no image is larger. */
static const double farthest = 1e7;

static gboolean
skip (const char **cursor, char c)
{
  if (**cursor != c)
    return FALSE;
  (*cursor)++;
  return TRUE;
}

/* A whole number after MARK if that is there; else *VALUE stays. */
static gboolean
read_whole (const char **cursor, char mark, int least, int most, int *value)
{
  double number;

  if (!skip (cursor, mark))
    return TRUE;
  if (!vg_text_read_number (cursor, &number) || number != floor (number) || number < least ||
      number > most)
    return FALSE;
  *value = (int) number;
  return TRUE;
}

static gboolean
read_line (const char *cursor, VgProfileLine *line)
{
  double ends[4];

  for (int i = 0; i < 4; i++)
    if ((i > 0 && !skip (&cursor, ',')) || !vg_text_read_number (&cursor, &ends[i]) ||
        fabs (ends[i]) > farthest)
      return FALSE;
  *line = (VgProfileLine){ { ends[0], ends[2] }, { ends[1], ends[3] }, 0, 1 };
  return read_whole (&cursor, ',', 1, VG_PROFILE_MOST_WIDTH, &line->width) &&
         read_whole (&cursor, '@', 0, G_MAXINT, &line->slice) && vg_text_at_end (cursor) &&
         (ends[0] != ends[2] || ends[1] != ends[3]);
}

gboolean
vg_profile_line_parse (VgProfileLine *self, const char *text, GError **error)
{
  g_autofree char *quoted = NULL;
  VgProfileLine line;

  if (read_line (text, &line))
    {
      *self = line;
      return TRUE;
    }
  quoted = vg_text_quote (text);
  g_set_error (error, VG_USAGE_ERROR, 0,
               "%s is not a line; give two different points, optionally with a width of 1 to %d px "
               "and a slice, as in 10,20,80,20,3@0",
               quoted, VG_PROFILE_MOST_WIDTH);
  return FALSE;
}
