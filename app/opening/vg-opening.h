/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/opening/vg-known-sizes.h"
#include "app/pipeline/vg-pipeline.h"
#include "app/session/vg-session.h"
/* Opening data is a transaction.  The session changes only after the pipeline has opened the
 * source, so a bad file changes nothing.  Where the session has to change first, by undo, a session
 * file or another view, it is restored when the opening fails: to its state before all openings
 * that have not completed.  A new opening replaces the one before. */
G_BEGIN_DECLS

#define VG_TYPE_OPENING (vg_opening_get_type ())
G_DECLARE_FINAL_TYPE (VgOpening, vg_opening, VG, OPENING, GObject)
/* Signals:
 * - "started": the pipeline opens the inputs.
 * - "changing-view": the session is about to change to another operation.
 * - "failed" (GError *error): the files cannot be opened; call vg_opening_abort. */

/* ANY_VIEW: no operation was asked for, so the first files choose it. */
VgOpening *vg_opening_new (VgSession *session, gboolean any_view);
/* Another pipeline, in which nothing is open, or NULL.  Ends the opening. */
void vg_opening_set_pipeline (VgOpening *self, VgPipeline *pipeline);
VgPipeline *vg_opening_get_pipeline (VgOpening *self);
VgSession *vg_opening_get_session (VgOpening *self);

/* ---- begin ---- */

/* Opens INPUTS with the session's operation; NULL or empty: the sample data. */
void vg_opening_open (VgOpening *self, const char *const *inputs, const char *read_options);
/* Opens FILES, which may belong to another operation or be settings files.  FALSE and an error:
 * nothing was begun. */
gboolean vg_opening_open_files (VgOpening *self, const char *const *files, const char *read_options,
                                GError **error);
/* Changes to OPERATION unless it is shown, opens FILES, which are known to be its own, or the
 * sample data, and then sets SETTINGS, each "id=value" with a valid value (NULL: none); one undo
 * step.  The same error. */
gboolean vg_opening_open_in (VgOpening *self, const VgOperation *operation,
                             const char *const *files, const char *read_options,
                             const char *const *settings, GError **error);
/* Opens run RUN, from 0, of the settings files INPUTS; the same error. */
gboolean vg_opening_open_run (VgOpening *self, const char *const *inputs, int run, GError **error);
/* Opens the session's inputs.  RESUME: an engine state that has the same parameters and data
 * continues. */
void vg_opening_open_current (VgOpening *self, gboolean resume);
/* Changes to OPERATION for what is opened next. */
void vg_opening_go_to (VgOpening *self, const VgOperation *operation);
/* Changes to OPERATION while nothing is open, and opens nothing; one undo step. */
void vg_opening_show_view (VgOpening *self, const VgOperation *operation);
/* Changes to OPERATION and opens its inputs; one undo step. */
void vg_opening_switch_view (VgOpening *self, const VgOperation *operation);
/* Loads the session file PATH; its inputs are still to be opened.  SAVED_AS: the file that Save
 * writes to, or NULL.  FALSE and an error: the session is as it was. */
gboolean vg_opening_load_session (VgOpening *self, const char *path, const char *saved_as,
                                  GError **error);
/* Undoes or redoes a step, which may open earlier inputs. */
void vg_opening_step (VgOpening *self, void (*step) (VgSession *session));

/* ---- end ---- */

/* FALSE: what the pipeline has opened is not the newest opening, which is under way. */
gboolean vg_opening_note_opened (VgOpening *self);
/* Sets the session to what has opened, with INFO (NULL: none).  SAME_SLIDE: the inputs are the
 * slide that is shown, so zoom and centre stay.  Regions stay only on data of the size of those
 * that they were drawn on, or on the same slide.  TRUE: the same inputs were read with other
 * options.  The caller may change the session further, and ends with vg_opening_commit. */
gboolean vg_opening_adopt (VgOpening *self, const VgImageInfo *info, gboolean same_slide);
/* TRUE: the adoption removed the session's regions, because they were not drawn on data of the size
 * of the opened data.  SIZE: of the data they were drawn on; width 0: it is not known. */
gboolean vg_opening_dropped_regions (VgOpening *self, VgDataSize *size);
/* Ends the undo step, and the opening. */
void vg_opening_commit (VgOpening *self, const VgImageInfo *info);
/* TRUE: the opening of this number is under way. */
gboolean vg_opening_is_number (VgOpening *self, guint number);
/* TRUE: the operation that the files belong to is searched for, because of ERROR. */
gboolean vg_opening_retry (VgOpening *self, const GError *error);
/* TRUE: the file that could not be opened may contain frames without a header.  SIZE: its bytes. */
gboolean vg_opening_may_be_raw (VgOpening *self, gint64 *size);
/* As vg_opening_may_be_raw, and the file's name says so too. */
gboolean vg_opening_needs_geometry (VgOpening *self, gint64 *size);
/* Restores the session.  FALSE: its inputs have to be opened again, which has begun. */
gboolean vg_opening_abort (VgOpening *self);

gboolean vg_opening_is_active (VgOpening *self);
/* The first opening has completed: undo does not go beyond it. */
gboolean vg_opening_has_completed (VgOpening *self);
/* The session changes by the opening, so its changes are not sent to the pipeline. */
gboolean vg_opening_is_adopting (VgOpening *self);
/* Of the opening under way; NULL: there is none. */
const char *const *vg_opening_get_inputs (VgOpening *self);
const char *vg_opening_get_read_options (VgOpening *self);
/* Stores the frame shown in the session's view. */
void vg_opening_note_frame (VgOpening *self, gint64 frame);

G_END_DECLS
