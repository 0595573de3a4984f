/* SPDX-License-Identifier: MIT */
#include "ui/words/vg-translation.h"
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
  N_ ("Absorbed in layer %s"),
  N_ ("%s, mean"),
  N_ ("%s, ratio of the means"),
  N_ ("%s-bit float"),
  N_ ("%s-bit (%s used)"),
  N_ ("%s-bit"),
  N_ ("%s-bit %s"),
  N_ ("%s slices"),
  N_ ("1 frame"),
  N_ ("%s frames"),
  N_ ("%s bins"),
  N_ ("%s; %s photons in %s binned pixels"),
  N_ ("%s; %s photons"),
  N_ ("No lifetime"),
  N_ ("maps"),
  N_ ("photons"),
  N_ ("counts/bin"),
  N_ ("photons/ms"),
  N_ ("voxels/s"),
  N_ ("live"),
  N_ ("ended"),
  N_ ("Windows of %s pixels contain few speckles of %s px, so correlation times read about %s %% "
      "low. Set Window bias to Corrected, or use a larger radius or more frames. If the coherence "
      "factor was measured with this window, set Window bias to In the coherence factor."),
  N_ ("There is no baseline, so relative flow has no values: a setting has changed, and the frames "
      "of the baseline are not in memory, or are too few for the new setting. Set the baseline "
      "again."),
  N_ ("The frame interval is unknown, so the baseline is the first 25 maps, or all if there are "
      "fewer, instead of one second. Set the frame interval, or enter the number of maps per "
      "second as Baseline length."),
  N_ ("Some samples are negative, so they are not intensities: the mean is too low and the "
      "contrast too high. Use the frames as recorded, and set the dark level instead of "
      "subtracting it."),
  N_ ("The exposure time is %s ms now, and was %s ms for the baseline. Relative flow is converted "
      "to the exposure time of the baseline. This does not correct for noise and static "
      "scattering, so slow flow can be wrong by more than 10 %%. For exact values, set the "
      "baseline again."),
  N_ ("The data do not state the exposure time; 10 ms is assumed. Flow index and correlation time "
      "depend on it. Set the camera's exposure time if it differs."),
  N_ ("Overexposed pixels make flow look faster than it is. Use less light or a shorter exposure, "
      "or turn on the saturation mask."),
  N_ ("The map ends at a depth of %s cm, but the tissue at %s cm. Set Bin sizes to Fits the tissue "
      "to see all of it."),
  N_ ("The map ends at a depth of %s cm, but light reaches %s cm and more. Set Bin sizes to Fits "
      "the tissue to see it."),
  N_ ("Laser period unknown; assuming the time window of %s ns. At a repetition rate of 80 MHz it "
      "is 12.5 ns."),
  N_ ("The data state a laser period of %s ns, but %s ns is set. Use the stated one, unless it "
      "is wrong."),
  N_ ("The data state a bin width of %s ns, but %s ns is set, and all lifetimes scale with it. Use "
      "the stated one, unless it is wrong."),
  N_ ("Background before the pulse (%s %% of the peak) makes lifetimes read high. Fit an offset, "
      "take it from these bins, use three gates, or set the background%s. If brighter pixels have "
      "more of it, it comes from afterpulses or previous pulses and is not constant."),
  N_ (" and the laser period"),
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
  N_ ("%s is %s in the fit of the mean curve, but %s as the median of the voxels, whose quartiles "
      "are %s and %s."),
  N_ ("The fit of the mean curve ended at a bound (%s), so that its error is too small."),
  N_ ("%s %% of the voxels are at a bound."),
  N_ ("The standard error of a voxel is %s %% of its value, and such noise shifts fits."),
  N_ ("The voxels differ by more than their standard errors, so the region contains different "
      "tissues, such as vessels."),
  N_ ("%s %% of the voxels are more than 4 standard errors from the median, so the region "
      "contains other tissue, such as vessels or fat."),
  N_ ("Report the median and quartiles of the voxels, or draw the region without other tissue."),
  N_ ("Report neither. Draw a larger region of one tissue."),
  N_ ("Report the fit of the mean curve."),
  N_ ("No reason was found. Report both."),
  N_ ("1 edge voxel contains other tissue and is left out."),
  N_ ("%s edge voxels contain other tissue and are left out."),
  N_ ("The data state %s s. Set Frame interval to 0 to use it."),
  N_ ("This is as short as a repetition time. Set the frame interval."),
  N_ ("This is long for a contrast series. Check whether the times are in ms."),
  N_ ("The stains of this image could not be separated, so standard stain colours were "
      "used."),
  N_ ("The stain colour found differs much from the standard one. Check that the map "
      "Stain shows the nuclei, or set Stain to Haematoxylin."),
  N_ ("The image is small, so its stain colours are uncertain. Check that the map Stain "
      "shows the nuclei, or set Stain to Haematoxylin."),
  N_ ("Pixels that are not numbers count as background."),
  N_ ("It is unclear whether nuclei are darker or brighter than the background. If "
      "contours lie between nuclei, set Polarity."),
  N_ ("The classical force was used, because the network cannot be loaded: %s."),
  N_ ("No nucleus was found. Raise Sensitivity, or choose a seed file."),
  N_ ("Seeds outside the image were ignored. Check that the positions in the seed file "
      "are in pixels of this image."),
  N_ ("No polygon in the seed file has an area; a polygon that crosses itself has none. "
      "Use simple polygons or points."),
  N_ ("No seed was found. Raise Sensitivity, add seeds by hand, or choose a seed file."),
  N_ ("The whole image as a grid allows 16 nuclei; the others were ignored. Set Grid to A "
      "tile per nucleus."),
  N_ ("Polygons without area in the seed file were ignored. Use simple polygons or "
      "points."),
  N_ ("Speckles are smaller than 2 pixels, so contrast reads low. Close the aperture or "
      "magnify more."),
  N_ ("Speckles are larger than 5 pixels, so detail is lost. Open the aperture or use a "
      "larger window."),
  N_ ("Many frames have no structure in common with the reference frame, so they were "
      "left where the frame before was. Turn off the motion correction, or record with "
      "more light."),
  N_ ("No pulse found. It needs some seconds of frames, their frame interval, and a range "
      "of rates that contains the pulse."),
  N_ ("The run ended early because a bin is full (2^63 units). Set smaller bins to trace "
      "more photon packets."),
  N_ ("Photon packets with %s of the light were stopped after %s events, because the "
      "tissue hardly absorbs and is very thick. The totals miss this light."),
  N_ ("The medium %s has a refractive index of %s. Air has 1, water 1.33, glass 1.5."),
  N_ ("The medium %s has a refractive index of %s, and the layer next to it %s. Check "
      "that they are not swapped."),
  N_ ("Layer %s scatters far less than the others: its \302\265s (1 \342\210\222 g) is %s "
      "1/cm, theirs %s 1/cm. If its values are in 1/mm, multiply them by 10."),
  N_ ("Layer %s has a refractive index of %s, below that of air. Check that columns or "
      "media are not swapped. The order is n, \302\265a, \302\265s, g, thickness."),
  N_ ("Layer %s has a refractive index of %s. Check the order of the columns: n, "
      "\302\265a, \302\265s, g, thickness."),
  N_ ("Layer %s absorbs more (%s) than it scatters (%s). Check the order of the columns: "
      "n, \302\265a, \302\265s, g, thickness."),
  N_ ("Layer %s scatters little: \302\265s (1 \342\210\222 g) is %s 1/cm. If its values "
      "are in 1/mm, multiply them by 10."),
  N_ ("Layer %s scatters without absorbing and is thick. Photon packets are stopped after "
      "%s events."),
  N_ ("Layer %s has a thickness of 0."),
  N_ ("Layer %s is a half-space, so no light reaches the layers below it."),
  N_ ("The tissue is %s cm thick. If its thickness is in mm, divide it by 10."),
  N_ ("The tissue is %s transport lengths thick, more than light can cross. If its "
      "thickness is in mm, divide it by 10."),
  N_ ("The tissue scatters little: \302\265s (1 \342\210\222 g) is %s 1/cm on average. If "
      "values are in 1/mm, multiply them by 10."),
  N_ ("No pixel has enough photons. Lower Minimum photons, or increase Pixel binning."),
  N_ ("The fit range starts at %s ns, after the end of the time window at %s ns. Move it "
      "into the time window."),
  N_ ("The laser period is shorter than the time window of %s ns, so the next pulse would "
      "show in the data. Check the repetition rate."),
  N_ ("Phasors are not calibrated, so they are rotated and their lifetimes are wrong. "
      "Choose a measured IRF, or set IRF model to Estimated with the decay. Also check "
      "the laser period."),
  N_ ("Phasors are not calibrated, so they are rotated in the plot and in their maps. "
      "Choose a measured IRF, or set IRF model to Estimated with the decay. Also check "
      "the laser period."),
  N_ ("Bin width unknown; assuming 0.1 ns. All lifetimes scale with it. Set the bin width "
      "of the recording."),
  N_ ("There are too few bins before the pulse to measure the offset, so it is 0. Fit the "
      "offset, or set the background."),
  N_ ("The IRF lies outside the time window of %s ns. Shift it, or choose another."),
  N_ ("The measured IRF has no counts. Choose another one, or an IRF model."),
  N_ ("The decay does not rise within the time window, so no IRF can be found in it. "
      "Choose a measured IRF, or set IRF model to None."),
  N_ ("The IRF peaks later than the decay, which is impossible. Choose the IRF of this "
      "instrument, or shift it."),
  N_ ("The estimated IRF is skewed. Choose a measured IRF if short lifetimes matter: the "
      "tail of %s ns cannot be determined from a decay alone, so they may read 10 to 20 "
      "%% low."),
  N_ ("The IRF has %s time bins and no bin width, and the data have %s time bins. The bin "
      "width of the data, %s ns, is used for both. Check that the IRF was recorded with it."),
  N_ ("The IRF is channel %s of the %s in its file: the brightest, unless one was chosen. "
      "FILE#channel=%s chooses another."),
  N_ ("The decay does not rise, so the IRF is not shifted. Set the IRF shift by hand."),
  N_ ("This method uses only the tail, which does not determine the IRF shift, so the "
      "shift is 0."),
  N_ ("Many phasors belong to no lifetime, or could be constant light. Calibrate them "
      "with an IRF, increase pixel binning, or choose another method."),
  N_ ("In many pixels the mean lifetime of a stretched exponential is uncertain by a "
      "factor of two, or the light could be constant. Increase pixel binning, or fit one "
      "or two lifetimes."),
  N_ ("The global fit did not converge for some pixels, or could not separate their "
      "lifetimes. Fit fewer lifetimes, or fix a known one."),
  N_ ("Many decays do not fall as the method expects, or by less than their noise. Check "
      "the fit range, increase pixel binning, or choose another method."),
  N_ ("Some counts are negative, so they are not photons. Open the data as recorded, "
      "before a background was subtracted or counts were scaled."),
  N_ ("Counters overflowed in these pixels, so they are excluded. Record for a shorter "
      "time."),
  N_ ("Fits deviate from the data by more than noise. Choose a method with more "
      "lifetimes, or another IRF."),
  N_ ("The baseline is set to frame %s, but the series has %s frames, so its last frame "
      "is used. Set Last baseline frame to 0 to find it."),
  N_ ("The baseline is set to end at frame %s, but the artery peaks at frame %s, so the "
      "baseline contains contrast. Lower Last baseline frame."),
  N_ ("These data look like CT numbers: many samples are far below 0, like air. Set "
      "Signal model to CT, enhancement in HU."),
  N_ ("These data look like concentrations, not MRI signal: most voxels are about 0 "
      "before the bolus. Set Signal model to Concentration."),
  N_ ("Only one frame before the bolus was found. Check Last baseline frame."),
  N_ ("The curve of %s falls further below 0 than it rises above it. Check the position, "
      "the signal model, and whether contrast agent lowers the signal in this series."),
  N_ ("T1 was computed with the repetition time that \"%s\" states, %s ms. The "
      "setting, %s ms, applies to the contrast series only."),
  N_ ("The T1 map was read in seconds because its values are below 20. If it is a map of "
      "R1, choose one of T1 in ms."),
  N_ ("In most voxels one compartment fits as well as two, or exchange is too fast to "
      "measure. Set Model to One compartment, or fit the mean curves of regions."),
  N_ ("The data lack the repetition time, the flip angle or both, so the signal is taken as "
      "proportional to the concentration. For a spoiled gradient echo, perfusion can then be "
      "several times too high. Set Signal model, Repetition time and Flip angle."),
  N_ ("Files with several time points each were joined in sequence. If they are not parts "
      "of one series, open them one by one."),
  N_ ("the artery"),
  N_ ("the portal vein"),
  N_ ("above"),
  N_ ("below"),
  N_ ("The objects have a radius of %s \302\265m, but nuclei have 2 to 15 \302\265m. Check the "
      "pixel size, and whether the image shows nuclei."),
  N_ ("No brown stain was found, so the percentage and the H-score are not valid: in the nuclei "
      "counted as positive, DAB has only %s %% of the optical density of haematoxylin, as on "
      "slides without DAB. Switch DAB positivity off, or check the colours of the image."),
  N_ ("Most contours disappeared, so a radius of %s px may not fit these nuclei. %s"),
  N_ ("It was measured in the image. Set it by hand."),
  N_ ("Set it to 0 to measure it."),
  N_ ("Weights from the counts make lifetimes read 7 to 10 %s low at 1500 photons. Take "
      "the weights from the model, or fit by maximum likelihood."),
  N_ ("The %s does not fit these data: it leaves %s %% of the photons near the pulse "
      "onset unexplained. Short lifetimes are affected first. %s"),
  N_ ("measured IRF"),
  N_ ("Choose a measured IRF, or the IRF estimated with the decay."),
  N_ ("Choose a measured IRF."),
  N_ ("Choose an IRF recorded with the same settings and cut where its noise begins."),
  N_ ("Fit the IRF shift, or choose an IRF recorded with the same settings and cut where "
      "its noise begins."),
  N_ ("\"%s\", line %s: %s"),
  N_ ("%s / %s"),
  N_ ("%s (population)"),
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
      gboolean quoted; /* the name of a file stands between quotation marks */

      from = from != NULL ? take_literal (from, literal) : NULL;
      quoted = from != NULL && *from == '"' && g_str_has_suffix (literal->str, "\"");
      to = take_literal (to, literal);
      g_string_append_len (made, literal->str, (gssize) literal->len);
      if (to != NULL && i < pieces->len)
        g_string_append (made, quoted ? pieces->pdata[i] : vg_translate (pieces->pdata[i]));
    }
  return g_string_free (made, FALSE);
}

/* Texts that were translated lately, with "" for one that no pattern fits, so that a text on the
 * screen is not matched again at every redraw. */
static GHashTable *newer, *older;

/* Forgets what was kept in another language.  FALSE: there is no catalogue of this language. */
static gboolean
check_language (void)
{
  static const char head[] = ""; /* the translation of the empty text */
  static char *seen;
  const char *now = gettext (head);

  if (g_strcmp0 (seen, now) == 0)
    return *now != '\0';
  g_free (seen);
  seen = g_strdup (now);
  g_clear_pointer (&newer, g_hash_table_unref);
  g_clear_pointer (&older, g_hash_table_unref);
  return *now != '\0';
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

/* Lines are texts of their own. */
static char *
translate_lines (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *line = g_strdup (vg_translate (lines[i]));

      g_free (lines[i]);
      lines[i] = line;
    }
  return g_strjoinv ("\n", lines);
}

/* By the first pattern of LIST that TEXT fits; NULL: none. */
static char *
translate_by (const char *const *list, const char *text)
{
  for (guint i = 0; list[i] != NULL; i++)
    {
      gboolean begins = *list[i] == '%' || *list[i] == *text;
      const char *to = begins ? gettext (list[i]) : list[i];
      char *made = to != list[i] ? vg_composed_text_convert (text, list[i], to) : NULL;

      if (made != NULL)
        return made;
    }
  return NULL;
}

static char *
translate_new (const char *text)
{
  char *made;

  if (strchr (text, '\n') != NULL)
    return translate_lines (text);
  made = translate_by (vg_recording_patterns, text);
  if (made == NULL)
    made = translate_by (vg_error_patterns, text); /* more specific than those that follow */
  if (made == NULL)
    made = translate_by (vg_note_patterns, text);
  if (made == NULL)
    made = translate_by (patterns, text);
  return made != NULL ? made : g_strdup ("");
}

const char *
vg_composed_text_translate (const char *text)
{
  const char *kept;

  if (!check_language ())
    return NULL;
  kept = find_kept (text);
  if (kept == NULL)
    kept = keep (text, translate_new (text));
  return *kept != '\0' ? kept : NULL;
}
