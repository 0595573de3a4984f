/* SPDX-License-Identifier: MIT */
/* Reads view, displays and regions. */
#include "app/session/vg-session-reader-private.h"
#include "app/annotation/vg-annotation.h"
#include <string.h>
#include "kernels/shared/vg-colormap.h"
#include "app/session/vg-display.h"
#include "app/session/vg-session-fields.h"

static gboolean
read_color (VgSessionReader *self, guint8 *rgb)
{
  const char *text = self->text;

  if (strlen (text) != 7 || text[0] != '#')
    return vg_session_reader_fail (self, "is not a colour; write it as #rrggbb");
  for (int i = 0; i < 3; i++)
    {
      int high = g_ascii_xdigit_value (text[1 + 2 * i]),
          low = g_ascii_xdigit_value (text[2 + 2 * i]);

      if (high < 0 || low < 0)
        return vg_session_reader_fail (self, "is not a colour; write it as #rrggbb");
      rgb[i] = (guint8) (16 * high + low);
    }
  return TRUE;
}

gboolean
vg_session_read_view_key (VgSessionReader *self, gpointer data)
{
  VgDocument *document = data;
  const VgParam *field = vg_session_find_field (&vg_session_view_fields, self->key);

  if (field != NULL)
    return vg_session_reader_parse (self, field, &document->view);
  if (strcmp (self->key, "frame") == 0)
    return vg_session_reader_get_int64 (self, &document->view.frame);
  if (strcmp (self->key, "output") == 0)
    {
      document->view.output = vg_operation_find_output (document->operation, self->text);
      return document->view.output >= 0 ||
             vg_session_reader_fail (self, "the operation has no such output");
    }
  if (strcmp (self->key, "page") == 0 || strcmp (self->key, "second-page") == 0)
    {
      const char *page = vg_document_find_page (document, self->text);

      document->view.pages[*self->key == 's'] = page;
      return page != NULL ||
             vg_session_reader_fail (self, "the operation has no such page of plots");
    }
  return vg_session_reader_fail_unknown (self);
}

gboolean
vg_session_read_display_key (VgSessionReader *self, gpointer data)
{
  VgDisplay *display = data;
  const VgParam *field = vg_session_find_field (&vg_session_display_fields, self->key);
  g_autoptr (GError) local = NULL;

  if (field != NULL)
    return vg_session_reader_parse (self, field, display);
  if (strcmp (self->key, "invalid_color") == 0)
    return read_color (self, display->invalid_rgb);
  if (strcmp (self->key, "isolines") == 0)
    return vg_display_parse_isolines (display, self->text, &local) ||
           vg_session_reader_fail (self, local->message);
  if (strcmp (self->key, "colormap") != 0)
    return vg_session_reader_fail_unknown (self);
  if (!vg_colormap_find (self->text) || strlen (self->text) >= sizeof display->colormap)
    return vg_session_reader_fail (self, "there is no such colour map");
  g_strlcpy (display->colormap, self->text, sizeof display->colormap);
  return TRUE;
}

gboolean
vg_session_read_annotation_key (VgSessionReader *self, gpointer data)
{
  VgDocument *document = data;
  g_autofree char *expected = g_strdup_printf ("%u", document->annotations->len + 1);
  g_autoptr (GError) local = NULL;
  VgAnnotation *annotation;

  G_STATIC_ASSERT (VG_ANNOTATION_MOST == 256); /* the message */
  if (strcmp (self->key, expected) != 0 || document->annotations->len >= VG_ANNOTATION_MOST)
    return vg_session_reader_fail (self,
                                   "is not the next number: annotations are numbered 1, 2, 3 up to "
                                   "256 in their order");
  annotation = vg_annotation_parse (self->text, &local);
  if (annotation == NULL)
    return vg_session_reader_fail (self, local->message);
  g_ptr_array_add (document->annotations, annotation);
  return TRUE;
}

static gboolean
read_truth (VgSessionReader *self, gboolean *value)
{
  *value = strcmp (self->text, "true") == 0;
  return *value || strcmp (self->text, "false") == 0 ||
         vg_session_reader_fail (self, "is not true or false");
}

static gboolean
read_origin (VgSessionReader *self, VgRegionOrigin *origin)
{
  for (guint i = 0; vg_session_region_origins[i] != NULL; i++)
    if (strcmp (self->text, vg_session_region_origins[i]) == 0)
      {
        *origin = (VgRegionOrigin) i;
        return TRUE;
      }
  return vg_session_reader_fail (self, "is not drawn, found or adapted");
}

static gboolean
read_id (VgSessionReader *self, guint *id)
{
  gint64 value;

  if (!vg_session_reader_get_int64 (self, &value))
    return FALSE;
  *id = (guint) value;
  return value <= G_MAXUINT || vg_session_reader_fail (self, "is larger than 4294967295");
}

gboolean
vg_session_read_region_key (VgSessionReader *self, gpointer data)
{
  VgNamedRegion *region = data;
  g_autoptr (GError) local = NULL;

  if (strcmp (self->key, "color") == 0)
    return read_color (self, region->rgb);
  if (strcmp (self->key, "id") == 0 && self->folder == NULL) /* a file has no ids */
    return read_id (self, &region->id);
  if (strcmp (self->key, "selected") == 0)
    return read_truth (self, &region->selected);
  if (strcmp (self->key, "named_after_file") == 0)
    return read_truth (self, &region->named_after_file);
  if (strcmp (self->key, "origin") == 0)
    return read_origin (self, &region->origin);
  if (strcmp (self->key, "name") == 0)
    {
      if (strlen (self->text) > VG_DOCUMENT_MAX_NAME)
        return vg_session_reader_fail (self, "is longer than 256 bytes");
      g_free (region->name);
      region->name = g_strdup (self->text);
      return TRUE;
    }
  if (strcmp (self->key, "shape") == 0)
    return vg_region_parse (&region->region, self->text, &local) ||
           vg_session_reader_fail (self, local ? local->message : "is not a region");
  return vg_session_reader_fail_unknown (self);
}

static gboolean
has_id_of_other (const VgDocument *document, const VgNamedRegion *region)
{
  for (guint i = 0; i < document->regions->len; i++)
    {
      const VgNamedRegion *other = document->regions->pdata[i];

      if (other != region && other->id == region->id)
        return TRUE;
    }
  return FALSE;
}

void
vg_session_separate_region (const VgDocument *document, VgNamedRegion *region)
{
  while (has_id_of_other (document, region))
    region->id = g_random_int ();
}
