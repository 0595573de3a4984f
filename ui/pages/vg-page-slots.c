/* SPDX-License-Identifier: MIT */
#include "ui/pages/vg-page-slots.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

/* Two slots need this room, in heights of a drop-down, one above the other or side by side. */
enum { TALL = 16, WIDE = 22 };
/* Of the height, for one of two slots. */
#define MOST_SHARE 0.6

typedef struct
{
  GtkWidget *widget;
  char *title;
} Page;

struct _VgPageSlots
{
  GtkWidget parent_instance;
  GPtrArray *pages; /* of Page, in the order of the drop-downs */
  GtkWidget *shown[VG_N_PAGE_SLOTS], *choosers[VG_N_PAGE_SLOTS];
  guint n; /* slots that there is room for */
};

G_DEFINE_FINAL_TYPE (VgPageSlots, vg_page_slots, GTK_TYPE_WIDGET)

static void
page_free (gpointer data)
{
  Page *page = data;

  gtk_widget_unparent (page->widget);
  g_free (page->title);
  g_free (page);
}

/* ---- which pages are shown ---- */

static gboolean
is_available (VgPageSlots *self, GtkWidget *widget)
{
  for (guint i = 0; i < self->pages->len; i++)
    if (((Page *) self->pages->pdata[i])->widget == widget)
      return gtk_widget_get_visible (widget);
  return FALSE;
}

static void on_chosen (GtkDropDown *chooser, GParamSpec *property, VgPageSlots *self);
static gboolean has_room (VgPageSlots *self, int width, int height);

static void
fill_choosers (VgPageSlots *self)
{
  g_autoptr (GStrvBuilder) titles = g_strv_builder_new ();
  g_auto (GStrv) texts = NULL;
  guint places[VG_N_PAGE_SLOTS] = { GTK_INVALID_LIST_POSITION, GTK_INVALID_LIST_POSITION }, n = 0;

  for (guint i = 0; i < self->pages->len; i++)
    {
      const Page *page = self->pages->pdata[i];

      if (!gtk_widget_get_visible (page->widget))
        continue;
      for (guint slot = 0; slot < VG_N_PAGE_SLOTS; slot++)
        if (self->shown[slot] == page->widget)
          places[slot] = n;
      g_strv_builder_add (titles, page->title);
      n++;
    }
  texts = g_strv_builder_end (titles);
  for (guint slot = 0; slot < VG_N_PAGE_SLOTS; slot++)
    {
      GtkWidget *chooser = self->choosers[slot];

      g_signal_handlers_block_by_func (chooser, on_chosen, self);
      vg_drop_down_set_texts (chooser, (const char *const *) texts);
      gtk_drop_down_set_selected (GTK_DROP_DOWN (chooser), places[slot]);
      g_signal_handlers_unblock_by_func (chooser, on_chosen, self);
    }
}

/* Of two slots each has another page. */
static void
show (VgPageSlots *self, guint slot, GtkWidget *page)
{
  GtkWidget *before = self->shown[slot];
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  self->shown[slot] = page;
  fill_choosers (self);
  if (before != NULL && before != page && focus != NULL && gtk_widget_is_ancestor (focus, before))
    gtk_widget_grab_focus (self->choosers[slot]);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  g_signal_emit_by_name (self, "changed", slot);
}

/* Fills slots whose page is gone. */
static void
fill_slots (VgPageSlots *self)
{
  for (guint slot = 0; slot < VG_N_PAGE_SLOTS; slot++)
    {
      GtkWidget *next = NULL;

      if (self->shown[slot] != NULL && is_available (self, self->shown[slot]))
        continue;
      for (guint i = 0; i < self->pages->len && next == NULL; i++)
        {
          GtkWidget *page = ((Page *) self->pages->pdata[i])->widget;

          if (gtk_widget_get_visible (page) && page != self->shown[0] && page != self->shown[1])
            next = page;
        }
      if (next != self->shown[slot])
        show (self, slot, next);
    }
  fill_choosers (self);
}

/* A page that does not fit beside the other takes the first slot, which is always shown. */
static void
choose (VgPageSlots *self, guint slot, GtkWidget *page)
{
  GtkWidget *widget = GTK_WIDGET (self);

  vg_page_slots_set (self, slot, page);
  if (slot > 0 && !has_room (self, gtk_widget_get_width (widget), gtk_widget_get_height (widget)))
    vg_page_slots_set (self, 0, page);
}

static void
on_chosen (GtkDropDown *chooser, GParamSpec *property, VgPageSlots *self)
{
  guint place = gtk_drop_down_get_selected (chooser);
  guint slot = GTK_WIDGET (chooser) == self->choosers[1], n = 0;

  for (guint i = 0; i < self->pages->len; i++)
    {
      GtkWidget *page = ((Page *) self->pages->pdata[i])->widget;

      if (gtk_widget_get_visible (page) && n++ == place)
        {
          choose (self, slot, page);
          return;
        }
    }
}

void
vg_page_slots_set (VgPageSlots *self, guint slot, GtkWidget *page)
{
  GtkWidget *before = self->shown[slot];

  if (page == before || !is_available (self, page))
    return;
  if (page == self->shown[!slot])
    {
      self->shown[slot] = page;
      show (self, !slot, before);
    }
  show (self, slot, page);
}

GtkWidget *
vg_page_slots_get (VgPageSlots *self, guint slot)
{
  return self->shown[slot];
}

guint
vg_page_slots_count (VgPageSlots *self)
{
  return self->n;
}

void
vg_page_slots_show (VgPageSlots *self, GtkWidget *page)
{
  for (guint slot = 0; slot < self->n; slot++)
    if (self->shown[slot] == page)
      return;
  choose (self, self->n > 1, page);
}

/* ---- the pages ---- */

static Page *
find (VgPageSlots *self, GtkWidget *widget)
{
  for (guint i = 0; i < self->pages->len; i++)
    if (((Page *) self->pages->pdata[i])->widget == widget)
      return self->pages->pdata[i];
  return NULL;
}

void
vg_page_slots_add (VgPageSlots *self, GtkWidget *page, const char *title)
{
  Page *added = g_new0 (Page, 1);

  *added = (Page){ page, g_strdup (title) };
  g_ptr_array_add (self->pages, added);
  gtk_widget_set_parent (page, GTK_WIDGET (self));
  g_signal_connect_object (page, "notify::visible", G_CALLBACK (fill_slots), self,
                           G_CONNECT_SWAPPED);
  fill_slots (self);
}

void
vg_page_slots_remove (VgPageSlots *self, GtkWidget *page)
{
  g_signal_handlers_disconnect_by_data (page, self);
  g_ptr_array_remove (self->pages, find (self, page));
  fill_slots (self);
}

void
vg_page_slots_set_title (VgPageSlots *self, GtkWidget *page, const char *title)
{
  Page *found = find (self, page);

  if (g_str_equal (found->title, title))
    return;
  g_free (found->title);
  found->title = g_strdup (title);
  fill_choosers (self);
}

/* ---- the widget ---- */

static int
least (GtkWidget *widget, GtkOrientation orientation)
{
  int size;

  gtk_widget_measure (widget, orientation, -1, &size, NULL, NULL, NULL);
  return size;
}

/* The least height that WIDGET needs at WIDTH, where its text may take more lines.  *GOOD: the
 * height at which nothing in it is cramped. */
static int
least_height (GtkWidget *widget, int width, int *good)
{
  int size;

  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width, &size, good, NULL, NULL);
  return size;
}

/* Of one slot with any page. */
static void
vg_page_slots_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                       int *natural, int *minimum_baseline, int *natural_baseline)
{
  VgPageSlots *self = VG_PAGE_SLOTS (widget);
  int chooser = least (self->choosers[0], orientation), size = 0;

  for (guint i = 0; i < self->pages->len; i++)
    {
      GtkWidget *page = ((Page *) self->pages->pdata[i])->widget;

      if (gtk_widget_get_visible (page))
        size = MAX (size, least (page, orientation));
    }
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? MAX (size, chooser)
                                                                  : size + chooser;
}

/* The height of the upper of two slots: half of HEIGHT, or as much less or more as the pages need.
 * 0: they would be cramped.  A page that is long, as with many numbers, scrolls. */
static int
find_first_height (VgPageSlots *self, int width, int height)
{
  int line = least (self->choosers[0], GTK_ORIENTATION_VERTICAL), good[VG_N_PAGE_SLOTS];

  for (guint slot = 0; slot < VG_N_PAGE_SLOTS; slot++)
    {
      least_height (self->shown[slot], width, &good[slot]);
      good[slot] = MIN (good[slot] + line, MOST_SHARE * height);
    }
  return good[0] + good[1] <= height ? CLAMP (height / 2, good[0], height - good[1]) : 0;
}

/* The slots of an area of WIDTH x HEIGHT px, one above the other where it is tall. */
static gboolean
has_room (VgPageSlots *self, int width, int height)
{
  int line = least (self->choosers[0], GTK_ORIENTATION_VERTICAL), good;
  int across = height >= width ? width : width / VG_N_PAGE_SLOTS;

  if (self->shown[1] == NULL || (height >= width ? height < TALL * line : width < WIDE * line))
    return FALSE;
  for (guint slot = 0; slot < VG_N_PAGE_SLOTS; slot++)
    if (least (self->shown[slot], GTK_ORIENTATION_HORIZONTAL) > across ||
        least_height (self->shown[slot], across, &good) + line > height)
      return FALSE;
  return height < width || find_first_height (self, width, height) > 0;
}

static void
allocate_slot (VgPageSlots *self, guint slot, GdkRectangle area)
{
  int line = least (self->choosers[slot], GTK_ORIENTATION_VERTICAL);

  gtk_widget_size_allocate (self->choosers[slot],
                            &(GtkAllocation){ area.x, area.y, area.width, line }, -1);
  if (self->shown[slot] != NULL)
    gtk_widget_size_allocate (
        self->shown[slot],
        &(GtkAllocation){ area.x, area.y + line, area.width, MAX (area.height - line, 0) }, -1);
}

static void
vg_page_slots_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  VgPageSlots *self = VG_PAGE_SLOTS (widget);
  GdkRectangle area = { 0, 0, width, height };

  self->n = has_room (self, width, height) ? VG_N_PAGE_SLOTS : 1;
  gtk_widget_set_child_visible (self->choosers[1], self->n > 1);
  for (guint i = 0; i < self->pages->len; i++)
    {
      GtkWidget *page = ((Page *) self->pages->pdata[i])->widget;

      gtk_widget_set_child_visible (page, page == self->shown[0] ||
                                              (self->n > 1 && page == self->shown[1]));
    }
  if (self->n > 1 && height >= width)
    area.height = find_first_height (self, width, height);
  else if (self->n > 1)
    area.width = width / 2;
  allocate_slot (self, 0, area);
  if (self->n == 1)
    return;
  if (height >= width)
    area.y = area.height;
  else
    area.x = area.width;
  allocate_slot (self, 1, (GdkRectangle){ area.x, area.y, width - area.x, height - area.y });
}

static void
vg_page_slots_dispose (GObject *object)
{
  VgPageSlots *self = VG_PAGE_SLOTS (object);

  for (guint i = 0; i < self->pages->len; i++)
    g_signal_handlers_disconnect_by_data (((Page *) self->pages->pdata[i])->widget, self);
  g_ptr_array_set_size (self->pages, 0);
  for (guint slot = 0; slot < VG_N_PAGE_SLOTS; slot++)
    {
      self->shown[slot] = NULL;
      g_clear_pointer (&self->choosers[slot], gtk_widget_unparent);
    }
  G_OBJECT_CLASS (vg_page_slots_parent_class)->dispose (object);
}

static void
vg_page_slots_finalize (GObject *object)
{
  g_ptr_array_unref (VG_PAGE_SLOTS (object)->pages);
  G_OBJECT_CLASS (vg_page_slots_parent_class)->finalize (object);
}

static void
vg_page_slots_class_init (VgPageSlotsClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = vg_page_slots_dispose;
  G_OBJECT_CLASS (class)->finalize = vg_page_slots_finalize;
  widget_class->measure = vg_page_slots_measure;
  widget_class->size_allocate = vg_page_slots_size_allocate;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  vg_signal_new (VG_TYPE_PAGE_SLOTS, "changed", 1, G_TYPE_UINT);
}

static void
vg_page_slots_init (VgPageSlots *self)
{
  const char *const names[] = { _ ("Plot"), _ ("Second plot") };

  self->pages = g_ptr_array_new_with_free_func (page_free);
  self->n = 1;
  for (guint slot = 0; slot < VG_N_PAGE_SLOTS; slot++)
    {
      self->choosers[slot] = vg_drop_down_new (NULL);
      gtk_widget_add_css_class (self->choosers[slot], "vg-page-chooser");
      vg_widget_describe (self->choosers[slot], names[slot], NULL);
      gtk_widget_set_parent (self->choosers[slot], GTK_WIDGET (self));
      g_signal_connect (self->choosers[slot], "notify::selected", G_CALLBACK (on_chosen), self);
    }
}

GtkWidget *
vg_page_slots_new (void)
{
  return g_object_new (VG_TYPE_PAGE_SLOTS, NULL);
}
