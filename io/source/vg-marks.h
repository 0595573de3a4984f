/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The marks of a recording: moments to which the user gave a text (docs/files.md). */
G_BEGIN_DECLS

/* Most bytes of a frame's description; marks in a longer one are not read. */
enum { VG_MARKS_TEXT_BYTES = 1 << 16 };

/* Adds the marks in JSON, the description of a frame, to *MARKS (of VgCurveMark), which is made for
 * the first one.  Their times are those of the description, in s.  Texts become one line of at most
 * 240 bytes without control characters, which *MARKS owns until vg_marks_finish: a file may have
 * millions.  Anything that is not a mark is left out. */
void vg_marks_read (GArray **marks, const char *json);
/* Ends the reading of *MARKS (may be NULL): their texts are interned, and their times become
 * seconds after START_S. */
void vg_marks_finish (GArray **marks, double start_s);
/* Sets element INDEX of *EXPOSURES (of double), which is made for the first one, to the exposure
 * time (ms) that JSON, the description of frame INDEX, names; 0: it names none.  Indices ascend. */
void vg_exposures_read (GArray **exposures, gint64 index, const char *json);
/* Adds INDEX to *OUTAGES (of gint64; created for the first one) if the connection to the source was
 * lost before frame INDEX.  JSON is the description of this frame. */
void vg_outages_read (GArray **outages, gint64 index, const char *json);

G_END_DECLS
