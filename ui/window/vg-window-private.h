/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-banner.h"
#include "ui/panels/vg-cautions.h"
#include "ui/pages/vg-charts.h"
#include "ui/common/vg-commit.h"
#include "ui/panels/vg-display-panel.h"
#include "ui/panels/vg-frame-bar.h"
#include "ui/picture/vg-image-view.h"
#include "app/session/vg-journal.h"
#include "ui/params/vg-param-panel.h"
#include "app/record/vg-part-mark.h"
#include "app/pipeline/vg-pipeline.h"
#include "ui/panels/vg-read-options-panel.h"
#include "ui/common/vg-response.h"
#include "ui/panels/vg-results-panel.h"
#include "ui/panels/vg-status-bar.h"
#include "ui/window/vg-window.h"
/* The window's fields, shared by its source files: vg-window.c makes it,
 * -data.c ties session and pipeline to the widgets, -opening.c takes what has opened, -files.c
 * opens and writes files, -session.c opens and saves sessions, -journal.c keeps what is unsaved,
 * -suits.c finds the view a file belongs to, -compare.c keeps a result to compare with, -actions.c
 * holds the actions, -keys.c their keys. */
G_BEGIN_DECLS

/* Where a window that closes leaves its session. */
#define VG_LAST_SESSION "last-session.vivograph"

/* What is being opened, until it has opened or failed. */
typedef struct
{
  gboolean active;
  char **inputs;
  char *read_options;
  void *params;                 /* read from a settings file; NULL: not from one */
  const VgOperation *operation; /* of params */
  int run;                      /* of that file */
  gboolean choose_view;         /* when it fails, the view that suits the file is looked for */
  GCancellable *looking;        /* that, or NULL */
  /* with work that was left, if it is of the same settings and data */
  gboolean goes_on;
  /* the session to go back to when it fails; NULL: it has not changed */
  VgSessionMark *before;
  guint number, marked_at; /* the pipeline's; which it was when the session was marked */
} VgOpening;

/* Progress since work began, or went on, to tell what is left. */
typedef struct
{
  VgPipelineState state;
  guint generation;
  double start; /* progress at `since_us`; negative: not known */
  gint64 since_us;
  gint64 busy_us; /* when one picture was last seen to take long */
} VgPace;

struct _VgWindow
{
  GtkApplicationWindow parent_instance;

  VgSettings *settings;
  /* no view was asked for: the first files opened are looked at before */
  gboolean view_is_open;
  VgSession *session;
  struct
  {
    VgJournal *own;           /* of this window; NULL: there can be none */
    VgJournal *restoring;     /* what is being opened of what was left; NULL: nothing */
    GPtrArray *left;          /* of VgJournal, by programs that did not come to their end */
    char *saved;              /* the session's text that needs no saving; NULL: none */
    gboolean unsaved, failed; /* there is other; it could not be written */
    guint write_id;
  } journal;
  char *asked; /* the session that the user is asked about; NULL: none */
  VgPipeline *pipeline;
  VgResult *result; /* the newest; NULL: none */
  VgBackend backend;
  int display_path;
  guint64 regions_serial; /* of the regions the pipeline was given last */
  VgOpening opening;
  guint opened;                  /* the number of the opening that the session is of; 0: none */
  gboolean taking;               /* the session changes by what was opened: nothing to send on */
  gboolean started;              /* the first source has opened: undo goes back to it, not beyond */
  int input_width, input_height; /* of the data opened last, px; 0: none yet */
  /* there is no result yet, and what is shown is of what was open before */
  gboolean left_over;
  gboolean fresh;      /* a result that the slow widgets have not shown */
  const VgParam *told; /* that the banner leads to */
  int shown_output, shown_compare;
  /* of LEFT_OPERATION, that settings took off the screen, the last one first (int) */
  GArray *left_outputs;
  const VgOperation *left_operation;
  VgReference *reference;         /* to compare with; NULL: none */
  gboolean change_when_reference; /* then the operation's compared_choice is changed */
  struct
  {
    /* the choice before any comparison changed it, that of the kept result, and what it was changed
     * to */
    int first, reference, now;
    gboolean is_changed;
  } choice;
  char **run_names; /* as many, "" where the text has none; NULL: not known */
  int n_runs;       /* that the inputs hold; 0: they are no settings */
  /* only the input is seen: the banner says why until there is a map */
  gboolean unprepared;
  /* what the banner says of maps that can't be compared; NULL: nothing */
  char *apart;
  guint64 apart_serial;   /* of the settings it is about */
  char *undrawn;          /* what it says of a picture that can't be drawn; NULL: nothing */
  guint64 params_serial;  /* of the settings that were sent last */
  guint64 refused_serial; /* of settings that the banner complains about; 0: none */
  VgResponse response;
  VgPace pace;
  /* put_off: ticks in a row that left the frame to a picture */
  guint tick_id, ticks, take_id, put_off;
  VgSlidePlace place; /* of what is open on its slide */
  double fps;         /* playback as the pipeline was told */
  gboolean loop, recording;
  GPtrArray *left_recordings; /* of VgPartMark: broken off, and not decided on */
  gboolean told_end;          /* of the live source: that it has ended */
  gint64 space_us;            /* since when Space is held in the picture; 0: it is not */
  VgView space_view;          /* as it was then */
  void (*chosen) (VgWindow *self, GListModel *files); /* takes the answer of the file dialog */
  GCancellable *exporting;
  guint writing;    /* sessions and maps that are being written */
  gboolean closing; /* as soon as they are */
  struct
  {
    double x, y, value;
    int slice;
    /* asking: for the error; again: the pointer has moved since */
    gboolean inside, asking, again;
  } probe;
  struct
  {
    GPtrArray *rows;        /* of VgObjectRow; NULL: none */
    gint64 of_us, asked_us; /* the result that they are of; when they were asked for */
    gboolean asking;
    guint32 chosen; /* 0: none */
    guint64 serial; /* of the settings and the work that its number is of */
    guint generation;
    double seed_x, seed_y; /* of the chosen one, in the picture */
    gboolean has_seed;     /* else the next list tells */
  } objects;

  /* template */
  GtkWidget *header, *title_box, *run_button, *record_button, *undo_button, *redo_button,
      *open_button, *menu_button;
  GtkWidget *pane, *plots_pane, *side, *side_stack, *image_box, *image_stack, *toolbar,
      *point_button, *foot;
  GtkWidget *map_label, *zoom_label, *slice_box, *slice, *run_box, *runs, *compare_bar,
      *compare_label, *compare_choice, *compare_difference, *compare_ratio, *progress_revealer,
      *progress, *progress_text, *cancel_button;
  GMenu *recent_section;
  char *reference_name;  /* of the kept result, for the label; NULL: none */
  char *reference_input; /* the first input it is of; NULL: none */

  /* made here */
  GtkWidget *switcher, *subtitle;
  /* banners: what was left by a crash; files that a session names elsewhere */
  GtkWidget *recovery, *question;
  GtkWidget *banner, *cautions, *image, *frame_bar, *record_bar, *recorded, *broken_off, *status,
      *charts, *read_options, *params, *display, *results;
};

/* vg-window.c */
void vg_window_make_image (VgWindow *self); /* anew, for another display path */
void vg_window_show_title (VgWindow *self);

/* vg-window-data.c */
void vg_window_start_pipeline (VgWindow *self); /* anew, for another backend */
void vg_window_stop_pipeline (VgWindow *self);
void vg_window_watch_session (VgWindow *self);
void vg_window_watch_painting (VgWindow *self); /* once realized */
void vg_window_send_all (VgWindow *self);       /* of the session to the pipeline */
void vg_window_choose_output (VgWindow *self);  /* one that the parameters give */
void vg_window_note_frame (VgWindow *self);     /* the shown frame into the session's view */
void vg_window_message (VgWindow *self, gboolean failed, const char *text);
/* In the banner, with a button that goes to the setting which TEXT names, if it does. */
void vg_window_tell (VgWindow *self, VgBannerKind kind, const char *text);
void vg_window_connect_banners (VgWindow *self);
gboolean vg_window_is_running (VgWindow *self);
/* Not after the end of a stream that came from outside. */
gboolean vg_window_can_run (VgWindow *self);
gboolean vg_window_has_picture (VgWindow *self); /* the result is not one of numbers alone */

/* vg-window-opening.c */
void vg_window_clear_opening (VgWindow *self);
void vg_window_take_opened (VgWindow *self); /* what the pipeline has opened */
void vg_window_opening_failed (VgWindow *self, const GError *error);
/* INPUTS empty or NULL: the sample data. */
void vg_window_open (VgWindow *self, const char *const *inputs, const char *read_options);
/* The same for files that may belong to another view. */
void vg_window_open_here (VgWindow *self, const char *const *inputs, const char *read_options);
void vg_window_fail_opening (VgWindow *self, const GError *error);
/* Before the session changes for an opening: what it goes back to, unless there is something from
 * before that.  After it: if there has been no opening, that is not needed. */
void vg_window_mark (VgWindow *self);
void vg_window_drop_mark (VgWindow *self);
/* until what is opened next fails */
void vg_window_go_to (VgWindow *self, const VgOperation *operation);
void vg_window_choose_read_options (VgWindow *self,
                                    const char *read_options); /* of the open files */
void vg_window_give_up_opening (VgWindow *self);               /* after a cancel */
void vg_window_open_current (VgWindow *self);                  /* what the session says */
void vg_window_choose_run (VgWindow *self);                    /* as its widget says */
gboolean vg_window_opens_settings (VgWindow *self, const char *const *files);

/* vg-window-adopt.c */
/* Parameters that INPUTS are opened with, owned by the caller. */
void *vg_window_params_for (VgWindow *self, const char *const *inputs);
/* The session's inputs are open, and as INFO says; OTHER: the parameters are still those for other
 * data. */
void vg_window_take_said (VgWindow *self, const VgImageInfo *info, gboolean other);

/* vg-window-suits.c */
/* Opens INPUTS in the view that suits them; if there is not one, FAILURE is told, or, where it is
 * NULL, in the view at hand. */
void vg_window_look_for_view (VgWindow *self, const char *const *inputs, const char *read_options,
                              const GError *failure);

/* vg-window-slide.c */
/* the one that what is open is a part of, or none */
void vg_window_show_slide (VgWindow *self);
void vg_window_expect_slide (VgWindow *self); /* what is being opened may be one */
/* What is visible of the slide, or the box about the selected region, is worked on from now on. */
void vg_window_take_shown_part (VgWindow *self);
void vg_window_take_region_part (VgWindow *self);
int vg_window_selected_region (VgWindow *self); /* -1: none */
/* What has just been opened is another part of the slide than what was open: regions and points
 * stay where they are on it. */
void vg_window_move_places (VgWindow *self, const VgImageInfo *info);
void vg_window_watch_slide (VgWindow *self); /* of the image view, which is new */

/* vg-window-probe.c */
void vg_window_probe (VgWindow *self, double x, double y, int slice, double value, gboolean inside);

/* vg-window-objects.c */
void vg_window_watch_objects (VgWindow *self);
void vg_window_watch_object_keys (VgWindow *self); /* of the image view, which is new */
void vg_window_refresh_objects (VgWindow *self);   /* a few times a second */
void vg_window_forget_objects (VgWindow *self);
/* RESULT is about to be shown; of other settings its numbers may be other objects', so none is
 * marked before the list tells. */
void vg_window_expect_numbers (VgWindow *self, const VgResult *result);
/* the one at an image point, or none */
void vg_window_choose_object (VgWindow *self, double x, double y);
/* The output with the numbers of objects; -1: none. */
int vg_window_numbers_output (VgWindow *self);
/* What is said of an object beside the pointer; NULL: nothing is known. */
char *vg_window_describe_object (VgWindow *self, double number);

/* vg-window-state.c */
void vg_window_show_state (VgWindow *self);  /* buttons, progress, counts: cheap and often */
void vg_window_show_slice (VgWindow *self);  /* the view's, in its widget */
void vg_window_show_result (VgWindow *self); /* what need not follow every result */
void vg_window_tell_cautions (VgWindow *self);

/* vg-window-journal.c */
void vg_window_begin_journal (VgWindow *self);
void vg_window_end_journal (VgWindow *self); /* a clean end */
void vg_window_note_saved (VgWindow *self);  /* the session, as it is */
void vg_window_end_restoring (VgWindow *self, gboolean opened);

/* vg-window-session.c */
void vg_window_watch_question (VgWindow *self);
void vg_window_open_last_session (VgWindow *self);
/* Into the session, still to be opened; FALSE: told why not.  SAVED_AS: the file that Save writes
 * to, or NULL. */
gboolean vg_window_load_session (VgWindow *self, const char *path, const char *saved_as);
void vg_window_save (VgWindow *self); /* where it is, or asks */
void vg_window_save_as (VgWindow *self, const char *path);

/* vg-window-files.c */
void vg_window_remember (const char *path); /* among the recent files */
void vg_window_begin_writing (VgWindow *self);
void vg_window_end_writing (VgWindow *self, gboolean written);
void vg_window_choose_open (VgWindow *self, gboolean session);
void vg_window_choose_regions (VgWindow *self);
/* A list of regions or a label mask; told when it can not be taken. */
void vg_window_import_regions (VgWindow *self, const char *path);
void vg_window_choose_save (VgWindow *self);
void vg_window_choose_export (VgWindow *self);
void vg_window_choose_screenshot (VgWindow *self);
void vg_window_choose_record (VgWindow *self);
/* FALSE: what is being written has to be waited for; the second time nothing is. */
gboolean vg_window_may_close (VgWindow *self);
void vg_window_accept_drops (VgWindow *self);
void vg_window_fill_recent (VgWindow *self);

/* vg-window-record.c */
void vg_window_start_record (VgWindow *self, const char *path);
/* what has come is written; take_record follows */
void vg_window_end_record (VgWindow *self);
/* waits for its end, and tells what has become of it */
void vg_window_take_record (VgWindow *self);
void vg_window_show_record (VgWindow *self);
/* What a crash has broken off is to be kept or discarded. */
void vg_window_offer_recordings (VgWindow *self);

/* vg-window-compare.c */
void vg_window_keep (VgWindow *self); /* the present result, to compare with */
/* Why the other choice can't be compared now, or NULL. */
const char *vg_window_why_no_choice (VgWindow *self);
/* keeps it, computes it the other way, shows the difference */
void vg_window_compare_choice (VgWindow *self);
/* and the choice is what it was before a comparison changed it */
void vg_window_forget_reference (VgWindow *self);
void vg_window_follow_choice (VgWindow *self); /* after a change of settings */
/* "off", "kept", "difference", "ratio" */
void vg_window_set_compare (VgWindow *self, const char *mode);
void vg_window_next_compare (VgWindow *self);
const char *vg_window_get_compare (VgWindow *self);
void vg_window_send_compare (VgWindow *self); /* to the pipeline */
void vg_window_check_compare (VgWindow *self, const VgResult *result);
void vg_window_show_compare (VgWindow *self);

/* vg-window-actions.c */
void vg_window_add_actions (VgWindow *self);
void vg_window_enable_actions (VgWindow *self);

/* vg-window-keys.c */
void vg_window_add_keys (VgWindow *self); /* of the actions */

G_END_DECLS
