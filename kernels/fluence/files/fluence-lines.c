/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/files/fluence-lines.h"
#include "kernels/fluence/model/fluence-params.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"
#include <string.h>

enum { MAX_LINE = 1 << 16, MAX_COMMENT = 1 << 10 };

static const char byte_order_mark[] = "\xef\xbb\xbf";

void
vg_fluence_lines_init (VgFluenceLines *self, const char *name, const char *text, gsize length)
{
  gsize skip = length >= 3 && memcmp (text, byte_order_mark, 3) == 0 ? 3 : 0;

  *self = (VgFluenceLines){ .name = name, .next = text + skip, .end = text + length };
}

void
vg_fluence_lines_clear (VgFluenceLines *self)
{
  g_clear_pointer (&self->line, g_free);
  g_clear_pointer (&self->comment, g_free);
}

gboolean
vg_fluence_lines_next (VgFluenceLines *self)
{
  while (self->next < self->end)
    {
      const char *stop = self->next, *hash;
      gsize n;

      while (stop < self->end && *stop != '\n' && *stop != '\r')
        stop++;
      n = (gsize) (stop - self->next);
      self->number++;
      g_free (self->line);
      hash = memchr (self->next, '#', n);
      self->line = g_strndup (self->next,
                              MIN (hash != NULL ? (gsize) (hash - self->next) : n, MAX_LINE));
      self->glued = hash != NULL && hash > self->next && !g_ascii_isspace (hash[-1]);
      g_free (self->comment);
      self->comment = hash != NULL ? g_strndup (hash + 1, MIN (n - (gsize) (hash + 1 - self->next),
                                                               MAX_COMMENT))
                                   : g_strdup ("");
      if (self->end - stop >= 2 && stop[0] == '\r' && stop[1] == '\n')
        stop++;
      self->next = stop < self->end ? stop + 1 : stop;
      if (*g_strstrip (self->line) != '\0')
        return TRUE;
    }
  return FALSE;
}

gboolean
vg_fluence_lines_fail (const VgFluenceLines *self, GError **error, const char *format, ...)
{
  va_list arguments;
  g_autofree char *message = NULL;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "\"%s\", line %d: %s", self->name,
               MAX (self->number, 1), message);
  return FALSE;
}

gboolean
vg_fluence_lines_need (VgFluenceLines *self, const char *what, GError **error)
{
  return vg_fluence_lines_next (self) ||
         vg_fluence_lines_fail (self, error, "the file ends before %s", what);
}

static gboolean
ends_as_result (const char *line, const char *end)
{
  while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
    end--;
  return end - line > 4 && g_ascii_strncasecmp (end - 4, ".mco", 4) == 0;
}

/* Length of the name: up to the format letter after .mco, else up to the first format letter, else
 * the whole line. */
static gsize
name_length (const char *line)
{
  gsize first = 0;

  for (const char *c = line + strcspn (line, " \t"); *c != '\0'; c += strcspn (c, " \t"))
    {
      c += strspn (c, " \t");
      if (strchr ("ABab", *c) != NULL && (c[1] == '\0' || c[1] == '#' || g_ascii_isspace (c[1])))
        {
          if (ends_as_result (line, c))
            return (gsize) (c - line);
          first = first > 0 ? first : (gsize) (c - line);
        }
    }
  return first > 0 ? first : strlen (line);
}

/* The line with its comment up to the first '#' that begins a word. */
static char *
with_inner_hashes (const VgFluenceLines *self)
{
  g_autofree char *whole = self->glued ? g_strconcat (self->line, "#", self->comment, NULL)
                                       : g_strdup (self->line);

  for (char *c = whole; self->glued && (c = strchr (c, '#')) != NULL; c++)
    if (g_ascii_isspace (c[-1]))
      {
        *c = '\0';
        break;
      }
  return g_strstrip (g_steal_pointer (&whole));
}

gboolean
vg_fluence_lines_name (const VgFluenceLines *self, char *name, char **whole, GError **error)
{
  g_autofree char *line = with_inner_hashes (self);
  g_autofree char *raw = g_strstrip (g_strndup (line, name_length (line))), *valid = NULL,
                  *full = NULL;
  const char *slash = MAX (strrchr (raw, '/'), strrchr (raw, '\\'));

  valid = g_utf8_make_valid (slash != NULL ? slash + 1 : raw, -1);
  for (char *c = valid; *c != '\0'; c++)
    if ((guchar) *c < 32 || *c == 127 || *c == ':' || (*c == '#' && c == valid))
      *c = '_'; /* '#' at its beginning would make the line a comment */
  if (*valid == '\0' || g_str_equal (valid, ".") || g_str_equal (valid, ".."))
    full = g_strdup ("fluence.mco");
  else
    full = g_strconcat (
        valid,
        strlen (valid) > 4 && g_ascii_strcasecmp (valid + strlen (valid) - 4, ".mco") == 0 ? ""
                                                                                           : ".mco",
        NULL);
  if (strlen (full) >= VG_FLUENCE_NAME)
    return vg_fluence_lines_fail (
        self, error, "the output file's name has %" G_GSIZE_FORMAT " bytes; use at most %d",
        strlen (full), VG_FLUENCE_NAME - 1);
  g_strlcpy (name, full, VG_FLUENCE_NAME);
  *whole = g_steal_pointer (&raw);
  return TRUE;
}

int
vg_fluence_lines_count (const VgFluenceLines *self)
{
  const char *cursor = self->line;
  double value;
  int n = 0;

  while (vg_text_read_number (&cursor, &value) && (*cursor == '\0' || g_ascii_isspace (*cursor)))
    n++;
  return n;
}

gboolean
vg_fluence_lines_numbers (const VgFluenceLines *self, double *values, int n, const char *what,
                          GError **error)
{
  const char *cursor = self->line, *word;

  for (int i = 0; i < n; i++)
    {
      if (vg_text_read_number (&cursor, &values[i]) &&
          (*cursor == '\0' || g_ascii_isspace (*cursor)))
        continue;
      word = cursor + strspn (cursor, " \t+-");
      if (g_ascii_strncasecmp (word, "nan", 3) == 0 || g_ascii_strncasecmp (word, "inf", 3) == 0)
        return vg_fluence_lines_fail (
            self, error, "%.3s is not accepted as number %d of %s; write 1e8 for a half-space",
            word, i + 1, what);
      if (*cursor == ',')
        return vg_fluence_lines_fail (
            self, error, "there is a comma after number %d of %s; separate numbers by blanks",
            i + 1, what);
      else
        {
          g_autofree char *quoted = vg_text_quote (self->line);

          if (n == 1)
            return vg_fluence_lines_fail (self, error, "expected %s, but found %s", what, quoted);
          return vg_fluence_lines_fail (
              self, error, "expected %d numbers for %s, but number %d is missing in %s", n, what,
              i + 1, quoted);
        }
    }
  return TRUE;
}

/* The ranges are those of the operation's layer table. */
gboolean
vg_fluence_lines_layer (const VgFluenceLines *lines, double *v, const char *what, GError **error)
{
  if (!vg_fluence_lines_numbers (lines, v, VG_FLUENCE_COLUMNS, what, error))
    return FALSE;
  if (!(v[VG_FLUENCE_N] >= 0.1 && v[VG_FLUENCE_N] <= 10.0))
    return vg_fluence_lines_fail (lines, error, "%s has n = %.10g; the range is 0.1 to 10", what,
                                  v[VG_FLUENCE_N]);
  if (!(v[VG_FLUENCE_MUA] >= 0.0 && v[VG_FLUENCE_MUA] <= 1e7 && v[VG_FLUENCE_MUS] >= 0.0 &&
        v[VG_FLUENCE_MUS] <= 1e7))
    return vg_fluence_lines_fail (lines, error,
                                  "%s has mua = %.10g and mus = %.10g; the range is 0 to 1e7 1/cm",
                                  what, v[VG_FLUENCE_MUA], v[VG_FLUENCE_MUS]);
  if (!(v[VG_FLUENCE_G] >= -1.0 && v[VG_FLUENCE_G] <= 1.0))
    return vg_fluence_lines_fail (lines, error, "%s has g = %.10g; the range is -1 to 1", what,
                                  v[VG_FLUENCE_G]);
  if (!(v[VG_FLUENCE_D] >= 0.0 && v[VG_FLUENCE_D] <= 1e9))
    return vg_fluence_lines_fail (
        lines, error,
        "%s has a thickness of %.10g cm; the range is 0 to 1e9, with 1e8 for a half-space", what,
        v[VG_FLUENCE_D]);
  return TRUE;
}
