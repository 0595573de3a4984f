/* SPDX-License-Identifier: MIT */
/* Where OpenGL is turned off (gl-disable in GDK_DEBUG) the CPU colours the picture.  Else
 * GtkGLArea owns the context: the renderer is made in "realize" and freed in
 * "unrealize", both with the context current, so that moving the widget to
 * another surface or losing the context starts over by itself. */
#include "render/vg-renderer.h"
#include "ui/words/vg-translation.h"
#include "ui/picture/vg-picture.h"
#include <string.h>
#include "ui/picture/vg-picture-software.h"
#include "ui/common/vg-object.h"

enum { N_TIMES = 256, MOST_PANES = VG_PANE_SOURCES + 1 };

struct _VgPicture
{
  GtkWidget parent_instance;

  GtkWidget *gl_area;      /* NULL: coloured on the CPU */
  GtkWidget *words;        /* why there is no picture, in its place */
  VgRenderer *renderer;    /* NULL: not realized */
  gboolean renderer_stale; /* made for another CUDA module */
  VgDisplayPath path;
  const VgCuda *cuda;

  VgPictureSource shown[VG_PANE_SOURCES];
  VgPane panes[MOST_PANES];
  int n_panes;
  GPtrArray *tiles; /* of a slide; NULL: none */
  guint late_idle;  /* some of them have not been drawn yet */

  GdkTexture *software; /* cache of the CPU's picture */
  char *description;
  char *complaint;  /* last reason given with "failed" */
  gboolean undrawn; /* it was of a result that could not be drawn */
  guint complaint_idle;
  gint64 times[N_TIMES]; /* of drawn results, a ring */
  guint n_drawn;
};

G_DEFINE_FINAL_TYPE (VgPicture, vg_picture, GTK_TYPE_WIDGET)

static void
describe (VgPicture *self, const char *description)
{
  if (g_strcmp0 (self->description, description) == 0)
    return;
  g_free (self->description);
  self->description = g_strdup (description);
}

static gboolean
emit_complaint (gpointer data)
{
  VgPicture *self = data;

  self->complaint_idle = 0;
  gtk_label_set_text (GTK_LABEL (self->words), self->complaint ? self->complaint : "");
  gtk_widget_set_visible (self->words, self->undrawn && self->shown->result != NULL);
  g_signal_emit_by_name (self, "failed", self->complaint);
  return G_SOURCE_REMOVE;
}

/* From the main loop, because a draw or a realize is no time for a banner; and
 * once, since the next frame has the same trouble. */
static void
complain (VgPicture *self, const char *why)
{
  if (g_strcmp0 (self->complaint, why) == 0)
    return;
  g_free (self->complaint);
  self->complaint = g_strdup (why);
  if (self->complaint_idle == 0)
    self->complaint_idle = g_idle_add (emit_complaint, self);
}

static void
count_drawn (VgPicture *self)
{
  self->times[self->n_drawn++ % N_TIMES] = g_get_monotonic_time ();
}

double
vg_picture_get_fps (VgPicture *self)
{
  gint64 now = g_get_monotonic_time (), last, first;
  guint n = 0, kept = MIN (self->n_drawn, N_TIMES);

  if (kept < 2)
    return 0;
  last = self->times[(self->n_drawn - 1) % N_TIMES];
  first = last;
  for (guint i = 1; i < kept; i++)
    {
      gint64 time = self->times[(self->n_drawn - 1 - i) % N_TIMES];

      if (now - time > 2 * G_USEC_PER_SEC)
        break;
      first = time;
      n++;
    }
  if (n == 0 || now - last > G_USEC_PER_SEC)
    return 0;
  return n * (double) G_USEC_PER_SEC / (double) (last - first);
}

/* --- OpenGL --- */

static GdkGLContext *
on_create_context (GtkGLArea *area, VgPicture *self)
{
  g_autoptr (GError) error = NULL;
  GdkSurface *surface = gtk_native_get_surface (gtk_widget_get_native (GTK_WIDGET (area)));
  g_autoptr (GdkGLContext) context = gdk_surface_create_gl_context (surface, &error);

  if (context != NULL)
    {
      gdk_gl_context_set_allowed_apis (context, GDK_GL_API_GL);
      gdk_gl_context_set_required_version (context, 3, 3);
      if (gdk_gl_context_realize (context, &error))
        return g_steal_pointer (&context);
    }
  gtk_gl_area_set_error (area, error);
  return NULL;
}

/* The context is current. */
static gboolean
make_renderer (VgPicture *self, GError **error)
{
  g_autoptr (GError) why = NULL;

  g_clear_pointer (&self->renderer, vg_renderer_free);
  self->renderer_stale = FALSE;
  for (int i = 0; i < VG_PANE_SOURCES; i++)
    self->shown[i].pending = self->shown[i].result != NULL;
  self->renderer = vg_renderer_new (self->path, self->cuda, &why);
  if (self->renderer == NULL && self->path == VG_DISPLAY_INTEROP)
    {
      /* asked for what can't be had: say so, and stay usable */
      complain (self, why->message);
      g_clear_error (&why);
      self->renderer = vg_renderer_new (VG_DISPLAY_AUTO, self->cuda, &why);
    }
  if (self->renderer == NULL)
    g_propagate_error (error, g_steal_pointer (&why));
  return self->renderer != NULL;
}

static gboolean
give_up_gl (gpointer data)
{
  VgPicture *self = data;

  if (self->gl_area != NULL)
    gtk_widget_unparent (g_steal_pointer (&self->gl_area));
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return G_SOURCE_REMOVE;
}

/* Not at once: GTK is in the middle of realizing the area. */
static void
fall_back (VgPicture *self, const GError *error)
{
  g_autofree char *advice = g_strdup_printf (
      _ ("OpenGL 3.3 is not available (%s), so the CPU colours the image. Update the graphics "
         "driver, or start with GDK_DEBUG=gl-prefer-gl"),
      error->message);
  g_autofree char *description = g_strdup_printf (_ ("CPU colouring (%s)"), error->message);

  describe (self, description);
  complain (self, advice);
  g_idle_add_full (GDK_PRIORITY_REDRAW - 10, give_up_gl, g_object_ref (self), g_object_unref);
}

static void
on_realize (GtkWidget *area, VgPicture *self)
{
  g_autoptr (GError) error = NULL;
  const GError *reason;

  gtk_gl_area_make_current (GTK_GL_AREA (area));
  reason = gtk_gl_area_get_error (GTK_GL_AREA (area));
  if (reason == NULL && !make_renderer (self, &error))
    reason = error;
  if (reason != NULL)
    fall_back (self, reason);
  else
    describe (self, vg_renderer_get_description (self->renderer));
}

static void
on_unrealize (GtkWidget *area, VgPicture *self)
{
  if (self->renderer == NULL)
    return;
  gtk_gl_area_make_current (GTK_GL_AREA (area));
  if (gtk_gl_area_get_error (GTK_GL_AREA (area)) == NULL)
    g_clear_pointer (&self->renderer, vg_renderer_free);
}

static gboolean
upload_planes (VgPicture *self, const VgPictureSource *shown, GError **error)
{
  const VgResult *result = shown->result;
  VgPlane plane = vg_picture_part (&result->plane, shown->slice);
  VgPlane brightness = vg_picture_part (&result->brightness, shown->slice);

  return vg_renderer_upload (self->renderer, 0, &plane, 0, error) &&
         (brightness.data == NULL ||
          vg_renderer_upload (self->renderer, 1, &brightness, 0, error)) &&
         vg_renderer_set_outlines (self->renderer, &result->outlines, error) &&
         vg_renderer_set_second_outlines (self->renderer, &result->second_outlines, error) &&
         (shown != self->shown ||
          vg_renderer_set_underlay (
              self->renderer, result->underlay,
              shown->slice < 0 ? -1 : CLAMP (shown->slice, 0, MAX (result->plane.slices, 1) - 1),
              error));
}

/* The present result is drawn: a message about one that could not be is withdrawn. */
static void
report_drawn (VgPicture *self)
{
  if (self->complaint_idle == 0)
    {
      g_clear_pointer (&self->complaint, g_free); /* the next failure is reported again */
      if (self->undrawn)
        self->complaint_idle = g_idle_add (emit_complaint, self);
      self->undrawn = FALSE;
    }
  count_drawn (self);
}

static void
upload (VgPicture *self, VgPictureSource *shown)
{
  g_autoptr (GError) error = NULL;
  gboolean present = shown == self->shown;

  shown->pending = FALSE;
  vg_renderer_choose_source (self->renderer, (int) (shown - self->shown));
  if (!upload_planes (self, shown, &error))
    {
      if (!present || g_error_matches (error, VG_RENDER_ERROR, VG_RENDER_ERROR_SIZE))
        vg_renderer_clear_source (self->renderer); /* what is there shows other data */
      if (shown->slice == VG_PICTURE_ALL_SLICES)
        g_prefix_error (&error, _ ("The slices do not fit into one image: "));
      complain (self, error->message);
      self->undrawn |= present;
    }
  else if (present)
    report_drawn (self);
  if (present)
    describe (self, vg_renderer_get_description (self->renderer));
}

static void
upload_all (VgPicture *self)
{
  gboolean empty = self->shown->result == NULL;

  if (empty)
    vg_renderer_clear (self->renderer);
  for (int i = 0; i < VG_PANE_SOURCES; i++)
    {
      VgPictureSource *shown = &self->shown[i];

      if (empty)
        shown->pending = TRUE;
      else if (shown->pending && shown->result != NULL)
        upload (self, shown);
      else if (shown->pending)
        {
          vg_renderer_choose_source (self->renderer, i);
          vg_renderer_clear_source (self->renderer);
          shown->pending = FALSE;
        }
    }
}

static void
queue (VgPicture *self)
{
  if (self->gl_area != NULL)
    {
      gtk_gl_area_queue_render (GTK_GL_AREA (self->gl_area));
      return;
    }
  g_clear_object (&self->software);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* From the main loop: in the middle of a draw another one is not asked for. */
static gboolean
draw_late (gpointer data)
{
  VgPicture *self = data;

  self->late_idle = 0;
  queue (self);
  return G_SOURCE_REMOVE;
}

static gboolean
on_render (GtkGLArea *area, GdkGLContext *context, VgPicture *self)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (area));
  g_autoptr (GError) error = NULL;

  if ((self->renderer == NULL || self->renderer_stale) && !make_renderer (self, &error))
    {
      fall_back (self, error);
      return TRUE;
    }
  upload_all (self);
  vg_renderer_set_tiles (self->renderer, self->tiles);
  vg_renderer_draw (self->renderer, self->panes, self->n_panes,
                    gtk_widget_get_width (GTK_WIDGET (area)) * scale,
                    gtk_widget_get_height (GTK_WIDGET (area)) * scale);
  if (vg_renderer_is_late (self->renderer) && self->late_idle == 0)
    self->late_idle = g_idle_add (draw_late, self);
  return TRUE;
}

/* --- without OpenGL --- */

static GdkTexture *
draw_software (VgPicture *self, int width, int height)
{
  g_autoptr (GError) error = NULL;
  guint8 *rgba = vg_picture_draw_software (self->panes, self->n_panes, self->shown, self->tiles,
                                           self->cuda, width, height, &error);
  g_autoptr (GBytes) bytes = g_bytes_new_take (rgba, (gsize) width * (gsize) height * 4);

  if (error != NULL)
    complain (self, error->message);
  return gdk_memory_texture_new (width, height, GDK_MEMORY_R8G8B8A8, bytes, (gsize) width * 4);
}

static void
vg_picture_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  VgPicture *self = VG_PICTURE (widget);
  int scale = gtk_widget_get_scale_factor (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  if (self->gl_area != NULL)
    {
      gtk_widget_snapshot_child (widget, self->gl_area, snapshot);
      gtk_widget_snapshot_child (widget, self->words, snapshot);
      return;
    }
  if (width < 1 || height < 1)
    return;
  if (self->software != NULL && (gdk_texture_get_width (self->software) != width * scale ||
                                 gdk_texture_get_height (self->software) != height * scale))
    g_clear_object (&self->software);
  if (self->software == NULL)
    self->software = draw_software (self, width * scale, height * scale);
  if (self->shown->pending)
    count_drawn (self);
  self->shown->pending = FALSE;
  gtk_snapshot_append_texture (snapshot, self->software, &GRAPHENE_RECT_INIT (0, 0, width, height));
}

/* --- the widget --- */

static void
vg_picture_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  VgPicture *self = VG_PICTURE (widget);
  int least, words;

  if (self->gl_area != NULL)
    gtk_widget_size_allocate (self->gl_area, &(GtkAllocation){ 0, 0, width, height }, -1);
  if (!gtk_widget_get_visible (self->words))
    return;
  gtk_widget_measure (self->words, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  words = MAX (least, 2 * width / 3);
  gtk_widget_size_allocate (self->words, &(GtkAllocation){ (width - words) / 2, 0, words, height },
                            -1);
}

static void
vg_picture_dispose (GObject *object)
{
  VgPicture *self = VG_PICTURE (object);

  g_clear_handle_id (&self->complaint_idle, g_source_remove);
  g_clear_handle_id (&self->late_idle, g_source_remove);
  g_clear_pointer (&self->tiles, g_ptr_array_unref);
  if (self->gl_area != NULL)
    gtk_widget_unparent (g_steal_pointer (&self->gl_area));
  g_clear_pointer (&self->words, gtk_widget_unparent);
  g_clear_object (&self->software);
  for (int i = 0; i < VG_PANE_SOURCES; i++)
    g_clear_pointer (&self->shown[i].result, vg_result_unref);
  G_OBJECT_CLASS (vg_picture_parent_class)->dispose (object);
}

static void
vg_picture_finalize (GObject *object)
{
  VgPicture *self = VG_PICTURE (object);

  g_free (self->description);
  g_free (self->complaint);
  G_OBJECT_CLASS (vg_picture_parent_class)->finalize (object);
}

static void
vg_picture_class_init (VgPictureClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->dispose = vg_picture_dispose;
  object_class->finalize = vg_picture_finalize;
  widget_class->size_allocate = vg_picture_size_allocate;
  widget_class->snapshot = vg_picture_snapshot;

  vg_signal_new (VG_TYPE_PICTURE, "failed", 1, G_TYPE_STRING);
}

static void
add_gl_area (VgPicture *self)
{
  self->gl_area = gtk_gl_area_new ();
  gtk_gl_area_set_required_version (GTK_GL_AREA (self->gl_area), 3, 3);
  gtk_gl_area_set_auto_render (GTK_GL_AREA (self->gl_area), FALSE);
  g_signal_connect (self->gl_area, "create-context", G_CALLBACK (on_create_context), self);
  g_signal_connect (self->gl_area, "realize", G_CALLBACK (on_realize), self);
  g_signal_connect (self->gl_area, "unrealize", G_CALLBACK (on_unrealize), self);
  g_signal_connect (self->gl_area, "render", G_CALLBACK (on_render), self);
  gtk_widget_set_parent (self->gl_area, GTK_WIDGET (self));
}

static void
vg_picture_init (VgPicture *self)
{
  const char *debug = g_getenv ("GDK_DEBUG");

  if (debug != NULL && strstr (debug, "gl-disable") != NULL)
    self->description = g_strdup_printf (_ ("CPU colouring (%s)"), _ ("OpenGL is turned off"));
  else
    {
      self->description = g_strdup ("not drawn yet");
      add_gl_area (self);
    }
  self->words = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->words), TRUE);
  gtk_label_set_justify (GTK_LABEL (self->words), GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class (self->words, "vg-undrawn");
  gtk_widget_set_can_target (self->words, FALSE);
  gtk_widget_set_visible (self->words, FALSE);
  gtk_widget_set_parent (self->words, GTK_WIDGET (self));
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
vg_picture_new (VgDisplayPath path)
{
  VgPicture *self = g_object_new (VG_TYPE_PICTURE, NULL);

  self->path = path;
  return GTK_WIDGET (self);
}

void
vg_picture_set_cuda (VgPicture *self, const VgCuda *cuda)
{
  if (self->cuda == cuda)
    return;
  self->cuda = cuda;
  self->renderer_stale = TRUE;
  queue (self);
}

void
vg_picture_show (VgPicture *self, int source, VgResult *result, int slice)
{
  VgPictureSource *shown = &self->shown[source];

  g_return_if_fail (source >= 0 && source < VG_PANE_SOURCES);

  if (shown->result == result && shown->slice == slice)
    return;
  if (result != NULL)
    vg_result_ref (result);
  g_clear_pointer (&shown->result, vg_result_unref);
  *shown = (VgPictureSource){ .result = result, .slice = slice, .pending = TRUE };
  gtk_widget_set_visible (self->words, self->undrawn && self->shown->result != NULL);
  queue (self);
}

void
vg_picture_set_tiles (VgPicture *self, GPtrArray *tiles)
{
  if (tiles != NULL)
    g_ptr_array_ref (tiles);
  g_clear_pointer (&self->tiles, g_ptr_array_unref);
  self->tiles = tiles;
  queue (self);
}

void
vg_picture_set_panes (VgPicture *self, const VgPane *panes, int n)
{
  g_return_if_fail (n >= 1 && n <= MOST_PANES);

  if (self->n_panes == n && memcmp (self->panes, panes, sizeof *panes * (gsize) n) == 0)
    return;
  memcpy (self->panes, panes, sizeof *panes * (gsize) n);
  self->n_panes = n;
  queue (self);
}

gboolean
vg_picture_is_undrawn (VgPicture *self)
{
  return self->undrawn;
}

const char *
vg_picture_get_description (VgPicture *self)
{
  return self->description;
}
