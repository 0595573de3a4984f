/* SPDX-License-Identifier: MIT */
#include "tests/support/io/slide-fixture.h"
#include <string.h>
#include <tiffio.h>

void
slide_fixture_pixel (gint64 x, gint64 y, guint8 rgb[3])
{
  rgb[0] = (guint8) (x * 3 + y);
  rgb[1] = (guint8) (x / 7 + y * 5);
  rgb[2] = (guint8) (x ^ y);
}

void
slide_fixture_pattern (gint64 x, gint64 y, int side, guint8 *rgb, gpointer data)
{
  for (int j = 0; j < side; j++)
    for (int i = 0; i < side; i++)
      slide_fixture_pixel (x + i, y + j, rgb + 3 * (j * side + i));
}

/* The tile of LEVEL at (X, Y), in its pixels. */
static void
fill_tile (int level, gint64 x, gint64 y, guint8 *tile, SlideFill fill, gpointer data)
{
  int scale = 1 << level, side = SLIDE_TILE * scale;
  g_autofree guint8 *fine = NULL;

  if (level == 0)
    {
      fill (x, y, SLIDE_TILE, tile, data);
      return;
    }
  fine = g_malloc (3 * (gsize) side * (gsize) side);
  fill (x * scale, y * scale, side, fine, data);
  for (int j = 0; j < SLIDE_TILE; j++)
    for (int i = 0; i < SLIDE_TILE; i++)
      for (int c = 0; c < 3; c++)
        {
          int sum = 0;

          for (int b = 0; b < scale; b++)
            for (int a = 0; a < scale; a++)
              sum += fine[3 * ((gsize) (j * scale + b) * (gsize) side + (gsize) (i * scale + a)) +
                          (gsize) c];
          tile[3 * (j * SLIDE_TILE + i) + c] = (guint8) ((sum + scale * scale / 2) /
                                                         (scale * scale));
        }
}

void
slide_fixture_write (const char *path, int width, int height, int levels, SlideFill fill,
                     gpointer data)
{
  TIFF *tiff = TIFFOpen (path, "w");
  g_autofree guint8 *tile = g_malloc (3 * SLIDE_TILE * SLIDE_TILE);

  g_assert_nonnull (tiff);
  for (int level = 0; level < levels; level++)
    {
      int w = MAX (width >> level, 1), h = MAX (height >> level, 1);

      TIFFSetField (tiff, TIFFTAG_SUBFILETYPE, level > 0 ? FILETYPE_REDUCEDIMAGE : 0);
      TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, w);
      TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, h);
      TIFFSetField (tiff, TIFFTAG_TILEWIDTH, SLIDE_TILE);
      TIFFSetField (tiff, TIFFTAG_TILELENGTH, SLIDE_TILE);
      TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, 3);
      TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 8);
      TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
      TIFFSetField (tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
      TIFFSetField (tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
      TIFFSetField (tiff, TIFFTAG_ZIPQUALITY, 1);
      for (int y = 0; y < h; y += SLIDE_TILE)
        for (int x = 0; x < w; x += SLIDE_TILE)
          {
            fill_tile (level, x, y, tile, fill, data);
            g_assert_cmpint (
                TIFFWriteEncodedTile (tiff, TIFFComputeTile (tiff, (guint32) x, (guint32) y, 0, 0),
                                      tile, 3 * SLIDE_TILE * SLIDE_TILE),
                >, 0);
          }
      g_assert_true (TIFFWriteDirectory (tiff));
    }
  TIFFClose (tiff);
}
