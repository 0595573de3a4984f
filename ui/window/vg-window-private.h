/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/batch/vg-session-batch.h"
#include "app/opening/vg-opening.h"
#include "app/pipeline/vg-pipeline.h"
#include "app/session/vg-session.h"
#include "ui/bars/vg-compare-bar.h"
#include "ui/bars/vg-frame-bar.h"
#include "ui/bars/vg-header.h"
#include "ui/bars/vg-record-bar.h"
#include "ui/bars/vg-status-bar.h"
#include "ui/bars/vg-toolbar.h"
#include "ui/bars/vg-work-bar.h"
#include "ui/camera/vg-camera.h"
#include "ui/common/vg-banner.h"
#include "ui/common/vg-response.h"
#include "ui/correct/vg-correction.h"
#include "ui/event/vg-event-button.h"
#include "ui/pages/vg-charts.h"
#include "ui/panels/vg-cautions.h"
#include "ui/panels/vg-read-options-panel.h"
#include "ui/panels/vg-side-pane.h"
#include "ui/sweep/vg-sweep-dialog.h"
#include "ui/theatre/vg-theatre.h"
#include "ui/transport/vg-transport.h"
#include "ui/viewer/vg-viewer.h"
#include "ui/volume/vg-level-drag.h"
#include "ui/inspect/vg-inspector.h"
#include "ui/inspect/vg-object-selection.h"
#include "ui/window/vg-output-choice.h"
#include "ui/panes/vg-panes.h"
#include "ui/inspect/vg-probe.h"
#include "ui/window/vg-session-journal.h"
#include "ui/window/vg-window.h"
/* The window ties its parts together.  A file may call those that stand above it here:
 *   vg-window-message.c   banners, and what is still being written
 *   vg-window-slide.c     the slide, and its analysed region
 *   vg-window-theatre.c   theatre mode
 *   vg-window-correct.c   corrections of objects by strokes
 *   vg-window-state.c     what is shown of the state of the work
 *   vg-window-result.c    results from the pipeline to the widgets
 *   vg-window-changes.c   changes of the session to the pipeline and the widgets
 *   vg-window-opening.c   opening data
 *   vg-window-session.c   opening and saving sessions
 *   vg-window-regions.c   importing and finding regions
 *   vg-window-export.c    exporting maps, and the command that computes them
 *   vg-window-files.c     file dialogs, drops
 *   vg-window-data.c      which data are on the screen
 *   vg-window-camera.c    choosing a camera, how it does, and sending maps
 *   vg-window-find.c      what the finder lists, and where that leads
 *   vg-window-help.c      the help pane
 *   vg-window-preferences.c  what the preferences do
 *   vg-window-remember.c  what it leaves for the next window
 *   vg-window-actions.c   the actions and their keys (vg-window-keys.c)
 *   vg-window.c           the widget, the pipeline, and the signals of both */
G_BEGIN_DECLS

/* What a window begins with, as the preferences list it. */
typedef enum { VG_START_SAMPLE, VG_START_LAST, VG_START_EMPTY, VG_N_STARTS } VgStart;

/* File in which a window leaves its session when it closes. */
#define VG_LAST_SESSION "last-session.vivograph"

/* What the banner is about, so that it is hidden when the cause is gone. */
typedef struct
{
  const VgParam *param;   /* that its button leads to */
  guint64 refused_serial; /* of settings that were refused; 0: none */
  gboolean unprepared;    /* there is no map yet, only the input */
  gboolean ended;         /* that a live source has ended was reported */
  char *exported;         /* the folder or file that its button shows; NULL: none */
  char **bare;            /* files that its button opens as raw frames; NULL: none */
  gint64 bare_size;       /* bytes of the first of them */
  char *gl_failure;       /* the image cannot be drawn; NULL: it can */
  char *found;            /* the notice about regions that were found; NULL: none */
  GArray *found_ids;      /* guint, of these regions */
} VgBannerCause;

typedef struct
{
  guint n;                 /* sessions and maps that are being written */
  gboolean closing;        /* the window closes once they are written */
  GCancellable *exporting; /* NULL: nothing is exported */
  VgSessionBatch *filming; /* makes a movie after an export; NULL: none */
  guint autosave_id;       /* timer; 0: nothing waits to be saved by itself */
} VgWriting;

typedef struct
{
  guint id, n;
  guint deferred; /* ticks in a row that left the frame to a result */
} VgTick;

/* Where the user finds things, and finds out about them. */
typedef struct
{
  GtkWidget *finder; /* a button whose popover is the VgFinder */
  GtkWidget *pane;   /* VgHelpPane */
} VgHelpWidgets;

typedef struct
{
  GtkWidget *bar;   /* VgRecordBar */
  GtkWidget *panel; /* VgRecordPanel */
  gint64 from_us;   /* with which frames a recording that is being named begins, or G_MAXINT64 */
} VgRecordWidgets;

/* What was sent to the pipeline last. */
typedef struct
{
  guint64 params_serial;
  guint64 regions_serial;
  int everywhere; /* the region that counts in every slice; -1: none */
  int output;     /* -1: none */
  double fps;     /* of playback; negative: none */
  gboolean loop;
} VgSent;

/* Data whose result is on the screen. */
typedef struct
{
  const VgOperation *operation; /* NULL: none yet */
  char **inputs;
  char *read_options;
  gboolean is_left; /* they are off the screen, because others are being opened */
  gint64 left_us;   /* since when */
  gint64 opened_us; /* when the newest opening began */
  VgResult *kept;   /* then their newest result, for the case that the opening fails; or NULL */
} VgShownData;

struct _VgWindow
{
  GtkApplicationWindow parent_instance;

  VgSettings *settings;
  VgSession *session;
  VgPipeline *pipeline; /* NULL: the window is closing */
  VgResult *result;     /* the newest on the screen; NULL: none */
  VgShownData shown;
  VgBackend backend;
  gboolean left_over; /* there is no result yet, and the image is of the input before */
  gboolean fresh;     /* the slow widgets have not shown the result */
  guint result_id;    /* idle source that takes the result; 0: none */
  VgTick tick;
  VgSent sent;
  VgResponse response;
  VgBannerCause cause;
  VgWriting writing;
  GCancellable *finding;                              /* of the search for regions; NULL: none */
  VgSlidePlace place;                                 /* of the data on its slide */
  void (*chosen) (VgWindow *self, GListModel *files); /* called with the file dialog's answer */

  /* parts */
  VgOpening *opening;
  VgHeader *header;
  VgViewer *viewer;
  VgOutputChoice *outputs;
  VgObjectSelection *objects;
  VgCorrection *correction;
  VgProbe *probe;
  VgInspector *inspector;
  VgSessionJournal *journal;
  VgCamera *camera;

  /* widgets */
  GtkWidget *box, *panes, *image_box, *theatre, *side, *toolbar, *charts;
  GtkWidget *event; /* the VgEventButton over the image */
  GtkWidget *sweep; /* the contact sheet; NULL: it is not open */
  GtkWidget *banner, *question, *cautions, *compare, *transport, *status;
  VgRecordWidgets record;
  VgHelpWidgets help;
};

/* vg-window-correct.c */
/* The map of the objects is shown; FALSE: this operation has none that can be corrected. */
gboolean vg_window_begin_corrections (VgWindow *self);
/* Connects the strokes over the image, which replaces the one before. */
void vg_window_watch_strokes (VgWindow *self);

/* vg-window-message.c */
/* Shows TEXT in the banner, with a button that leads to the parameter it names, if it does. */
void vg_window_show_banner (VgWindow *self, VgBannerKind kind, const char *text);
/* TEXT, with a button that shows FOLDER, or with REPORT the report in it. */
void vg_window_show_exported (VgWindow *self, const char *folder, gboolean report,
                              const char *text);
char *vg_window_describe_source (VgWindow *self);
void vg_window_message (VgWindow *self, gboolean failed, const char *text);
/* Shows the page Settings and focuses PARAM's control. */
void vg_window_go_to (VgWindow *self, const VgParam *param);
void vg_window_connect_banners (VgWindow *self);
void vg_window_begin_writing (VgWindow *self);
/* A window that was to be closed stays open to report what was not WRITTEN. */
void vg_window_end_writing (VgWindow *self, gboolean written);
/* FALSE: something is being written, and the window closes then; the second time it is aborted. */
gboolean vg_window_may_close (VgWindow *self);

/* vg-window-slide.c */
/* Shows the slide that the open data are a region of, or none. */
void vg_window_show_slide (VgWindow *self);
/* Shows the file being opened at once if it is a slide. */
void vg_window_expect_slide (VgWindow *self);
/* Read options that analyse the visible region of the slide, or the bounding box of the selected
 * region; NULL: refused, which has been reported.  Owned by the caller. */
char *vg_window_analyse_shown (VgWindow *self);
char *vg_window_analyse_region (VgWindow *self);
/* Index of the selected region; -1: none. */
int vg_window_selected_region (VgWindow *self);
/* The data of INFO are another region of the same slide: moves regions and points with it. */
void vg_window_move_points (VgWindow *self, const VgImageInfo *info);
/* Connects the signals of a new image view. */
void vg_window_watch_slide (VgWindow *self);

/* vg-window-state.c */
gboolean vg_window_is_running (VgWindow *self);
/* FALSE after the end of a stream that cannot be read again. */
gboolean vg_window_can_run (VgWindow *self);
/* FALSE: the result has no map, only metrics. */
gboolean vg_window_has_image (VgWindow *self);
VgWorkBar *vg_window_get_work_bar (VgWindow *self);
VgFrameBar *vg_window_get_frames (VgWindow *self);
VgReadOptionsPanel *vg_window_get_read_options (VgWindow *self);
void vg_window_show_title (VgWindow *self);
/* States of the action "tool", in the order of VgTool, ending with NULL. */
extern const char *const vg_window_tools[];
/* Updates which actions are enabled, and their states. */
void vg_window_enable_actions (VgWindow *self);
/* Buttons, progress and counts: cheap, called a few times a second. */
void vg_window_show_state (VgWindow *self);
/* The widgets that need not follow every result. */
void vg_window_show_result (VgWindow *self);
/* Stores the frame shown in the session's view. */
void vg_window_note_frame (VgWindow *self);

/* vg-window-data.c */
/* What is being opened takes the place of the data on the screen.  Unless it is the same data:
 * everything that belongs to these is taken off, until vg_window_show_data() or
 * vg_window_return_to_data(). */
void vg_window_leave_data (VgWindow *self);
/* The data that are open are the session's: shows what is known of them before their result. */
void vg_window_show_data (VgWindow *self);
/* Tells in the image's place what is waited for. */
void vg_window_show_waiting (VgWindow *self);
/* Tells how long the first frame of a live source has been waited for. */
void vg_window_update_waiting (VgWindow *self);
/* The opening has failed: shows what was left. */
void vg_window_return_to_data (VgWindow *self);
void vg_window_free_shown (VgWindow *self);

/* vg-window-theatre.c */
void vg_window_switch_theatre (VgWindow *self);
/* Requests the statistics of the whole map while theatre mode or the page Results shows them. */
void vg_window_send_whole (VgWindow *self);
/* The second screen; theatre mode begins with it. */
void vg_window_switch_mirror (VgWindow *self);
void vg_window_choose_next_region (VgWindow *self);
void vg_window_watch_mirror (VgWindow *self);
/* FALSE: it was not on.  A side pane over the image is hidden first. */
gboolean vg_window_leave_theatre (VgWindow *self);
void vg_window_set_baseline (VgWindow *self);
/* Marks the time of the result in the time courses. */
void vg_window_mark_time (VgWindow *self);
void vg_window_watch_marks (VgWindow *self);
/* Asks for words first.  Where there are slices, the same key shows all of them. */
void vg_window_ask_for_mark (VgWindow *self);

/* vg-window-changes.c */
/* Sends all of the session to a pipeline that has opened other input. */
void vg_window_send_all (VgWindow *self);
void vg_window_send_params (VgWindow *self);
void vg_window_connect_session (VgWindow *self);
/* Opens the contact sheet of a setting. */
void vg_window_open_sweep (VgWindow *self);

/* vg-window-result.c */
/* The device whose memory results are in. */
void vg_window_set_cuda (VgWindow *self);
/* Shows RESULT, or nothing for NULL, in the image and in the three planes. */
void vg_window_show_image (VgWindow *self, VgResult *result);
/* RESULT is owned by the window from now on; NULL: none. */
void vg_window_set_result (VgWindow *self, VgResult *result);
void vg_window_connect_results (VgWindow *self);
/* Connects the frame clock, once realized. */
void vg_window_watch_painting (VgWindow *self);
void vg_window_state_changed (VgWindow *self);

/* vg-window-opening.c */
/* Asks for the size of the frames of INPUTS, whose first file has SIZE bytes and no header. */
void vg_window_ask_for_geometry (VgWindow *self, const char *const *inputs, gint64 size);
/* Opens the same files with other read options. */
void vg_window_choose_read_options (VgWindow *self, const char *read_options);
/* Asks for the true length of the ruler's line, or for a line. */
void vg_window_choose_scale (VgWindow *self);
/* Adds what is shown while nothing is open. */
void vg_window_add_welcome (VgWindow *self);
/* Shows the gallery of samples. */
void vg_window_choose_sample (VgWindow *self);
/* NAME: id of the operation, a slash, and the id of the sample or its path among the examples. */
void vg_window_open_sample (VgWindow *self, const char *name);
/* The session is restored to its state before the opening. */
void vg_window_abort_opening (VgWindow *self);
void vg_window_connect_opening (VgWindow *self);
void vg_window_opened (VgWindow *self); /* the pipeline has opened its input */
void vg_window_opening_failed (VgWindow *self, const GError *error, guint opening);

/* vg-window-session.c */
void vg_window_watch_question (VgWindow *self);
void vg_window_open_last_session (VgWindow *self);
/* Loads the session and opens its inputs; FALSE: the failure was reported.  SAVED_AS: the file that
 * Save writes to, or NULL. */
gboolean vg_window_load_session (VgWindow *self, const char *path, const char *saved_as);
/* FALSE: the session has no file yet. */
gboolean vg_window_save (VgWindow *self);
void vg_window_save_as (VgWindow *self, const char *path);
/* Saves a session that has a file, if the user prefers that: after a while, or now. */
void vg_window_autosave_later (VgWindow *self);
void vg_window_autosave (VgWindow *self);

/* vg-window-regions.c */
/* Imports a list of regions or a label mask, and reports it if that fails. */
void vg_window_import_regions (VgWindow *self, const char *path);
/* Finds the regions in the data that the user has not marked, and sets them in one step. */
void vg_window_find_regions (VgWindow *self);
/* Sets the parameter ID to the mean of its output (VgSlider.mean_of) in the region that is read,
 * over the second before the map in view. */
void vg_window_take_mean (VgWindow *self, const char *id);
/* Hides the notice about regions that were found once one of them is gone, as after an undo. */
void vg_window_check_found (VgWindow *self);
void vg_window_forget_found (VgWindow *self);
/* Cancels the search, of which nothing is used; FALSE: there is none. */
gboolean vg_window_stop_finding (VgWindow *self);

/* vg-window-movie.c */
/* The frames of a movie of the map on the screen (vg_session_batch_count_frames), the LIMITS of its
 * colours (both 0: they have none), and the interval of the frames (0: not known). */
gint64 vg_window_count_film (VgWindow *self, double limits[2], double *interval_s);
/* Makes the movie of OPTIONS in FOLDER and reports it. */
void vg_window_film (VgWindow *self, const char *folder, const VgExportOptions *options);
/* Cancels it and waits until its thread has ended. */
void vg_window_abandon_film (VgWindow *self);

/* vg-window-export.c */
/* A name to propose for an output file or folder: that of the opened file, or else of the view,
 * with SUFFIX; owned. */
char *vg_window_name_output (VgWindow *self, const char *suffix);
void vg_window_choose_export (VgWindow *self);
/* The same, with the report selected. */
void vg_window_choose_report (VgWindow *self);
/* To the clipboard: the command that computes the maps, and a text that tells how they were. */
void vg_window_copy_command (VgWindow *self);
void vg_window_copy_methods (VgWindow *self);

/* vg-window-files.c */
void vg_window_choose_open (VgWindow *self, gboolean session);
/* Asks for a folder of DICOM files. */
void vg_window_choose_folder (VgWindow *self);
void vg_window_choose_regions (VgWindow *self);
void vg_window_choose_save (VgWindow *self);
void vg_window_choose_screenshot (VgWindow *self);
/* The file to SAVE the painted mask to, or to open in its place. */
void vg_window_choose_mask (VgWindow *self, gboolean save);
void vg_window_choose_record (VgWindow *self);
void vg_window_accept_drops (VgWindow *self);

/* vg-window-camera.c */
void vg_window_choose_camera (VgWindow *self);
void vg_window_watch_camera (VgWindow *self);
/* Shows the dialog for sending maps to other programs, and that for receiving DICOM images. */
void vg_window_choose_send (VgWindow *self);
void vg_window_choose_receive (VgWindow *self);
/* Receives DICOM images at ADDRESS. */
void vg_window_receive (VgWindow *self, const char *address);
/* A new pipeline sends them, too. */
void vg_window_set_sender (VgWindow *self);

/* vg-window-find.c */
void vg_window_add_finder (VgWindow *self);
void vg_window_show_finder (VgWindow *self);
/* NAME is "VIEW/ID" of a setting or a map; another view is shown first. */
void vg_window_find_setting (VgWindow *self, const char *name);
void vg_window_find_map (VgWindow *self, const char *name);
/* ID of a page of plots. */
void vg_window_find_plot (VgWindow *self, const char *id);

/* vg-window-preferences.c */
/* TRUE: the window began empty, nothing has been opened since, and OPERATION needs data. */
gboolean vg_window_stays_empty (VgWindow *self, const VgOperation *operation);
/* The settings' choice, unless the command line made one. */
VgBackend vg_window_choose_backend (VgSettings *settings, const VgApplicationOptions *options);
int vg_window_choose_display (VgSettings *settings, const VgApplicationOptions *options);
/* Of a new session. */
void vg_window_apply_preferences (VgWindow *self);
void vg_window_set_ground (VgWindow *self);
/* The preference KEY has changed; FALSE: it is none that these functions know. */
gboolean vg_window_follow_preference (VgWindow *self, const char *key);

/* vg-window-help.c */
/* At the right of PANES; returns both in a box. */
GtkWidget *vg_window_add_help (VgWindow *self, GtkWidget *panes);
/* The page of the view, or of the setting that has the keyboard; closes it if it is shown. */
void vg_window_show_help (VgWindow *self);
/* Builds the window of shortcuts at its first use. */
void vg_window_show_shortcuts (VgWindow *self);
/* Points at the parts of the window, one after the other. */
void vg_window_take_tour (VgWindow *self);
/* Starts the tour at the first start of the program, once there is an image; not where
 * VIVOGRAPH_NO_TOUR is set. */
void vg_window_offer_tour (VgWindow *self);
/* A document such as "files.md". */
void vg_window_show_document (VgWindow *self, const char *page);

/* vg-window-keys.c */
void vg_window_add_keys (VgWindow *self);
/* The first key of a detailed action, such as "Ctrl+O", owned; NULL: it has none. */
char *vg_window_name_key (VgWindow *self, const char *action);

/* vg-window-remember.c */
void vg_window_restore_size (VgWindow *self);
void vg_window_remember (VgWindow *self);

/* vg-window.c: another pipeline is started for another backend */
void vg_window_start_pipeline (VgWindow *self);
void vg_window_stop_pipeline (VgWindow *self);

/* vg-window-actions.c */
void vg_window_add_actions (VgWindow *self);

G_END_DECLS
