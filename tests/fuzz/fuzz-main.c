/* SPDX-License-Identifier: MIT */
/* Either the entry of libFuzzer (VG_LIBFUZZER), or a small runner for every
 * compiler: RUNNER CORPUS... [--runs N] gives the target each file of the
 * folders, then N mutations of them, the same ones every time. */
#include "tests/fuzz/fuzz.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *own_folder;

/* A fuzzer sees only what runs in its own process. */
__attribute__ ((constructor)) static void
leave_fence (void)
{
  g_setenv ("VIVOGRAPH_FENCE", "off", TRUE);
}

static void
remove_folder (void)
{
  rmdir (own_folder);
}

const char *
fuzz_folder (void)
{
  if (own_folder == NULL)
    {
      char *shared = g_strdup ("/dev/shm/vg-fuzz-XXXXXX");

      own_folder = g_mkdtemp (shared);
      if (own_folder == NULL)
        own_folder = g_dir_make_tmp ("vg-fuzz-XXXXXX", NULL);
      fuzz_require (own_folder != NULL, "no folder");
      atexit (remove_folder);
    }
  return own_folder;
}

#ifdef VG_LIBFUZZER

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t length);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t length)
{
  fuzz_one (data, length);
  return 0;
}

#else

enum { MAX_LENGTH = 4096 };

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static void
add_folder (GPtrArray *corpus, const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  if (folder == NULL)
    g_error ("no corpus in %s", path);
  while ((name = g_dir_read_name (folder)) != NULL)
    g_ptr_array_add (names, g_build_filename (path, name, NULL));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      char *contents;
      gsize length;

      if (g_file_get_contents (names->pdata[i], &contents, &length, NULL))
        g_ptr_array_add (corpus, g_bytes_new_take (contents, length));
    }
}

/* A few random edits: a byte, a bit, a cut, a copy, a splice with another. */
static gsize
mutate (GRand *rand, guint8 *data, gsize length, const guint8 *other, gsize other_length)
{
  static const char *const tokens[] = { "nan", "inf", "1e400", "-",          ",",      ";", ":",
                                        "@",   "0x",  "\xff",  "9999999999", "1e-320", "\n" };

  for (int edits = g_rand_int_range (rand, 1, 6); edits > 0; edits--)
    {
      gsize at = length > 0 ? (gsize) g_rand_int_range (rand, 0, (gint32) length) : 0;
      const char *token = tokens[g_rand_int_range (rand, 0, G_N_ELEMENTS (tokens))];
      gsize room = strlen (token);

      switch (g_rand_int_range (rand, 0, 5))
        {
        case 0:
          if (length > 0)
            data[at] = (guint8) g_rand_int (rand);
          break;
        case 1:
          if (length > 0)
            data[at] ^= (guint8) (1u << g_rand_int_range (rand, 0, 8));
          break;
        case 2:
          length = at;
          break;
        case 3:
          if (length + room <= MAX_LENGTH)
            {
              memmove (data + at + room, data + at, length - at);
              memcpy (data + at, token, room);
              length += room;
            }
          break;
        default:
          room = MIN (other_length, MAX_LENGTH - at);
          memcpy (data + at, other, room);
          length = MAX (length, at + room);
        }
    }
  return length;
}

static void
run_mutations (GPtrArray *corpus, int runs)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20110616);
  g_autofree guint8 *data = g_malloc (MAX_LENGTH);

  for (int i = 0; i < runs; i++)
    {
      gsize length, other_length;
      GBytes *bytes = corpus->pdata[g_rand_int_range (rand, 0, (gint32) corpus->len)];
      GBytes *others = corpus->pdata[g_rand_int_range (rand, 0, (gint32) corpus->len)];
      const guint8 *start = g_bytes_get_data (bytes, &length),
                   *other = g_bytes_get_data (others, &other_length);

      length = MIN (length, MAX_LENGTH);
      memcpy (data, start, length);
      length = mutate (rand, data, length, other, other_length);
      fuzz_one (data, length);
    }
}

int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) corpus = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  int runs = 0;

  for (int i = 1; i < argc; i++)
    if (g_str_equal (argv[i], "--runs") && i + 1 < argc)
      runs = atoi (argv[++i]);
    else
      add_folder (corpus, argv[i]);
  if (corpus->len == 0)
    g_error ("no corpus");
  for (guint i = 0; i < corpus->len; i++)
    {
      gsize length;
      const guint8 *data = g_bytes_get_data (corpus->pdata[i], &length);

      fuzz_one (data, length);
    }
  run_mutations (corpus, runs);
  g_print ("%u files and %d mutations\n", corpus->len, runs);
  return 0;
}

#endif
