/* SPDX-License-Identifier: MIT */
#include "ui/viewer/vg-viewer.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

enum { SPACING_PX = 12 };

/* names of the stack's pages, in the order of VgViewerPage */
static const char *const names[] = { "image", "no-map", "empty" };

struct _VgViewer
{
  VgBin parent_instance;
  VgSession *session;
  GtkWidget *stack, *overlay, *waiting, *image, *sections;
  const VgCuda *cuda; /* NULL: none */
  double ground;
};

G_DEFINE_FINAL_TYPE (VgViewer, vg_viewer, VG_TYPE_BIN)

void
vg_viewer_set_display_path (VgViewer *self, int display_path)
{
  self->image = vg_image_view_new (self->session, display_path);
  vg_widget_describe (self->image, _ ("Result picture"), NULL);
  vg_image_view_set_cuda (VG_IMAGE_VIEW (self->image), self->cuda);
  vg_image_view_set_ground (VG_IMAGE_VIEW (self->image), self->ground);
  vg_sections_set_image (VG_SECTIONS (self->sections), self->image);
  gtk_overlay_set_child (GTK_OVERLAY (self->overlay), self->image);
}

VgImageView *
vg_viewer_get_image (VgViewer *self)
{
  return VG_IMAGE_VIEW (self->image);
}

VgSections *
vg_viewer_get_sections (VgViewer *self)
{
  return VG_SECTIONS (self->sections);
}

void
vg_viewer_add_over (VgViewer *self, GtkWidget *widget)
{
  gtk_overlay_add_overlay (GTK_OVERLAY (self->overlay), widget);
}

void
vg_viewer_set_empty (VgViewer *self, GtkWidget *widget)
{
  gtk_stack_add_named (GTK_STACK (self->stack), widget, names[VG_VIEWER_EMPTY]);
}

void
vg_viewer_set_waiting (VgViewer *self, const char *text)
{
  if (text != NULL && g_strcmp0 (text, gtk_label_get_text (GTK_LABEL (self->waiting))) != 0)
    gtk_label_set_text (GTK_LABEL (self->waiting), text);
  gtk_widget_set_visible (self->waiting, text != NULL);
}

gboolean
vg_viewer_is_waiting (VgViewer *self)
{
  return gtk_widget_get_visible (self->waiting);
}

void
vg_viewer_show_page (VgViewer *self, VgViewerPage page)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), names[page]);
}

void
vg_viewer_set_cuda (VgViewer *self, const VgCuda *cuda)
{
  self->cuda = cuda;
  vg_image_view_set_cuda (VG_IMAGE_VIEW (self->image), cuda);
  vg_sections_set_cuda (VG_SECTIONS (self->sections), cuda);
}

void
vg_viewer_set_ground (VgViewer *self, double grey)
{
  self->ground = grey;
  vg_image_view_set_ground (VG_IMAGE_VIEW (self->image), grey);
  vg_sections_set_ground (VG_SECTIONS (self->sections), grey);
}

void
vg_viewer_zoom (VgViewer *self, double factor)
{
  VgImageView *image = VG_IMAGE_VIEW (self->image);
  gboolean planes = vg_sections_is_shown (VG_SECTIONS (self->sections));

  if (planes || factor == 0)
    vg_sections_zoom (VG_SECTIONS (self->sections), factor);
  if (factor == 0)
    vg_image_view_zoom_fit (image);
  else if (!planes)
    vg_image_view_zoom_by (image, factor);
}

GdkTexture *
vg_viewer_capture (VgViewer *self, GError **error)
{
  if (vg_sections_is_shown (VG_SECTIONS (self->sections)))
    return vg_sections_capture (VG_SECTIONS (self->sections), error);
  return vg_image_view_capture (VG_IMAGE_VIEW (self->image), error);
}

/* The page that is shown in place of a map that does not exist. */
static GtkWidget *
make_no_map (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING_PX);
  GtkWidget *title = gtk_label_new (_ ("These settings produce numbers only"));
  GtkWidget *text = gtk_label_new (_ ("See Results and the plots."));

  gtk_widget_add_css_class (title, "title-2");
  gtk_widget_add_css_class (text, "dim-label");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), text);
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  return box;
}

static void
vg_viewer_class_init (VgViewerClass *class)
{
}

static void
vg_viewer_init (VgViewer *self)
{
  self->stack = gtk_stack_new ();
  self->overlay = gtk_overlay_new ();
  gtk_widget_set_vexpand (self->stack, TRUE);
  self->waiting = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->waiting), TRUE);
  gtk_label_set_justify (GTK_LABEL (self->waiting), GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class (self->waiting, "vg-waiting");
  gtk_widget_set_halign (self->waiting, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (self->waiting, GTK_ALIGN_CENTER);
  gtk_widget_set_can_target (self->waiting, FALSE);
  gtk_widget_set_visible (self->waiting, FALSE);
  gtk_overlay_add_overlay (GTK_OVERLAY (self->overlay), self->waiting);
  gtk_stack_add_named (GTK_STACK (self->stack), self->overlay, names[VG_VIEWER_IMAGE]);
  gtk_stack_add_named (GTK_STACK (self->stack), make_no_map (), names[VG_VIEWER_NO_MAP]);
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
}

VgViewer *
vg_viewer_new (VgSession *session, int display_path)
{
  VgViewer *self = g_object_new (VG_TYPE_VIEWER, NULL);

  self->session = vg_hold (self, session);
  self->sections = vg_sections_new (session);
  vg_viewer_add_over (self, self->sections);
  vg_viewer_set_display_path (self, display_path);
  return self;
}
