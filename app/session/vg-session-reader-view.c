/* SPDX-License-Identifier: MIT */
/* Reads view, displays and regions. */
#include "app/session/vg-session-reader-private.h"
#include <string.h>
#include "kernels/shared/vg-colormap.h"
#include "app/session/vg-display.h"
#include "app/session/vg-session-fields.h"

static gboolean
read_color (VgSessionReader *self, const char *group, const char *key, guint8 *rgb, GError **error)
{
  g_autofree char *text = vg_session_reader_get (self, group, key, error);

  if (!text)
    return FALSE;
  if (strlen (text) != 7 || text[0] != '#')
    return vg_session_fail (error, group, key, "is not a colour; write it as #rrggbb");
  for (int i = 0; i < 3; i++)
    {
      int high = g_ascii_xdigit_value (text[1 + 2 * i]),
          low = g_ascii_xdigit_value (text[2 + 2 * i]);

      if (high < 0 || low < 0)
        return vg_session_fail (error, group, key, "is not a colour; write it as #rrggbb");
      rgb[i] = (guint8) (16 * high + low);
    }
  return TRUE;
}

gboolean
vg_session_read_view_key (VgSessionReader *self, gpointer data, const char *group, const char *key,
                          GError **error)
{
  VgDocument *document = data;
  const VgParam *field = vg_session_find_field (&vg_session_view_fields, key);

  if (field)
    return vg_session_reader_parse (self, group, field, &document->view, error);
  if (strcmp (key, "frame") == 0)
    return vg_session_reader_get_int64 (self, group, key, &document->view.frame, error);
  if (strcmp (key, "output") == 0)
    {
      g_autofree char *id = vg_session_reader_get (self, group, key, error);

      if (!id)
        return FALSE;
      document->view.output = vg_operation_find_output (document->operation, id);
      return document->view.output >= 0 ||
             vg_session_fail (error, group, key, "the operation has no such output");
    }
  if (strcmp (key, "page") == 0)
    {
      g_autofree char *page = vg_session_reader_get (self, group, key, error);

      if (!page)
        return FALSE;
      document->view.page = vg_document_find_page (document, page);
      return document->view.page ||
             vg_session_fail (error, group, key, "the operation has no such page of plots");
    }
  return vg_session_fail_unknown (error, group, key);
}

static gboolean
read_isolines (VgSessionReader *self, const char *group, const char *key, VgDisplay *display,
               GError **error)
{
  g_autofree char *text = vg_session_reader_get (self, group, key, error);
  g_autoptr (GError) local = NULL;

  if (!text)
    return FALSE;
  return vg_display_parse_isolines (display, text, &local) ||
         vg_session_fail (error, group, key, local->message);
}

gboolean
vg_session_read_display_key (VgSessionReader *self, gpointer data, const char *group,
                             const char *key, GError **error)
{
  VgDisplay *display = data;
  const VgParam *field = vg_session_find_field (&vg_session_display_fields, key);

  if (field)
    return vg_session_reader_parse (self, group, field, display, error);
  if (strcmp (key, "invalid_color") == 0)
    return read_color (self, group, key, display->invalid_rgb, error);
  if (strcmp (key, "isolines") == 0)
    return read_isolines (self, group, key, display, error);
  if (strcmp (key, "colormap") == 0)
    {
      g_autofree char *id = vg_session_reader_get (self, group, key, error);

      if (!id)
        return FALSE;
      if (!vg_colormap_find (id) || strlen (id) >= sizeof display->colormap)
        return vg_session_fail (error, group, key, "there is no such colour map");
      g_strlcpy (display->colormap, id, sizeof display->colormap);
      return TRUE;
    }
  return vg_session_fail_unknown (error, group, key);
}

gboolean
vg_session_read_region_key (VgSessionReader *self, gpointer data, const char *group,
                            const char *key, GError **error)
{
  VgNamedRegion *region = data;
  g_autofree char *text = vg_session_reader_get (self, group, key, error);
  g_autoptr (GError) local = NULL;

  if (!text)
    return FALSE;
  if (strcmp (key, "color") == 0)
    return read_color (self, group, key, region->rgb, error);
  if (strcmp (key, "selected") == 0)
    {
      region->selected = strcmp (text, "true") == 0;
      return region->selected || strcmp (text, "false") == 0 ||
             vg_session_fail (error, group, key, "is not true or false");
    }
  if (strcmp (key, "name") == 0)
    {
      if (strlen (text) > VG_DOCUMENT_MAX_NAME)
        return vg_session_fail (error, group, key, "is longer than 256 bytes");
      g_free (region->name);
      region->name = g_steal_pointer (&text);
      return TRUE;
    }
  if (strcmp (key, "shape") == 0)
    return vg_region_parse (&region->region, text, &local) ||
           vg_session_fail (error, group, key, local ? local->message : "is not a region");
  return vg_session_fail_unknown (error, group, key);
}
