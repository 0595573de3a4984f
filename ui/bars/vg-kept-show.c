/* SPDX-License-Identifier: MIT */
#include "ui/bars/vg-kept-show.h"
#include "ui/words/vg-translation.h"

/* The small picture of RESULT, in the present colours. */
static void
show_item (VgKept *self, VgSession *session, int i, VgResult *result, VgImageView *image,
           VgKeptStrip *strip, const char *name)
{
  const VgOperation *operation = vg_session_get_operation (session);
  g_autofree char *changes = vg_kept_get_changes (self, operation, i,
                                                  vg_session_get_params (session));
  g_autoptr (GdkTexture)
      texture = image != NULL && result != NULL
                    ? vg_image_view_draw_small (image, result, 2 * VG_KEPT_PICTURE_WIDTH,
                                                2 * VG_KEPT_PICTURE_HEIGHT)
                    : NULL;

  vg_kept_strip_set_item (strip, i, name, changes, GDK_PAINTABLE (texture));
}

void
vg_kept_show (VgKept *self, VgSession *session, int chosen, VgImageView *image, VgKeptStrip *strip)
{
  const VgOperation *operation = vg_session_get_operation (session);
  const void *params = vg_session_get_params (session);
  const char *input = vg_session_get_inputs (session)[0];
  int output = vg_session_get_view (session)->output, n = vg_kept_count (self, operation);
  VgResult *results[VG_KEPT_MOST], *beside[VG_KEPT_MOST];
  char *names[VG_KEPT_MOST], *labels[VG_KEPT_MOST];

  for (int i = 0; i < n; i++)
    {
      const char *misfit = vg_kept_get_misfit (self, operation, i);
      g_autofree char *why = misfit != NULL
                                 ? g_strdup_printf (_ ("Not compared: %s"), vg_translate (misfit))
                                 : NULL;

      results[i] = vg_kept_get_result (self, operation, i, output);
      names[i] = vg_kept_get_name (self, operation, i, params, input);
      beside[i] = misfit == NULL ? results[i] : NULL;
      labels[i] = g_strjoin ("\n", names[i], why, NULL);
    }
  if (image != NULL)
    vg_image_view_set_beside (image, beside, (const char *const *) labels, n, chosen);
  vg_kept_strip_set (strip, n, chosen);
  for (int i = 0; i < n; i++)
    {
      show_item (self, session, i, results[i], image, strip, names[i]);
      g_free (names[i]);
      g_free (labels[i]);
    }
}

void
vg_kept_keep_room (GtkWidget *bar, VgImageView *image)
{
  int free_px = vg_image_view_get_bar (image), height = 0; /* with the margin */

  if (gtk_widget_get_margin_end (bar) != free_px)
    gtk_widget_set_margin_end (bar, free_px);
  if (gtk_widget_get_visible (bar))
    gtk_widget_measure (bar, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  vg_image_view_set_foot (image, height);
}
