/* SPDX-License-Identifier: MIT */
/* Any text as a list of regions; or, if the first byte is 0 or 1, the rest as a label image with
 * samples of 8 or 16 bits, whose width is the second byte. */
#include "tests/fuzz/fuzz.h"
#include "app/region/vg-region-file.h"
#include "app/region/vg-region-labels.h"

static void
check_regions (GPtrArray *regions, const GError *error)
{
  fuzz_require_message (regions == NULL, error);
  for (guint i = 0; regions != NULL && i < regions->len; i++)
    {
      const VgNamedRegion *region = regions->pdata[i];
      g_autofree char *text = vg_region_format (&region->region);
      VgRegion again;

      fuzz_require (region->name != NULL && *region->name != '\0' &&
                        g_utf8_validate (region->name, -1, NULL) && !strchr (region->name, '\n'),
                    "a region without a proper name");
      fuzz_require (vg_region_parse (&again, text, NULL) &&
                        vg_region_equal (&again, &region->region),
                    "a region does not read back");
    }
}

static void
check_labels (const guint8 *data, gsize length, VgType type)
{
  int width = length > 0 ? data[0] : 0;
  gsize row = (gsize) width * vg_type_size (type);
  VgImageInfo info = vg_image_info_grey (type, width, row > 0 ? (int) ((length - 1) / row) : 0);
  g_autoptr (GPtrArray) regions = NULL;
  g_autoptr (VgImage) mask = NULL;
  g_autoptr (GError) error = NULL;
  VgSimplified simplified = { 0 };

  if (info.height == 0)
    return;
  mask = vg_image_new (&info, "labels.tif", NULL);
  memcpy (mask->data, data + 1, row * (gsize) info.height);
  regions = vg_region_labels (mask, "labels.tif", 100, &simplified, &error);
  check_regions (regions, error);
}

void
fuzz_one (const guint8 *data, gsize length)
{
  g_autofree char *text = g_strndup ((const char *) data, length);
  g_autoptr (GPtrArray) regions = NULL;
  g_autoptr (GError) error = NULL;

  if (length > 0 && data[0] < 2)
    {
      check_labels (data + 1, length - 1, data[0] == 0 ? VG_U8 : VG_U16);
      return;
    }
  vg_region_file_is_list (text);
  regions = vg_region_file_parse (text, &error);
  check_regions (regions, error);
}
