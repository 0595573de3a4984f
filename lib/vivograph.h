/* SPDX-License-Identifier: MIT */
#ifndef VIVOGRAPH_H
#define VIVOGRAPH_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C"
{
#endif
  /* Vivograph as a library: the operations of the program, on arrays in memory.
   *
   *   int status;
   *   size_t contrast;
   *   float map[640 * 480];
   *   VivographError error;
   *   VivographWork *work = NULL;
   *   VivographData data = { .size = sizeof data, .type = VIVOGRAPH_U16, .width = 640,
   *                          .height = 480, .frames = 100, .samples = frames };
   *
   *   if (vivograph_find_output ("flow", "contrast", &contrast, &error) < 0 ||
   *       vivograph_work_new ("flow", "auto", 0, &work, &error) < 0 ||
   *       vivograph_work_set_number (work, "exposure_ms", 5, &error) < 0 ||
   *       vivograph_work_start (work, &data, &error) < 0)
   *     puts (error.message);
   *   else
   *     while ((status = vivograph_work_step (work, &error)) > VIVOGRAPH_DONE)
   *       if (status == VIVOGRAPH_MAPS)
   *         vivograph_work_read (work, contrast, map, 640 * 480, &error);
   *   vivograph_work_free (work);
   *
   * Errors are values: a function that can fail returns a negative status and fills in ERROR, which
   * may be NULL.  Nothing is printed.  A work that is NULL is an error, too.
   *
   * Threads: only one thread at a time may call into a work, but not always the same one. Different
   * works may be used at the same moment.  vivograph_work_cancel may be called from any thread
   * while the work exists, and functions without a work from any thread.  A process that was forked
   * after a work was started cannot compute: start new processes instead (spawn).
   *
   * Numbers: indices of this header begin with 0.  Messages and parameters count frames, slices and
   * pages from 1, and pixels from 0, as the program does.
   *
   * Strings are UTF-8.  Texts of the tables are never freed. */

  typedef enum {
    VIVOGRAPH_ERROR_FAILED = -6,
    VIVOGRAPH_ERROR_CANCELLED = -5,
    VIVOGRAPH_ERROR_DEVICE = -4, /* the GPU is missing, lost or full */
    VIVOGRAPH_ERROR_MEMORY = -3,
    VIVOGRAPH_ERROR_INPUT = -2, /* unsuitable data, or a file that cannot be read */
    VIVOGRAPH_ERROR_USAGE = -1, /* unknown name, value out of range, call in the wrong order */
    VIVOGRAPH_OK = 0,
    VIVOGRAPH_NONE = 1, /* there is none: past the end of a table, or not with these settings */
    VIVOGRAPH_DONE = 2, /* finished: outputs are final */
    VIVOGRAPH_MORE = 3, /* call again; maps of a data set may be read and will improve */
    VIVOGRAPH_MAPS = 4, /* a stream: the maps of a frame may be read; call again for the next */
  } VivographStatus;

  typedef struct
  {
    int status;         /* VivographStatus */
    char message[1020]; /* what happened, where, and what to do; one line */
  } VivographError;

  /* The version of the library, such as "0.1.0". */
  const char *vivograph_version (void);

  /* The bytes of main memory that are free for arrays, within the limit of a container. */
  size_t vivograph_memory_available (void);
  /* Allocates BYTES bytes for samples or maps.  They are page-locked if there is a GPU, which
   * copies such memory several times as fast as other memory.  NULL: there is not enough memory. */
  void *vivograph_memory_new (size_t bytes);
  void vivograph_memory_free (void *memory); /* accepts NULL */

  /* ---- Tables: what can be computed ---- */

  typedef enum {
    VIVOGRAPH_INPUT_NONE,    /* a simulation: parameters only */
    VIVOGRAPH_INPUT_STREAM,  /* one set of maps for each frame */
    VIVOGRAPH_INPUT_DATASET, /* one set of maps of all data */
  } VivographInput;

  typedef struct
  {
    const char *id, *title, *summary, *citation;
    int input;         /* VivographInput */
    int needs_bins;    /* 1: samples of a pixel are time bins */
    int takes_color;   /* 1: data may have 3 or 4 channels */
    int takes_volumes; /* 1: data may have several slices */
    void *reserved[4];
  } VivographOperation;

  typedef enum {
    VIVOGRAPH_PARAM_INT,
    VIVOGRAPH_PARAM_FLOAT,
    VIVOGRAPH_PARAM_BOOL,
    VIVOGRAPH_PARAM_CHOICE, /* one of `choices`; as a number its index */
    VIVOGRAPH_PARAM_FILE,   /* a path */
    VIVOGRAPH_PARAM_REGION, /* text such as "rect:10,20,30,40" */
    VIVOGRAPH_PARAM_TABLE,  /* text: rows of numbers, or the name of a preset */
    VIVOGRAPH_PARAM_ACTION, /* a button of the window; has no effect here */
  } VivographParamKind;

  typedef struct
  {
    const char *id, *label, *help, *group;
    const char *unit;           /* "" without a unit */
    int kind;                   /* VivographParamKind */
    int automatic;              /* 1: 0 means that the value is found from the data; see `metric` */
    double initial, min, max;   /* of numbers: default and range, both ends included */
    const char *const *choices; /* ended by NULL; NULL: no CHOICE */
    /* 1: instead of a FILE that is an image, or a text such as CSV, its samples or its text can be
     * given; takes_several: the path may be several, separated by semicolons */
    int takes_data, takes_content, takes_several;
    int columns;        /* of a TABLE */
    const char *metric; /* the metric that has the value that was found, if it is automatic */
    void *reserved[1];
  } VivographParam;

  typedef enum {
    VIVOGRAPH_OUTPUT_MAP,
    VIVOGRAPH_OUTPUT_LABELS, /* whole numbers; 0 is background */
    VIVOGRAPH_OUTPUT_TEXT,   /* a table or list as text, such as CSV */
  } VivographOutputKind;

  typedef struct
  {
    const char *id, *label, *help;
    const char *unit; /* "" without a unit; parameters may change it: see vivograph_work_unit */
    int kind;         /* VivographOutputKind */
    int view_only;    /* 1: shown in the window, not written by `vivograph run` */
    void *reserved[4];
  } VivographOutput;

  /* Entry I of a table, from 0; VIVOGRAPH_NONE after the last one.  OPERATION is an id. */
  int vivograph_operation (size_t i, VivographOperation *operation);
  int vivograph_param (const char *operation, size_t i, VivographParam *param);
  int vivograph_output (const char *operation, size_t i, VivographOutput *output);
  /* Sets *I to the index of the output ID in the table of OPERATION, which the functions that read
   * results need. */
  int vivograph_find_output (const char *operation, const char *id, size_t *i,
                             VivographError *error);

  /* ---- Data ---- */

  typedef enum {
    VIVOGRAPH_U8,
    VIVOGRAPH_U16,
    VIVOGRAPH_U32,
    VIVOGRAPH_F32, /* NaN is a missing value */
  } VivographType;

  /* Frames, or a data set in host memory.  An extent of 0 counts as 1, and a scale of 0 is unknown.
   */
  typedef struct
  {
    size_t size; /* sizeof (VivographData) */
    int type;    /* VivographType */
    int64_t frames, slices, bins, height, width, channels;
    const void *samples;
    /* Bytes from one frame, slice, bin, row, column and channel to the next: six numbers, which may
     * be negative or 0.  NULL: the samples are packed in the order of the line above: the frame
     * changes slowest, then slice, bin, row and column, and the channel fastest.  Decays of pixels
     * whose bins follow each other need strides.
     * Packed samples are used where they are; others are copied. */
    const int64_t *strides;
    /* Bytes that may be read from `samples` on, to check strides against; 0: not known. */
    size_t bytes;
    /* of each frame; NULL: `frame_interval_s` applies.  With them, a `frame_interval_s` of 0 is the
     * median of their steps. */
    const double *times_s;
    double frame_interval_s, exposure_ms;
    double bin_width_ns, period_ns; /* of time bins; period of the laser */
    double repetition_ms, flip_deg; /* repetition time and flip angle of MRI */
    double pixel_size[3];           /* along x, y and z */
    char pixel_unit[8];             /* "um", "mm", "cm"; "": unknown */
    int significant_bits;           /* such as 12 in samples of 16 bits; 0: all */
    int ct;                         /* 1: samples are CT numbers */
    /* 1: `samples` points to GPU memory, and all earlier GPU work on it has ended.  For streams on
     * the CUDA backend only; the samples of a frame must be packed. */
    int device;
  } VivographData;

  /* ---- Work: one computation ---- */

  typedef struct VivographWork VivographWork;

  /* BACKEND: "auto", "cpu" or "cuda"; NULL: "auto".  THREADS: the number of CPU threads; 0: all. */
  int vivograph_work_new (const char *operation, const char *backend, int threads,
                          VivographWork **work, VivographError *error);
  void vivograph_work_free (VivographWork *work); /* accepts NULL */

  /* Sets a parameter, as text like on the command line, or as a number.  The next start uses it. */
  int vivograph_work_set_text (VivographWork *work, const char *param, const char *text,
                               VivographError *error);
  int vivograph_work_set_number (VivographWork *work, const char *param, double value,
                                 VivographError *error);
  /* Gives DATA in the place of the image file that PARAM names: a mask, a measured IRF, a dark
   * frame. TEXT in the place of a text file: a table, GeoJSON.  Both are copied.  They last until
   * vivograph_work_set_text sets PARAM; its value is then "(array)". */
  int vivograph_work_give_data (VivographWork *work, const char *param, const VivographData *data,
                                VivographError *error);
  int vivograph_work_give_content (VivographWork *work, const char *param, const char *text,
                                   VivographError *error);
  /* The value as text, valid until the next call: after start the value that is used. */
  int vivograph_work_get_text (VivographWork *work, const char *param, const char **text,
                               VivographError *error);

  /* Checks parameters and data, and allocates all memory.  DATA is NULL for a simulation.  The
   * structure may be freed at once, but the samples must stay unchanged until the work is freed or
   * started again.  A work that is started again keeps its memory if it can. */
  int vivograph_work_start (VivographWork *work, const VivographData *data, VivographError *error);
  /* Computes for about 30 ms.  Returns DONE, MORE or MAPS. */
  int vivograph_work_step (VivographWork *work, VivographError *error);
  /* Steps to the end.  PROGRESS may be NULL.  It is called on this thread after each step with the
   * step's status and the fraction that is done (negative: not known), may read outputs, and
   * returns 0 to go on; anything else cancels. */
  typedef int (*VivographProgress) (VivographWork *work, int status, double fraction, void *user);
  int vivograph_work_run (VivographWork *work, VivographProgress progress, void *user,
                          VivographError *error);
  /* Cancels the current run: the call that computes now, or else the next step of the run, soon
   * returns VIVOGRAPH_ERROR_CANCELLED.  vivograph_work_start begins a new run, on which an earlier
   * vivograph_work_cancel has no effect. */
  void vivograph_work_cancel (VivographWork *work);

  /* For a stream: the index of the frame whose maps may be read; -1: none. */
  int64_t vivograph_work_frame (VivographWork *work);
  double vivograph_work_progress (VivographWork *work);    /* 0 to 1; negative: not known */
  const char *vivograph_work_device (VivographWork *work); /* "CPU, 8 threads" */
  /* Something that the user should know, such as that the CPU has taken over from the GPU, in TEXT
   * of SIZE bytes.  VIVOGRAPH_NONE: there is nothing new.  Warnings about the maps are not here,
   * but in the `advice` of vivograph_work_metrics. */
  int vivograph_work_notice (VivographWork *work, char *text, size_t size);

  /* ---- Results ---- */

  typedef struct
  {
    int64_t width, height, slices;
    double origin[2];     /* centre of the first pixel along x and y, in `unit` */
    double pixel_size[2]; /* in `unit`; 0: unknown; negative: positions decrease along the axis */
    char unit[8];
    void *reserved[4];
  } VivographPlane;

  /* The size of output I, a map or labels.  VIVOGRAPH_NONE: it is not computed. */
  int vivograph_work_plane (VivographWork *work, size_t i, VivographPlane *plane,
                            VivographError *error);
  /* Its samples, slice by slice and row by row, in VALUES with room for N.  NaN: missing value. */
  int vivograph_work_read (VivographWork *work, size_t i, float *values, size_t n,
                           VivographError *error);
  /* The same in VALUES on a GPU, without a copy in host memory.  VIVOGRAPH_ERROR_DEVICE: the work
   * computes on the CPU. */
  int vivograph_work_read_device (VivographWork *work, size_t i, float *values, size_t n,
                                  VivographError *error);

  /* Where the maps of many frames go: of output `outputs[k]`, from `maps[k]` on, `rooms[k]` samples
   * for each frame.  If `maps` is NULL, all go to `values`: first those of output 0, with room for
   * `most` frames, then those of output 1, and so on. */
  typedef struct
  {
    size_t size; /* sizeof (VivographStack) */
    size_t n;    /* outputs */
    const size_t *outputs;
    float *const *maps;
    const size_t *rooms;
    int64_t most;    /* frames that there is room for */
    int64_t count;   /* frames that are there; begin with 0 */
    int64_t *frames; /* the index of each */
    float *values;
  } VivographStack;

  /* Steps for about 30 ms, and adds the maps of each frame, or of the data set when it is done, to
   * STACK; NaN where an output is not computed.  Returns DONE, MORE, or MAPS if STACK is full and
   * there are more frames: then call again, with more room unless those frames give no maps. */
  int vivograph_work_gather (VivographWork *work, VivographStack *stack, VivographError *error);
  /* The text of output I, valid until the next call.  VIVOGRAPH_NONE: it is not computed. */
  int vivograph_work_text (VivographWork *work, size_t i, const char **text, VivographError *error);
  /* The unit of output I with these parameters; "" without a unit. */
  const char *vivograph_work_unit (VivographWork *work, size_t i);

  typedef struct
  {
    const char *id, *label, *unit; /* never freed */
    double value;                  /* NaN: unknown */
    const char *advice;            /* NULL: nothing to say */
    int grave;                     /* 1, with advice: the maps are likely to be wrong */
    void *reserved[3];
  } VivographMetric;

  /* Writes the metrics of the whole result to METRICS, which has room for ROOM of them.  *N is the
   * number of all metrics; if it is larger than ROOM, call again with more room.  The advice is
   * valid until the next call.  VIVOGRAPH_NONE: there is no result yet. */
  int vivograph_work_metrics (VivographWork *work, VivographMetric *metrics, size_t room, size_t *n,
                              VivographError *error);

#ifdef __cplusplus
}
#endif
#endif
