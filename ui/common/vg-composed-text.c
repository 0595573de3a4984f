/* SPDX-License-Identifier: MIT */
#include "ui/common/vg-translation.h"
#include <string.h>

enum { MOST_KEPT = 512 };

/* If two patterns fit the same text, the more specific one comes first. */
static const char *const patterns[] = {
  N_ ("Decay of the %s, %s pixels: %s"),
  N_ ("Decay of (%s, %s): %s"),
  N_ ("Intensity of (%s, %s), temporal contrast %s"),
  N_ ("Intensity of (%s, %s)"),
  N_ ("Contrast at (%s, %s) against window radius"),
  N_ ("Voxel %s, %s, slice %s"),
  N_ ("Mean of %s voxels, slice %s"),
  N_ ("Nearest nucleus %s: area %s, stain %s inside, %s outside"),
  N_ ("Nucleus %s: area %s, stain %s inside, %s outside"),
  N_ ("Nucleus %s"),
  N_ ("Kept: %s"),
  N_ ("%s-bit float"),
  N_ ("%s-bit (%s used)"),
  N_ ("%s-bit"),
  N_ ("%s-bit %s"),
  N_ ("%s slices"),
  N_ ("1 frame"),
  N_ ("%s frames"),
  N_ ("%s bins"),
  N_ ("%s; %s photons"),
  N_ ("No lifetime"),
  N_ ("maps"),
  N_ ("photons"),
  N_ ("counts/bin"),
  N_ ("live"),
  N_ ("ended"),
  N_ ("Windows of %s pixels contain few speckles of %s px, so correlation times read about %s %% "
      "low. Set Window bias to Corrected, use a larger radius or more frames, or measure the "
      "coherence factor with this window."),
  N_ ("The frame interval is unknown, so the baseline is 25 maps instead of one second. Set the "
      "frame interval, or enter the number of maps per second as Baseline length."),
  N_ ("Exposure time unknown; assuming 10 ms. Flow index and correlation time depend on it. Set "
      "the camera's exposure time."),
  N_ ("Overexposed pixels make flow look faster than it is. Use less light or a shorter exposure, "
      "or turn on the saturation mask."),
  N_ ("The map ends at a depth of %s cm, but the tissue at %s cm. Set Bin sizes to Fits the tissue "
      "to see all of it."),
  N_ ("The map ends at a depth of %s cm, but light reaches %s cm and more. Set Bin sizes to Fits "
      "the tissue to see it."),
  N_ ("Laser period unknown; assuming the time window of %s ns. At a repetition rate of 80 MHz it "
      "is 12.5 ns."),
  N_ ("The file gives a laser period of %s ns, but %s ns is set. Use the file's value, unless it "
      "is wrong."),
  N_ ("The file gives a bin width of %s ns, but %s ns is set, and all lifetimes scale with it. Use "
      "the file's value, unless it is wrong."),
  N_ ("Background before the pulse (%s %% of the peak) makes lifetimes read high. Fit an offset, "
      "take it from these bins, use three gates, or set the background%s. If brighter pixels have "
      "more of it, it comes from afterpulses or previous pulses and is not constant."),
  N_ (", and the laser period"),
  N_ ("Using an average artery from the literature. Mark the artery to use this patient's."),
  N_ ("The curve of the portal vein was computed from the artery. Mark the portal vein to use this "
      "patient's."),
  N_ ("The peak is hardly above the noise: no contrast agent arrives where the artery is marked. "
      "Mark another position."),
  N_ ("Nearly all voxels are at a bound, including the air around the body. Mark the liver, or set "
      "a threshold. If that does not help, check the frame times, the signal model and the "
      "positions of the inputs."),
  N_ ("Nearly all voxels are at a bound. Check the frame times, the signal model and the positions "
      "of the inputs."),
  N_ ("%s: %s voxels in %s of %s slices were found."),
  N_ ("1 edge voxel contains other tissue and is left out."),
  N_ ("%s edge voxels contain other tissue and are left out."),
  N_ ("The file gives %s s. Set Frame interval to 0 to use it."),
  N_ ("This is as short as a repetition time. Set the frame interval."),
  N_ ("This is long for a contrast series. Check whether the times are in ms."),
  NULL
};

const char *const *
vg_composed_text_patterns (void)
{
  return patterns;
}

/* Sets LITERAL to the text of the pattern FROM before its next %s.  Returns the rest after the %s,
 * or NULL. */
static const char *
take_literal (const char *from, GString *literal)
{
  g_string_truncate (literal, 0);
  for (; *from != '\0'; from++)
    {
      if (from[0] == '%' && from[1] == 's')
        return from + 2;
      g_string_append_c (literal, *from);
      from += from[0] == '%' && from[1] == '%';
    }
  return NULL;
}

/* The pieces of TEXT in place of each %s of FROM; NULL: TEXT does not fit the pattern. */
static GPtrArray *
find_pieces (const char *text, const char *from)
{
  g_autoptr (GString) literal = g_string_new (NULL);
  g_autoptr (GPtrArray) pieces = g_ptr_array_new_with_free_func (g_free);
  const char *rest = take_literal (from, literal), *end = text + strlen (text);

  if (!g_str_has_prefix (text, literal->str))
    return NULL;
  text += literal->len;
  while (rest != NULL)
    {
      const char *next;

      rest = take_literal (rest, literal);
      next = rest != NULL                            ? strstr (text, literal->str)
             : g_str_has_suffix (text, literal->str) ? end - literal->len
                                                     : NULL;
      if (next == NULL)
        return NULL;
      g_ptr_array_add (pieces, g_strndup (text, (gsize) (next - text)));
      text = next + literal->len;
    }
  return text == end ? g_steal_pointer (&pieces) : NULL;
}

char *
vg_composed_text_convert (const char *text, const char *from, const char *to)
{
  g_autoptr (GPtrArray) pieces = find_pieces (text, from);
  g_autoptr (GString) literal = g_string_new (NULL);
  GString *made;

  if (pieces == NULL)
    return NULL;
  made = g_string_new (NULL);
  for (guint i = 0; to != NULL; i++)
    {
      to = take_literal (to, literal);
      g_string_append_len (made, literal->str, (gssize) literal->len);
      if (to != NULL && i < pieces->len)
        g_string_append (made, vg_translate (pieces->pdata[i]));
    }
  return g_string_free (made, FALSE);
}

/* Texts that were translated lately, with "" for one that no pattern fits, so that a text on the
 * screen is not matched again at every redraw. */
static GHashTable *newer, *older;

/* Forgets what was kept in another language. */
static void
check_language (void)
{
  static char *seen;
  const char *sample = gettext (patterns[0]);

  if (g_strcmp0 (seen, sample) == 0)
    return;
  g_free (seen);
  seen = g_strdup (sample);
  g_clear_pointer (&newer, g_hash_table_unref);
  g_clear_pointer (&older, g_hash_table_unref);
}

/* The kept translation of TEXT, which is then among the newer ones; NULL: there is none. */
static const char *
find_kept (const char *text)
{
  gpointer key, value;

  if (newer != NULL && g_hash_table_lookup_extended (newer, text, NULL, &value))
    return value;
  if (older == NULL || !g_hash_table_steal_extended (older, text, &key, &value))
    return NULL;
  g_hash_table_insert (newer, key, value);
  return value;
}

/* Keeps TRANSLATED, which is taken, until many others were kept after it. */
static const char *
keep (const char *text, char *translated)
{
  if (newer == NULL || g_hash_table_size (newer) >= MOST_KEPT)
    {
      g_clear_pointer (&older, g_hash_table_unref);
      older = newer;
      newer = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    }
  g_hash_table_insert (newer, g_strdup (text), translated);
  return translated;
}

static char *
translate_new (const char *text)
{
  for (guint i = 0; patterns[i] != NULL; i++)
    {
      const char *to = gettext (patterns[i]);
      char *made = to != patterns[i] ? vg_composed_text_convert (text, patterns[i], to) : NULL;

      if (made != NULL)
        return made;
    }
  return g_strdup ("");
}

const char *
vg_composed_text_translate (const char *text)
{
  const char *kept;

  check_language ();
  kept = find_kept (text);
  if (kept == NULL)
    kept = keep (text, translate_new (text));
  return *kept != '\0' ? kept : NULL;
}
