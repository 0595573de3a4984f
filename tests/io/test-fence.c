/* SPDX-License-Identifier: MIT */
/* The fence, with a decoder that crashes, hangs, takes too much and tries to escape. */
#include "io/fence/vg-fence.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-sanitized.h"
#include "tests/io/fence-decoder.h"
#include <errno.h>
#include <glib/gstdio.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LENGTH = 1000 };

/* With limits that the test changes. */
static VgDecoder decoder;

static VgFence *
open_good (void)
{
  g_autoptr (GError) error = NULL;
  FenceFacts facts;
  VgFence *fence = vg_fence_open (&decoder, "good", "a name", &facts, &error);

  g_assert_no_error (error);
  g_assert_nonnull (fence);
  g_assert_cmpint (facts.fact, ==, FENCE_FACT);
  return fence;
}

/* Reads and checks LENGTH bytes; the process that filled them. */
static pid_t
read_good (VgFence *fence, gint64 seed, gsize length)
{
  const gint64 numbers[VG_DECODER_NUMBERS] = { FENCE_ANSWER, seed };
  g_autofree guint8 *expected = g_malloc (length);
  g_autoptr (GError) error = NULL;
  const guint8 *result = vg_fence_read (fence, numbers, length, &error);
  pid_t process;

  g_assert_no_error (error);
  g_assert_nonnull (result);
  fence_decoder_fill (seed, expected, length);
  g_assert_cmpmem (result, length - sizeof process, expected, length - sizeof process);
  memcpy (&process, result + length - sizeof process, sizeof process);
  return process;
}

static void
read_bad (VgFence *fence, gint64 behaviour, const char *reason)
{
  const gint64 numbers[VG_DECODER_NUMBERS] = { behaviour };
  g_autoptr (GError) error = NULL;

  g_assert_null (vg_fence_read (fence, numbers, LENGTH, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, reason));
}

/* The same bytes come from a child and from this process, whatever their number. */
static void
test_same (void)
{
  static const gsize lengths[] = { 100, 65536, 65537, 3000000, 5, 20000000, 100 };

  for (int here = 0; here < 2; here++)
    {
      g_autoptr (VgFence) fence = NULL;

      if (here)
        g_setenv ("VIVOGRAPH_FENCE", "off", TRUE);
      fence = open_good ();
      for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
        g_assert_cmpint (read_good (fence, (gint64) i - 3, lengths[i]) == getpid (), ==, here);
      read_bad (fence, FENCE_FAIL, "it is spoilt");
      g_assert_cmpint (read_good (fence, 1, LENGTH) == getpid (), ==, here);
      g_unsetenv ("VIVOGRAPH_FENCE");
    }
}

/* A file is refused in the same way on both sides; a crash ends the child alone. */
static void
test_opening (void)
{
  static const char *const files[][2] = { { "foreign", NULL },
                                          { "wrong", "it is wrong" },
                                          { "crash", "its decoder crashed" } };
  g_autofree char *long_path = g_strnfill (PATH_MAX, 'x');
  g_autoptr (GError) error = NULL;
  FenceFacts facts;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GError) failure = NULL;

      g_assert_null (vg_fence_open (&decoder, files[i][0], "a name", &facts, &failure));
      g_assert_cmpint (failure != NULL, ==, files[i][1] != NULL);
      g_assert_true (failure == NULL || strstr (failure->message, files[i][1]) != NULL);
    }
  g_assert_null (vg_fence_open (&decoder, long_path, "a name", &facts, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN);
}

static gboolean
open_other (VgFence *fence, const char *path, const char *reason)
{
  g_autoptr (GError) error = NULL;
  FenceFacts facts;
  gboolean open = vg_fence_open_file (fence, path, "a name", &facts, &error);

  g_assert_true (!open || facts.fact == FENCE_FACT);
  g_assert_cmpint (error != NULL, ==, reason != NULL);
  g_assert_true (error == NULL || strstr (error->message, reason) != NULL);
  return open;
}

/* One child opens one file after the other, and only a crash needs another one. */
static void
test_files (void)
{
  for (int here = 0; here < 2; here++)
    {
      const gint64 numbers[VG_DECODER_NUMBERS] = { FENCE_ANSWER };
      g_autoptr (VgFence) fence = NULL;
      g_autoptr (GError) error = NULL;
      pid_t child;

      if (here)
        g_setenv ("VIVOGRAPH_FENCE", "off", TRUE);
      fence = vg_fence_new (&decoder);
      g_assert_true (open_other (fence, "good", NULL));
      child = read_good (fence, 1, LENGTH);
      g_assert_true (open_other (fence, "good", NULL));
      g_assert_cmpint (read_good (fence, 2, 100000), ==, child);
      g_assert_false (open_other (fence, "foreign", NULL));
      g_assert_null (vg_fence_read (fence, numbers, LENGTH, &error));
      g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT);
      g_assert_false (open_other (fence, "wrong", "it is wrong"));
      g_assert_true (open_other (fence, "good", NULL));
      g_assert_cmpint (read_good (fence, 3, LENGTH), ==, child);
      if (!here)
        {
          g_assert_false (open_other (fence, "crash", "its decoder crashed"));
          g_assert_true (open_other (fence, "good", NULL));
          g_assert_cmpint (read_good (fence, 4, LENGTH), !=, child);
        }
      g_unsetenv ("VIVOGRAPH_FENCE");
    }
}

/* A crash costs one read: the next one has another child. */
static void
test_crash (void)
{
  g_autoptr (VgFence) fence = open_good (), other = open_good ();
  pid_t first = read_good (fence, 1, LENGTH), bystander = read_good (other, 1, LENGTH);

  read_bad (fence, FENCE_CRASH, "its decoder crashed");
  g_assert_cmpint (read_good (fence, 2, 200000), !=, first);
  g_assert_cmpint (read_good (other, 2, LENGTH), ==, bystander);
}

static void
test_memory (void)
{
  g_autoptr (VgFence) fence = NULL;

  if (VG_SANITIZED)
    {
      g_test_skip ("sanitizers reserve more address space than the limit");
      return;
    }
  fence = open_good ();
  read_bad (fence, FENCE_TOO_MUCH, "its decoder crashed");
  read_good (fence, 1, LENGTH);
}

static void
test_escape (void)
{
  const gint64 numbers[VG_DECODER_NUMBERS] = { FENCE_ESCAPE, getpid () };
  static const guint8 none[FENCE_ATTEMPTS];
  g_autoptr (VgFence) fence = open_good ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  const guint8 *done;

  g_assert_true (g_file_set_contents ("fence-escape", "kept", -1, NULL));
  done = vg_fence_read (fence, numbers, FENCE_ATTEMPTS, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (done, FENCE_ATTEMPTS, none, FENCE_ATTEMPTS);
  g_assert_true (g_file_get_contents ("fence-escape", &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "kept");
  g_assert_cmpint (g_remove ("fence-escape"), ==, 0);
  read_good (fence, 1, LENGTH);
}

/* A decoder may have threads. */
static void
test_thread (void)
{
  const gint64 numbers[VG_DECODER_NUMBERS] = { FENCE_THREAD };
  g_autoptr (VgFence) fence = open_good ();
  g_autoptr (GError) error = NULL;
  guint8 expected[LENGTH];
  const guint8 *result = vg_fence_read (fence, numbers, LENGTH, &error);

  g_assert_no_error (error);
  fence_decoder_fill (1, expected, LENGTH);
  g_assert_cmpmem (result, LENGTH, expected, LENGTH);
}

/* Lets this process and its children set no filter any more. */
static void
refuse_filters (void)
{
  static struct sock_filter steps[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, args)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = { G_N_ELEMENTS (steps), steps };

  g_assert_cmpint (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), ==, 0);
  g_assert_cmpint (prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), ==, 0);
}

/* A system that refuses the filter: files are read, and one message says so. */
static void
test_unfiltered (void)
{
  if (g_test_subprocess ())
    {
      refuse_filters ();
      for (int i = 0; i < 2; i++)
        {
          g_autoptr (VgFence) fence = open_good ();

          read_good (fence, i, LENGTH);
        }
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stderr ("*without its filter*");
  g_test_trap_assert_stderr_unmatched ("*without its filter*without its filter*");
}

/* A child that is silent is ended; after three silences in a row no more is read, but other files
 * are opened, and after three of these that are silent, none is. */
static void
test_silence (void)
{
  g_autoptr (VgFence) fence = open_good ();

  decoder.seconds = 1;
  for (int i = 0; i < 3; i++)
    read_bad (fence, FENCE_SPIN, "takes longer than 1 s");
  decoder.seconds = 60;
  read_bad (fence, FENCE_ANSWER, "took longer than 60 s 3 times in a row");
  g_assert_true (open_other (fence, "good", NULL));
  decoder.seconds = 1;
  for (int i = 0; i < 3; i++)
    g_assert_false (open_other (fence, "slow", "takes longer than 1 s"));
  g_assert_false (open_other (fence, "good", "took longer than 1 s 3 times in a row"));
}

/* The state of PROCESS, and the time for which it ran. */
static char
look_at (pid_t process, unsigned long *ticks)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", process), *text = NULL;
  char state = '?';

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpint (sscanf (strrchr (text, ')'), ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu",
                           &state, ticks),
                   ==, 2);
  return state;
}

static gpointer
read_for_ever (gpointer fence)
{
  read_bad (fence, FENCE_SPIN, "its decoder crashed");
  return NULL;
}

/* Killed in the middle of a read, the child costs this read; killed before, it costs none. */
static void
test_killed (void)
{
  g_autoptr (VgFence) fence = open_good ();
  pid_t child = read_good (fence, 1, LENGTH);
  unsigned long before, now;
  GThread *thread;

  look_at (child, &before);
  thread = g_thread_new ("reader", read_for_ever, fence);
  do
    {
      g_usleep (10000);
      look_at (child, &now);
    }
  while (now < before + 5);
  kill (child, SIGKILL);
  g_thread_join (thread);
  child = read_good (fence, 2, LENGTH);
  kill (child, SIGKILL);
  while (look_at (child, &now) != 'Z')
    g_usleep (1000);
  g_assert_cmpint (read_good (fence, 3, LENGTH), !=, child);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = NULL;

  g_test_init (&argc, &argv, NULL);
  folder = g_test_build_filename (G_TEST_BUILT, "io", NULL);
  g_setenv ("VIVOGRAPH_MODULE_DIR", folder, TRUE);
  g_unsetenv ("VIVOGRAPH_FENCE");
  decoder = fence_decoder;
  g_test_add_func ("/fence/same", test_same);
  g_test_add_func ("/fence/opening", test_opening);
  g_test_add_func ("/fence/files", test_files);
  g_test_add_func ("/fence/crash", test_crash);
  g_test_add_func ("/fence/memory", test_memory);
  g_test_add_func ("/fence/escape", test_escape);
  g_test_add_func ("/fence/thread", test_thread);
  g_test_add_func ("/fence/unfiltered", test_unfiltered);
  g_test_add_func ("/fence/silence", test_silence);
  g_test_add_func ("/fence/killed", test_killed);
  return g_test_run ();
}
