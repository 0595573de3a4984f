/* SPDX-License-Identifier: MIT */
/* A DICOM module that does what the word behind "DICM" in a file says, as if a hostile file had
 * taken control of DCMTK:
 *   good           a frame of 3 x 2 samples, 0 to 5
 *   crash, hang, memory   while the file is opened
 *   read           a crash while the samples are read
 *   escape         creates a file and a socket; 7 x 2 samples if it can, else as "good"
 *   size, frames, text    an impossible description */
#include "io/dicom/vg-dicom-module.h"
#include <gmodule.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <fcntl.h>
#include <unistd.h>

enum { WIDTH = 3, ESCAPED_WIDTH = 7, HEIGHT = 2, PREAMBLE = 132, MEMORY_GB = 5 };

struct VgDicomFile
{
  char *word;
  int width;
};

static VgDicomFile *
open_file (const char *path, char **reason)
{
  VgDicomFile *file = g_new0 (VgDicomFile, 1);
  g_autofree char *folder = g_path_get_dirname (path),
                  *made = g_build_filename (folder, "escaped", NULL);
  g_autofree char *content = NULL;
  volatile guint64 turns = 0;
  gsize length;

  if (!g_file_get_contents (path, &content, &length, NULL) || length <= PREAMBLE)
    {
      *reason = g_strdup ("it is too short");
      g_free (file);
      return NULL;
    }
  file->word = g_strdup (content + PREAMBLE);
  file->width = WIDTH;
  if (g_str_equal (file->word, "crash"))
    abort ();
  while (g_str_equal (file->word, "hang"))
    turns++;
  if (g_str_equal (file->word, "memory"))
    memset (g_malloc ((gsize) MEMORY_GB << 30), 1, 1);
  if (g_str_equal (file->word, "escape") &&
      (creat (made, 0600) >= 0 || socket (AF_INET, SOCK_STREAM, 0) >= 0))
    file->width = ESCAPED_WIDTH;
  return file;
}

static void
close_file (VgDicomFile *file)
{
  g_free (file->word);
  g_free (file);
}

static int
count (VgDicomFile *file, char **reason)
{
  return g_str_equal (file->word, "frames") ? G_MAXINT : 1;
}

static void
describe (VgDicomFile *file, int index, VgDicomFrame *frame)
{
  memset (frame, 0, sizeof *frame);
  frame->width = g_str_equal (file->word, "size") ? -1 : file->width;
  frame->height = HEIGHT;
  frame->samples.slope = 1;
  frame->samples.tiles = g_str_equal (file->word, "text") ? -5 : 0;
  frame->place.spacing[0] = g_str_equal (file->word, "text") ? HUGE_VAL : 0;
  if (g_str_equal (file->word, "text"))
    memset (&frame->origin, '\n', sizeof frame->origin);
  else
    g_strlcpy (frame->origin.series_uid, file->word, sizeof frame->origin.series_uid);
}

static gboolean
read_samples (VgDicomFile *file, int index, float *samples, gsize n, char **reason)
{
  if (g_str_equal (file->word, "read"))
    abort ();
  for (gsize i = 0; i < n; i++)
    samples[i] = (float) i;
  return TRUE;
}

static char **
list (VgDicomFile *file, guint most, char **reason)
{
  *reason = g_strdup ("it is not a DICOMDIR");
  return NULL;
}

G_MODULE_EXPORT const VgDicomModule *vg_dicom_module (void);

const VgDicomModule *
vg_dicom_module (void)
{
  static const VgDicomModule module = { .abi = VG_DICOM_ABI,
                                        .open = open_file,
                                        .close = close_file,
                                        .count = count,
                                        .describe = describe,
                                        .read = read_samples,
                                        .list = list };

  return &module;
}
