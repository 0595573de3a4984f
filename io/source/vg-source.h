/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
#include "io/source/vg-feature.h"
#include "io/source/vg-read-options.h"
/* A source delivers frames: from a stack on disk, a pipe, a synthetic generator or a camera.  One
 * thread reads; another may cancel. */
G_BEGIN_DECLS

typedef struct _VgSource VgSource;

typedef enum { VG_LIVE_CONNECTED, VG_LIVE_WAITING, VG_LIVE_ENDED } VgLiveState;

/* Status of a live source.  Every frame that its device sent is received, bad or lost. */
typedef struct
{
  VgLiveState state;
  guint64 received;   /* complete frames, delivered by `next` */
  guint64 bad;        /* frames that arrived damaged */
  guint64 lost;       /* frames that never arrived, by the gaps in their numbers */
  guint interrupted;  /* how often the connection was lost */
  guint exposures;    /* how often the exposure time was changed since the first frame */
  guint said;         /* number of times that `sentence` was set */
  char sentence[400]; /* the last event and the reaction to it; "": there was none */
} VgLiveStatus;

typedef struct
{
  /* Reads frame INDEX, vg_image_info_frame_bytes bytes; NULL in a live source.  VG_IO_ERROR_FRAME:
   * this frame is damaged, but the others can be read.  Any other error means that the source
   * cannot be read any more. */
  gboolean (*read) (VgSource *self, gint64 index, void *frame, GError **error);
  /* Waits for the next frame; NULL: the frames of `read` in order.  *ID counts the frames that were
   * acquired, so that a gap shows lost frames; *TIME_S is the frame time in seconds.  FALSE without
   * an error: the stream has ended. VG_IO_ERROR_FRAME as above, with *ID set: the next call reads
   * the frame after. */
  gboolean (*next) (VgSource *self, void *frame, guint64 *id, double *time_s, GError **error);
  /* Makes a call of next that waits return soon, without an error; or NULL. */
  void (*cancel) (VgSource *self);
  /* Frees what SELF owns beyond the members of VgSource; or NULL. */
  void (*clear) (VgSource *self);
  /* Reads WIDTH x HEIGHT pixels of LEVEL from (X, Y) as interleaved 8-bit RGB; NULL without a
   * pyramid.  Any thread may call it. */
  gboolean (*read_region) (VgSource *self, int level, gint64 x, gint64 y, int width, int height,
                           guint8 *rgb, GError **error);
  /* The status of a live source; NULL: it has none.  Any thread may call it. */
  void (*get_status) (VgSource *self, VgLiveStatus *status);
  /* The settings of a live source's device as they were read last, with a reference; NULL: they
   * have not been read, or, if the function is NULL, there are none.  Any thread may call it. */
  VgFeatures *(*get_features) (VgSource *self);
  /* Has SETTING ("Name=Value") set soon, by the thread that reads; or NULL.  Any thread. */
  void (*set_feature) (VgSource *self, const char *setting);
  /* Begins (ON) or ends the event of SELF; the time from which it counts, s.  Any thread may call
   * it while another one reads.  NULL without an event. */
  double (*trigger) (VgSource *self, gboolean on);
} VgSourceClass;

typedef struct
{
  gint64 width, height;        /* at most G_MAXINT */
  double downsample;           /* width of a pixel, in pixels of level 0 */
  int tile_width, tile_height; /* of the file's tiles, in pixels; 0: not known */
} VgLevel;

/* A rectangle that could not be read because the file is damaged, in pixels of the level read. */
typedef struct
{
  gint64 x, y;
  int width, height;
} VgHole;

/* A whole slide: an image stored at several resolutions, whose rectangles can be read. */
typedef struct
{
  VgLevel *levels; /* the finest first */
  int n_levels;
  int level;   /* the level of the slide region that `read` delivers as a frame */
  gint64 x, y; /* its corner, in pixels of that level */
} VgPyramid;

struct _VgSource
{
  const VgSourceClass *class;
  VgImageInfo info;         /* frames is -1 for a live source, which has no `read` */
  const VgPyramid *pyramid; /* NULL unless the source is a whole slide */
  char *name;               /* for messages and the title */
  char *format;             /* "TIFF", "RLS", "raw stream" */
  char *details;            /* lines that say what was read and what was assumed; or NULL */
  /* what each of several DICOM series or segments is, in the order of their numbers, ended by NULL;
   * or NULL */
  char **series;
  char *caution;   /* a likely mistake that the user must know of; or NULL */
  gboolean cut;    /* the file ends before its data do; `caution` says so */
  double *times_s; /* rising time of each frame, s; NULL: multiples of the frame interval */
  GArray *marks;   /* VgCurveMark: marked moments, x by the same clock; NULL: none */
  /* indices (gint64), ascending, of the recorded frames before which the connection was lost; NULL:
   * none */
  GArray *outages;
  guint64 missing; /* frames that a recording lacks, by the gaps in its frame numbers */
  /* exposure times (double) of the recorded frames, ms, 0 where it is not known; NULL: all have
   * that of `info` */
  GArray *exposures;
  /* flip angles and inversion times of MRI frames that differ in them, one per frame; or NULL */
  double *flips_deg, *inversions_ms;
  char **names;       /* of the curves of a table, ended by NULL; or NULL */
  double acquired_s;  /* time of day of a single volume, s; 0: not known */
  GArray *holes;      /* VgHole: damaged rectangles of the last frame, left white; or NULL */
  gint64 position;    /* index of the frame that a `next` of NULL delivers */
  gint64 device_ns;   /* time stamp of the last frame of a live source, by the device's clock, ns;
                         0: it has none */
  double exposure_ms; /* of the last frame of a live source whose exposure can change; 0: as info */
  char *settings;     /* current, of a live source's device, a GRefString; or NULL.  Its thread's */
  guint interrupted;  /* lost connections before a live source's last frame.  Its thread's */
  int fd;             /* closed with the source; -1: none */
  const VgSampleEvent *event; /* that the user can make happen; NULL: none */
  gboolean event_on;          /* it was begun and has not been ended */
};

/* A source of SIZE bytes, which begin with a VgSource; owns FD.  It describes one grey frame of one
 * page until the reader sets `info`.  FORMAT may be NULL, if the reader sets it later. */
VgSource *vg_source_new (gsize size, const VgSourceClass *class, const char *name,
                         const char *format, int fd);

/* What the operation that uses the source requires. */
typedef struct
{
  const char *read_options; /* text of a VgReadOptions such as "channel=2"; NULL: the defaults */
  gboolean colour;          /* colour is accepted; else a colour file is refused with advice */
  gboolean in_series;       /* the file is one of several whose frames follow each other */
  gboolean bins;            /* pages are time bins, unless the file says what they are */
  /* of several detectors the channel with the most photons is read, unless the user chose one */
  gboolean brightest_channel;
  /* of several segments of a DICOM segmentation, the one with this label is read unless the user
   * chose one; NULL: the first */
  const char *segment;
  /* the operation has no time bins, so one of a file's channels is read, unless they are a decay */
  gboolean channels;
  /* another program is still writing the file: what the reader takes from it must also hold when it
   * has grown.  VG_IO_ERROR_LATER: this is not known yet; VG_IO_ERROR_STREAM: it never will be */
  gboolean growing;
  gboolean curves; /* a text is a table of curves, not a decay */
  gboolean own;    /* the program wrote the file, so its format is opened even if it is off */
} VgSourceOptions;

/* Opens a file in one of the formats of io/vg-formats.c, by its content; a whole slide, where
 * colour is accepted; a decay or a table of curves as text; or a ZIP archive with one of these. Raw
 * frames need a geometry among the read options; "-" reads them from standard input.  Frames are
 * read only when they are requested.  PATH may end in '#' and read options ("irf.sdt#channel=2"),
 * unless a file has that name.  OPTIONS may be NULL.  VG_USAGE_ERROR: the file has no use for a
 * read option; VG_IO_ERROR: the file cannot be read. */
VgSource *vg_source_open (const char *path, const VgSourceOptions *options, GError **error);
/* Whether the file PATH, of *SIZE bytes, is in no known format, so that it may hold raw frames: to
 * open them a geometry is needed (vg-read-options.h). */
gboolean vg_file_is_raw (const char *path, gint64 *size);
/* Sets the rising times of all frames, in seconds, and takes ownership of them (g_free); the frame
 * interval becomes their mean step. */
void vg_source_set_times (VgSource *self, double *times_s);
/* The file that PATH names without the read options behind '#'; *READ_OPTIONS are those of OPTIONS
 * and of PATH together, or NULL.  Both are owned. */
char *vg_source_split_path (const char *path, const VgSourceOptions *options, char **read_options);
/* Sets SIZE->sample to the one that READ_OPTIONS name, or to the first.  FALSE and VG_USAGE_ERROR:
 * OPERATION has no such sample; SIZE is as before. */
gboolean vg_source_choose_sample (const VgOperation *operation, const char *read_options,
                                  VgSyntheticSize *size, GError **error);
/* Opens the synthetic data of OPERATION.  A live source delivers one frame every
 * frame_interval_s. */
VgSource *vg_source_open_synthetic (const VgOperation *operation, const void *params,
                                    const VgSyntheticSize *size, GError **error);
/* The frame whose time is nearest to TIME_S; SELF is not live. */
gint64 vg_source_find_frame (const VgSource *self, double time_s);
/* TRUE: the connection was lost before frame INDEX of the recording SELF, which is not live. */
gboolean vg_source_is_interrupted (const VgSource *self, gint64 index);
/* The exposure time of that frame, ms; 0: that of all frames, or not known. */
double vg_source_find_exposure (const VgSource *self, gint64 index);
/* Reads frame INDEX, counted from 0, as VgSourceClass.read. */
gboolean vg_source_read (VgSource *self, gint64 index, void *frame, GError **error);
/* Reads WIDTH x HEIGHT pixels of LEVEL of a slide from (X, Y), in pixels of that level, as
 * interleaved 8-bit RGB.  Pixels outside the slide are white.  Any thread may call it. */
gboolean vg_source_read_region (VgSource *self, int level, gint64 x, gint64 y, int width,
                                int height, guint8 *rgb, GError **error);
/* As vg_source_read_region, but a damaged tile of the file is left white and added to HOLES
 * (VgHole; may be NULL).  FALSE: so many tiles in a row failed that the file is likely to be gone.
 */
gboolean vg_source_read_around (VgSource *self, int level, gint64 x, gint64 y, int width,
                                int height, guint8 *rgb, GArray *holes, GError **error);
/* The number of pixels in HOLES. */
gint64 vg_holes_pixels (const GArray *holes);
/* A message on HOLES in a slide region of PIXELS pixels of LEVEL, "slide.svs is damaged: ...",
 * owned; NULL: there are none. */
char *vg_source_describe_holes (const VgSource *self, int level, const GArray *holes,
                                gint64 pixels);
/* FALSE and an error with advice: the slide region is too large to be read at once. */
gboolean vg_source_check_whole (const VgSource *self, GError **error);
/* Waits for the next frame, as VgSourceClass.next. */
gboolean vg_source_next (VgSource *self, void *frame, guint64 *id, double *time_s, GError **error);
/* The status of a live source; all 0 for another source.  Any thread may call it. */
void vg_source_get_status (VgSource *self, VgLiveStatus *status);
/* As VgSourceClass.get_features and .set_feature. */
VgFeatures *vg_source_get_features (VgSource *self);
void vg_source_set_feature (VgSource *self, const char *setting);
/* Begins (ON) or ends the event of a source that has one; the time from which it counts, s.  One
 * thread may call it while another one reads. */
double vg_source_trigger (VgSource *self, gboolean on);
/* Makes a call of vg_source_next that waits return soon; any thread may call it. */
void vg_source_cancel (VgSource *self);
void vg_source_close (VgSource *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgSource, vg_source_close)

/* Loads all frames of PATH, or a text file where KINDS (VgFileKind bits) allow it.  Of a slide that
 * is too large its central region is loaded. */
VgImage *vg_image_load (const char *path, guint kinds, const VgSourceOptions *options,
                        GError **error);

G_END_DECLS
