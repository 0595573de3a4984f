/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib/gstdio.h>
#include <math.h>
#include <png.h>
#include <string.h>
#include "app/figure/vg-preview.h"
/* preview.png of a plane, written and read again. */

static VgOutput output = { "map", "Map", "A map.", "s" };

static inline VgDisplay
fixed_display (double low, double high)
{
  return (VgDisplay){
    .colormap = "viridis", .low = low, .high = high, .gamma = 1, .invalid_rgb = { 1, 2, 3 }
  };
}

static const VgOverlay *overlay; /* of the tests that have one */
static const VgPlane *brightness;
static const VgPlane *counted;
static const VgUnderlay *underlay;
static const VgOrientation *orientation;
static double noise;

/* RGBA of the picture, newly allocated. */
static inline guint8 *
draw (const VgPlane *plane, const VgDisplay *display, int *width, int *height)
{
  g_autofree char *folder = g_dir_make_tmp ("vg-preview-XXXXXX", NULL),
                  *path = g_build_filename (folder, "a.png", NULL);
  g_autoptr (GError) error = NULL;
  png_image image = { .version = PNG_IMAGE_VERSION };
  guint8 *rgba;

  g_assert_true (vg_preview_write (path,
                                   &(VgMapView){ .output = &output,
                                                 .plane = plane,
                                                 .display = display,
                                                 .brightness = brightness,
                                                 .limits_mask = counted,
                                                 .underlay = underlay,
                                                 .overlay = overlay,
                                                 .orientation = orientation,
                                                 .noise = noise },
                                   &error));
  g_assert_no_error (error);
  g_assert_true (png_image_begin_read_from_file (&image, path));
  image.format = PNG_FORMAT_RGBA;
  rgba = g_malloc (PNG_IMAGE_SIZE (image));
  g_assert_true (png_image_finish_read (&image, NULL, rgba, 0, NULL));
  *width = (int) image.width;
  *height = (int) image.height;
  g_unlink (path);
  g_rmdir (folder);
  return rgba;
}
