/* SPDX-License-Identifier: MIT */
/* Tiles of a slide without a file: what they show, what is read and when, and
 * how much is kept. */
#include <math.h>
#include <string.h>
#include "tests/support/io/fake-slide.h"
#include "io/slide/vg-tile-cache.h"
#include "io/slide/vg-tile-read.h"

static const double by_four[] = { 1, 4, 16 };

static VgTileCache *
make_cache (FakeSlide *slide, gsize most_bytes, int n_threads)
{
  return vg_tile_cache_new (&(VgTileCacheOptions){ .open = fake_slide_open,
                                                   .arrived = fake_slide_arrived,
                                                   .data = slide,
                                                   .free_data = fake_slide_freed,
                                                   .user = slide,
                                                   .most_bytes = most_bytes,
                                                   .n_threads = n_threads });
}

/* Closes, and waits for the threads to be done with SLIDE. */
static void
close_cache (VgTileCache *cache, FakeSlide *slide)
{
  vg_tile_cache_close (cache);
  fake_slide_wait (slide, &slide->freed, 1);
  g_assert_cmpint (slide->closed, ==, slide->opened);
  slide->freed = 0;
}

/* Looks until all is there. */
static GPtrArray *
look_until_sharp (VgTileCache *cache, FakeSlide *slide, const VgTileLook *look)
{
  for (;;)
    {
      GPtrArray *tiles = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_slide_tile_unref);
      int arrived;

      g_mutex_lock (&slide->mutex);
      arrived = slide->arrived;
      g_mutex_unlock (&slide->mutex);
      if (vg_tile_cache_look (cache, look, tiles))
        return tiles;
      g_ptr_array_unref (tiles);
      fake_slide_wait (slide, &slide->arrived, arrived + 1);
    }
}

static const guint8 *
pixel (const VgSlideTile *tile, int x, int y)
{
  return tile->rgb + 3 * ((gsize) y * (gsize) tile->width + (gsize) x);
}

static gboolean
yes (gpointer data)
{
  return TRUE;
}

/* A source of the fake's own, read tile by tile. */
static VgSlideTile *
read_tile (FakeSlide *slide, int level, int column, int row, char **trouble)
{
  g_autoptr (VgSource) source = fake_slide_open (slide, NULL);
  guint64 reads = 0;
  VgSlideTile *tile = vg_tile_read (source, level, column, row, yes, NULL, &reads, trouble);

  g_assert_cmpuint (reads, >, 0);
  return tile;
}

static void
test_levels (void)
{
  static const struct
  {
    gint64 width, height;
    int n;
  } cases[] = {
    { 1, 1, 1 },    { 512, 512, 1 },      { 513, 1, 2 },
    { 1, 1025, 3 }, { 100000, 80000, 9 }, { G_MAXINT, 3, 23 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      VgLevel level = { cases[i].width, cases[i].height, 1 };
      VgPyramid pyramid = { .levels = &level, .n_levels = 1 };
      int columns, rows;

      g_assert_cmpint (vg_tile_n_levels (&pyramid), ==, cases[i].n);
      vg_tile_grid (&pyramid, cases[i].n - 1, &columns, &rows);
      g_assert_cmpint (columns * rows, ==, 1);
      vg_tile_grid (&pyramid, 0, &columns, &rows);
      g_assert_cmpint (columns, ==, (cases[i].width + 511) / 512);
    }
}

/* Each tile shows its own place of the slide, from the coarsest level that is
 * fine enough: within the averaged pixel's step, and a pixel of that level
 * where its downsample is no whole number. */
static void
test_pixels (void)
{
  static const double odd[] = { 1, 4.003, 16.05 };
  static const int from[2][6] = { { 0, 0, 1, 1, 2, 2 }, { 0, 0, 1, 1, 2, 2 } };

  for (int round = 0; round < 12; round++)
    {
      FakeSlide slide;
      int width = g_test_rand_int_range (600, 3900), height = g_test_rand_int_range (1, 3900),
          level = round % 6;
      gboolean whole = round < 6;
      double step = ldexp (1, level), slack = 24 + 2 * step + (whole ? 0 : 17);

      fake_slide_init (&slide, width, height, 3, whole ? by_four : odd);
      for (int column = 0; column * 512 * step < width; column++)
        {
          g_autofree char *trouble = NULL;
          g_autoptr (VgSlideTile) tile = read_tile (&slide, level, column, 0, &trouble);

          g_assert_null (trouble);
          g_assert_false (tile->damaged);
          g_assert_cmpfloat (tile->x, ==, column * 512 * step);
          g_assert_cmpfloat (tile->right, ==, MIN (tile->x + 512 * step, width));
          for (int n = 0; n < 200; n++)
            {
              int x = g_test_rand_int_range (0, tile->width),
                  y = g_test_rand_int_range (0, tile->height);
              const guint8 *rgb = pixel (tile, x, y);
              double at = tile->x + (x + 0.5) * step, down = (y + 0.5) * step;

              g_assert_cmpint (rgb[0], ==, 40 * from[!whole][level] + 10);
              g_assert_cmpfloat (fabs (rgb[1] * 16 + 8 - MIN (at, width)), <=, slack);
              g_assert_cmpfloat (fabs (rgb[2] * 16 + 8 - MIN (down, height)), <=, slack);
            }
        }
    }
}

static void
test_look (void)
{
  FakeSlide slide;
  VgTileCache *cache;
  VgTileLook all = { 0, 0, 8000, 6000, 8 }, part = { 3000, 2000, 4000, 2900, 1 };
  g_autoptr (GPtrArray) whole = NULL, sharp = NULL, again = NULL;
  VgTileCounts counts;
  double width, height;
  int finest = 0;

  fake_slide_init (&slide, 8000, 6000, 3, by_four);
  cache = make_cache (&slide, 0, 2);
  whole = look_until_sharp (cache, &slide, &all);
  g_assert_true (vg_tile_cache_get_size (cache, &width, &height));
  g_assert_cmpfloat (width, ==, 8000);
  g_assert_cmpfloat (height, ==, 6000);
  sharp = look_until_sharp (cache, &slide, &part);
  /* coarse ones first, so that fine ones lie over them */
  for (guint i = 0; i < sharp->len; i++)
    {
      const VgSlideTile *tile = sharp->pdata[i], *before = i > 0 ? sharp->pdata[i - 1] : tile;

      g_assert_cmpint (tile->level, <=, before->level);
      finest += tile->level == 0;
    }
  g_assert_cmpint (finest, ==, 3 * 3); /* columns 5 to 7, rows 3 to 5 */
  again = look_until_sharp (cache, &slide, &part);
  g_assert_cmpuint (again->len, ==, sharp->len);
  for (guint i = 0; i < sharp->len; i++) /* the same tiles: nothing is read twice */
    g_assert_true (again->pdata[i] == sharp->pdata[i]);
  vg_tile_cache_get_counts (cache, &counts);
  g_assert_cmpuint (counts.tiles, >=, 9 + 4);
  /* the slide whole, 2 x 2; its smallest; this part; around it for a step back, 4 x 4 at most */
  g_assert_cmpuint (counts.tiles, <=, 4 + 1 + 9 + 16);
  g_assert_cmpuint (counts.reads, >=, counts.tiles);
  close_cache (cache, &slide);
}

/* Until the fine tiles are there, the coarse one is drawn; a look never waits. */
static void
test_held (void)
{
  FakeSlide slide;
  VgTileCache *cache;
  VgTileLook all = { 0, 0, 4000, 4000, 8 }, part = { 1000, 1000, 1500, 1500, 1 },
             other = { 3000, 3000, 3500, 3500, 1 };
  g_autoptr (GPtrArray)
      tiles = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_slide_tile_unref);
  VgTileCounts counts;
  int reads;

  fake_slide_init (&slide, 4000, 4000, 3, by_four);
  cache = make_cache (&slide, 0, 1);
  g_ptr_array_unref (look_until_sharp (cache, &slide, &all));
  fake_slide_set_held (&slide, TRUE);
  g_assert_false (vg_tile_cache_look (cache, &part, tiles));
  g_assert_cmpuint (tiles->len, ==, 1);
  g_assert_cmpint (((VgSlideTile *) tiles->pdata[0])->level, ==, 3);
  fake_slide_wait (&slide, &slide.waiting, 1);
  reads = slide.reads;
  /* looking elsewhere forgets what was asked for: of the first place only the tile in hand is read
   */
  for (int i = 0; i < 50; i++)
    {
      g_ptr_array_set_size (tiles, 0);
      g_assert_false (vg_tile_cache_look (cache, i % 2 ? &part : &other, tiles));
    }
  g_ptr_array_set_size (tiles, 0);
  g_assert_false (vg_tile_cache_look (cache, &other, tiles));
  fake_slide_set_held (&slide, FALSE);
  g_ptr_array_unref (look_until_sharp (cache, &slide, &other));
  vg_tile_cache_get_counts (cache, &counts);
  g_assert_cmpint (slide.reads - reads, <=, 4 + 9); /* 2 x 2 in sight, 3 x 3 for a step back */
  close_cache (cache, &slide);
}

/* However far one goes, no more is kept than was agreed, and what was looked
 * at last stays. */
static void
test_bytes (void)
{
  enum { ROOM = 24 };
  gsize most = (gsize) ROOM * 3 * VG_SLIDE_TILE * VG_SLIDE_TILE;
  FakeSlide slide;
  VgTileCache *cache;
  VgTileCounts counts;
  VgTileLook look;

  fake_slide_init (&slide, 20000, 20000, 3, by_four);
  cache = make_cache (&slide, most, 2);
  for (int i = 0; i < 12; i++)
    {
      look = (VgTileLook){ 1000 * i, 700 * i, 1000 * i + 900, 700 * i + 900, 1 };
      g_ptr_array_unref (look_until_sharp (cache, &slide, &look));
      vg_tile_cache_get_counts (cache, &counts);
      g_assert_cmpuint (counts.bytes, <=, most);
    }
  g_assert_cmpuint (counts.most_bytes, <=, most);
  g_assert_cmpuint (counts.tiles, >, ROOM);
  /* all of it at once at the finest level is more than there is room for: a coarser one */
  look = (VgTileLook){ 0, 0, 20000, 20000, 1 };
  g_ptr_array_unref (look_until_sharp (cache, &slide, &look));
  vg_tile_cache_get_counts (cache, &counts);
  g_assert_cmpuint (counts.most_bytes, <=, most);
  close_cache (cache, &slide);
}

/* A damaged place is a hole that is hardly larger than itself. */
static void
test_damage (void)
{
  FakeSlide slide;
  g_autofree char *trouble = NULL, *told = NULL;
  g_autoptr (VgSlideTile) fine = NULL, coarse = NULL;
  int hatched = 0;

  fake_slide_init (&slide, 4000, 4000, 1, by_four);
  memcpy (slide.bad, (gint64[]){ 700, 100, 710, 110 }, sizeof slide.bad);
  fine = read_tile (&slide, 0, 1, 0, &trouble);
  g_assert_true (fine->damaged);
  g_assert_cmpstr (trouble, ==, "the slide is damaged");
  for (int y = 0; y < 512; y++)
    for (int x = 0; x < 512; x++)
      {
        const guint8 *rgb = pixel (fine, x, y);
        gboolean hole = rgb[0] != 10;

        hatched += hole;
        if (x + 512 >= 700 && x + 512 < 710 && y >= 100 && y < 110)
          g_assert_true (hole);
        else if (!hole)
          g_assert_cmpint (rgb[1], ==, (x + 512) / 16);
      }
  g_assert_cmpint (hatched, <=, 2 * 64 * 64);
  coarse = read_tile (&slide, 3, 0, 0, &told);
  g_assert_true (coarse->damaged);
  g_assert_cmpint (pixel (coarse, 705 / 8, 105 / 8)[0], !=, 10);
  g_assert_cmpint (pixel (coarse, 300, 300)[0], ==, 10);
}

/* A file that vanishes leaves what was read, and holes; it is told once. */
static void
test_gone (void)
{
  FakeSlide slide;
  VgTileCache *cache;
  VgTileLook all = { 0, 0, 4000, 4000, 8 }, part = { 1000, 1000, 1500, 1500, 1 };
  g_autoptr (GPtrArray) tiles = NULL;
  g_autofree char *trouble = NULL, *more = NULL;
  int holes = 0;

  fake_slide_init (&slide, 4000, 4000, 3, by_four);
  cache = make_cache (&slide, 0, 2);
  g_ptr_array_unref (look_until_sharp (cache, &slide, &all));
  g_assert_null (vg_tile_cache_take_trouble (cache));
  g_mutex_lock (&slide.mutex);
  slide.gone = TRUE;
  g_mutex_unlock (&slide.mutex);
  tiles = look_until_sharp (cache, &slide, &part);
  for (guint i = 0; i < tiles->len; i++)
    holes += ((VgSlideTile *) tiles->pdata[i])->damaged;
  g_assert_cmpint (holes, ==, 4);
  trouble = vg_tile_cache_take_trouble (cache);
  g_assert_nonnull (trouble);
  more = vg_tile_cache_take_trouble (cache);
  g_assert_null (more);
  close_cache (cache, &slide);
}

static void
test_no_slide (void)
{
  FakeSlide slide;
  VgTileCache *cache;
  g_autoptr (GPtrArray)
      tiles = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_slide_tile_unref);
  g_autofree char *trouble = NULL;
  double width, height;

  fake_slide_init (&slide, 4000, 4000, 3, by_four);
  slide.gone = TRUE;
  cache = make_cache (&slide, 0, 3);
  fake_slide_wait (&slide, &slide.arrived, 1);
  g_assert_false (vg_tile_cache_get_size (cache, &width, &height));
  g_assert_false (vg_tile_cache_look (cache, &(VgTileLook){ 0, 0, 10, 10, 1 }, tiles));
  g_assert_cmpuint (tiles->len, ==, 0);
  trouble = vg_tile_cache_take_trouble (cache);
  g_assert_cmpstr (trouble, ==, "the slide is gone");
  close_cache (cache, &slide);
}

/* Another file is opened while tiles of this one are read. */
static void
test_close (void)
{
  FakeSlide slide;
  VgTileCache *cache;
  g_autoptr (GPtrArray)
      tiles = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_slide_tile_unref);
  int arrived;

  fake_slide_init (&slide, 4000, 4000, 3, by_four);
  cache = make_cache (&slide, 0, 2);
  fake_slide_wait (&slide, &slide.arrived, 1);
  fake_slide_set_held (&slide, TRUE);
  vg_tile_cache_look (cache, &(VgTileLook){ 0, 0, 4000, 4000, 1 }, tiles);
  fake_slide_wait (&slide, &slide.waiting, 2);
  vg_tile_cache_close (cache); /* returns, though reads are held */
  arrived = slide.arrived;
  fake_slide_set_held (&slide, FALSE);
  fake_slide_wait (&slide, &slide.freed, 1);
  g_assert_cmpint (slide.closed, ==, 2);
  g_assert_cmpint (slide.arrived, ==, arrived);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tile-cache/levels", test_levels);
  g_test_add_func ("/tile-cache/pixels", test_pixels);
  g_test_add_func ("/tile-cache/look", test_look);
  g_test_add_func ("/tile-cache/held", test_held);
  g_test_add_func ("/tile-cache/bytes", test_bytes);
  g_test_add_func ("/tile-cache/damage", test_damage);
  g_test_add_func ("/tile-cache/gone", test_gone);
  g_test_add_func ("/tile-cache/no-slide", test_no_slide);
  g_test_add_func ("/tile-cache/close", test_close);
  return g_test_run ();
}
