/* SPDX-License-Identifier: MIT */
#include "tests/support/io/spc-fixture.h"
#include "tests/support/io/decay-fixture.h"
#include <stdlib.h>

enum { PIXEL = 1, LINE = 2, FRAME = 4, TENTHS_NS = 25 };

SpcVariant
fixture_spc_variant (void)
{
  return (SpcVariant){ .width = 7,
                       .height = 5,
                       .frames = 2,
                       .detectors = { 0, 3 },
                       .photons_per_line = 60,
                       .pixel_ticks = 700,
                       .back_ticks = 9000 };
}

GByteArray *
fixture_spc_header (guint tenths_ns)
{
  GByteArray *bytes = g_byte_array_new ();

  fixture_add (bytes, 0x80000000u | 2u << 27 | tenths_ns, 4);
  return bytes;
}

/* The overflows of the counter of 4096 ticks before TIME: one is a bit of the record that follows,
 * more are a record of their own.  Returns the bit. */
static guint
turn_counter (GByteArray *bytes, guint64 *last, guint64 time)
{
  guint64 turns = time / 4096 - *last / 4096;

  *last = time;
  if (turns > 1)
    fixture_add (bytes, 0xc0000000u | turns, 4);
  return turns == 1 ? 1u << 30 : 0;
}

void
fixture_spc_photon (GByteArray *bytes, guint64 *last, guint64 time, guint detector, guint dtime)
{
  guint turn = turn_counter (bytes, last, time);

  fixture_add (bytes, turn | (4095 - dtime) << 16 | detector << 12 | (guint) (time % 4096), 4);
}

void
fixture_spc_marker (GByteArray *bytes, guint64 *last, guint64 time, guint markers)
{
  guint turn = turn_counter (bytes, last, time);

  fixture_add (bytes, 0x90000000u | turn | markers << 12 | (guint) (time % 4096), 4);
}

/* ---- a scan ---- */

typedef struct
{
  guint64 time;
  guint markers, detector, dtime; /* markers of 0: a photon */
} Event;

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const Event *p = a, *q = b;

  /* the markers of a time come before its photons */
  return p->time != q->time ? (p->time < q->time ? -1 : 1) : (q->markers > 0) - (p->markers > 0);
}

static void
add_event (GArray *events, guint64 time, guint markers, guint detector, guint dtime)
{
  Event event = { time, markers, detector, dtime };

  g_array_append_val (events, event);
}

/* The events of a line that begins at START. */
static void
add_line (GArray *events, const SpcVariant *variant, GRand *random, int frame, int line,
          guint64 start, guint32 *counts)
{
  guint pixel = variant->pixel_ticks, length = pixel * (guint) variant->width;
  gboolean begins = line == 0 && !variant->no_frames && !variant->end_frames;
  guint first = LINE | (begins ? FRAME : 0);

  add_event (events, start, variant->no_pixels ? first : first | PIXEL, 0, 0);
  for (int x = 1; x < variant->width && !variant->no_pixels; x++)
    add_event (events, start + pixel * (guint) x, PIXEL, 0, 0);
  for (int i = 0; i < variant->photons_per_line; i++)
    {
      guint at = g_rand_int (random) % length, dtime = g_rand_int (random) % SPC_CONVERTER_BINS;
      int which = g_rand_boolean (random);
      gsize plane = ((gsize) which * (gsize) variant->frames + (gsize) frame) * SPC_BINS +
                    dtime * SPC_BINS / SPC_CONVERTER_BINS;

      add_event (events, start + at, 0, variant->detectors[which], dtime);
      counts[(plane * (gsize) variant->height + (gsize) line) * (gsize) variant->width +
             at / pixel]++;
    }
  /* photons of the way back are ignored, unless a line lasts until the next one */
  if (variant->back_ticks > 0)
    add_event (events, start + length + variant->back_ticks / 2, 0, variant->detectors[0], 100);
}

GByteArray *
fixture_spc (const SpcVariant *variant, guint32 seed, guint32 **counts)
{
  GByteArray *bytes = fixture_spc_header (TENTHS_NS);
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));
  GRand *random = g_rand_new_with_seed (seed);
  guint64 time = 50, last = 0;

  *counts = g_new0 (guint32, 2 * (gsize) variant->frames * SPC_BINS * (gsize) variant->height *
                                 (gsize) variant->width);
  for (int frame = 0; frame < variant->frames; frame++)
    for (int line = 0; line < variant->height; line++)
      {
        add_line (events, variant, random, frame, line, time, *counts);
        time += variant->pixel_ticks * (guint) variant->width + variant->back_ticks;
        if (variant->end_frames && line == variant->height - 1)
          add_event (events, time, FRAME, 0, 0);
      }
  g_rand_free (random);
  g_array_sort (events, compare_events);
  for (guint i = 0; i < events->len; i++)
    {
      const Event *event = &g_array_index (events, Event, i);

      if (event->markers > 0)
        fixture_spc_marker (bytes, &last, event->time, event->markers);
      else
        fixture_spc_photon (bytes, &last, event->time, event->detector, event->dtime);
    }
  for (int i = 0; i < variant->gaps; i++) /* an invalid photon with the bit of a gap */
    fixture_add (bytes, 0xa0000000u | (guint) (last % 4096), 4);
  return bytes;
}

GByteArray *
fixture_spc_settings (double window_s)
{
  g_autofree char *text = g_strdup_printf (
      "  #SP [SP_TAC_R,F,%g]\r\n  #SP [SP_TAC_G,I,4]\r\n  #SP [SP_TAC_TC,F,%.9g]\r\n"
      "  #SP [SP_ADC_RE,I,1024]\r\n",
      4 * window_s, window_s / 1024);
  GByteArray *bytes = g_byte_array_new ();

  fixture_add (bytes, 0, 8); /* the header is binary */
  return g_byte_array_append (bytes, (const guint8 *) text, (guint) strlen (text));
}
