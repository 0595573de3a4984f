/* SPDX-License-Identifier: MIT */
#include "ui/help/vg-finder.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/help/vg-finder-match.h"

enum { WIDTH_PX = 460, HEIGHT_PX = 380, MARGIN_PX = 6, MOST_LISTED = 24 };

/* What can be found, with folded texts. */
#define VG_TYPE_FOUND (vg_found_get_type ())
G_DECLARE_FINAL_TYPE (VgFound, vg_found, VG, FOUND, GObject)

struct _VgFound
{
  GObject parent_instance;
  char *title, *kind, *keys, *action;
  char *folded, *folded_more;
  int score;
  gboolean here;
  guint place; /* in the order of adding */
};

G_DEFINE_FINAL_TYPE (VgFound, vg_found, G_TYPE_OBJECT)

/* A line of the list.  Its row stays while the user types and shows something else: to build all
 * rows at each key takes longer than to type. */
#define VG_TYPE_SLOT (vg_slot_get_type ())
G_DECLARE_FINAL_TYPE (VgSlot, vg_slot, VG, SLOT, GObject)

struct _VgSlot
{
  GObject parent_instance;
  VgFound *found;
  GtkWidget *row; /* NULL: out of sight */
};

G_DEFINE_FINAL_TYPE (VgSlot, vg_slot, G_TYPE_OBJECT)

struct _VgFinder
{
  GtkPopover parent_instance;
  GtkWidget *entry, *view, *none, *stack;
  GPtrArray *all;
  GListStore *list;
  GtkSingleSelection *selection;
  char *action; /* done once the popover has gone; NULL: none */
  guint act_id;
};

G_DEFINE_FINAL_TYPE (VgFinder, vg_finder, GTK_TYPE_POPOVER)

static void
vg_slot_dispose (GObject *object)
{
  g_clear_object (&VG_SLOT (object)->found);
  G_OBJECT_CLASS (vg_slot_parent_class)->dispose (object);
}

static void
vg_slot_class_init (VgSlotClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_slot_dispose;
}

static void
vg_slot_init (VgSlot *self)
{
}

static void
vg_found_finalize (GObject *object)
{
  VgFound *self = VG_FOUND (object);

  g_free (self->title);
  g_free (self->kind);
  g_free (self->keys);
  g_free (self->action);
  g_free (self->folded);
  g_free (self->folded_more);
  G_OBJECT_CLASS (vg_found_parent_class)->finalize (object);
}

static void
vg_found_class_init (VgFoundClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_found_finalize;
}

static void
vg_found_init (VgFound *self)
{
}

void
vg_finder_add (VgFinder *self, const VgFinderItem *item)
{
  VgFound *found = g_object_new (VG_TYPE_FOUND, NULL);
  g_autofree char *more = g_strjoin (" ", item->kind, item->more, NULL);

  found->title = g_strdup (item->title);
  found->kind = g_strdup (item->kind);
  found->keys = g_strdup (item->keys);
  found->action = g_strdup (item->action);
  found->folded = vg_finder_fold (item->title);
  found->folded_more = vg_finder_fold (more);
  found->place = self->all->len;
  found->here = item->here;
  g_ptr_array_add (self->all, found);
}

guint
vg_finder_count (VgFinder *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->list));
}

/* ---- search ---- */

static int
compare (gconstpointer a, gconstpointer b)
{
  const VgFound *x = *(VgFound *const *) a, *y = *(VgFound *const *) b;

  if (x->score != y->score)
    return y->score - x->score;
  return x->place < y->place ? -1 : x->place > y->place;
}

static void
show_slot (VgSlot *slot)
{
  GtkWidget *names = gtk_widget_get_first_child (slot->row),
            *title = gtk_widget_get_first_child (names);

  gtk_label_set_text (GTK_LABEL (title), slot->found->title);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_next_sibling (title)), slot->found->kind);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_next_sibling (names)),
                      slot->found->keys != NULL ? slot->found->keys : "");
}

/* The slots hold FOUND; only as many as are lacking or too many are made or dropped. */
static void
fill_slots (VgFinder *self, GPtrArray *found)
{
  guint n = MIN (found->len, MOST_LISTED), before = vg_finder_count (self);
  g_autoptr (GPtrArray) more = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (VgSlot) slot = i < before ? g_list_model_get_item (G_LIST_MODEL (self->list), i)
                                           : g_object_new (VG_TYPE_SLOT, NULL);

      g_set_object (&slot->found, found->pdata[i]);
      if (slot->row != NULL)
        show_slot (slot);
      if (i >= before)
        g_ptr_array_add (more, g_object_ref (slot));
    }
  if (n < before)
    g_list_store_splice (self->list, n, before - n, NULL, 0);
  else if (n > before)
    g_list_store_splice (self->list, before, 0, more->pdata, more->len);
}

/* NULL: nothing is. */
static VgFound *
get_selected (VgFinder *self)
{
  VgSlot *slot = gtk_single_selection_get_selected_item (self->selection);

  return slot != NULL ? slot->found : NULL;
}

/* A voice reads what is selected while the entry keeps the keyboard. */
static void
announce_selected (VgFinder *self)
{
  VgFound *found = get_selected (self);
  g_autofree char *text = found != NULL ? g_strdup_printf ("%s, %s", found->title, found->kind)
                                        : g_strdup (_ ("Nothing was found"));

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text, -1);
}

static void
search (VgFinder *self)
{
  g_autofree char *text = vg_finder_fold (gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  for (guint i = 0; i < self->all->len; i++)
    {
      VgFound *item = self->all->pdata[i];

      item->score = vg_finder_match ((const char *const *) words, item->folded, item->folded_more,
                                     item->here);
      if (item->score > 0)
        g_ptr_array_add (found, item);
    }
  g_ptr_array_sort (found, compare);
  fill_slots (self, found);
  gtk_single_selection_set_selected (self->selection, 0);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), found->len > 0 ? "list" : "none");
  announce_selected (self);
}

void
vg_finder_search (VgFinder *self, const char *text)
{
  g_ptr_array_set_size (self->all, 0);
  g_signal_emit_by_name (self, "fill");
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  search (self);
}

/* ---- what is chosen ---- */

static gboolean
act (gpointer data)
{
  VgFinder *self = data;
  g_autofree char *action = g_steal_pointer (&self->action), *name = NULL;
  g_autoptr (GVariant) target = NULL;
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  self->act_id = 0;
  if (root != NULL && g_action_parse_detailed_name (action, &name, &target, NULL))
    gtk_widget_activate_action_variant (GTK_WIDGET (root), name, target);
  return G_SOURCE_REMOVE;
}

static void
on_activate (VgFinder *self)
{
  VgFound *found = get_selected (self);

  if (found == NULL)
    return;
  g_free (self->action);
  self->action = g_strdup (found->action);
  gtk_popover_popdown (GTK_POPOVER (self));
  g_clear_handle_id (&self->act_id, g_source_remove);
  self->act_id = g_idle_add (act, self); /* once the keyboard is back in the window */
}

static void
on_row_activated (GtkListView *view, guint position, VgFinder *self)
{
  gtk_single_selection_set_selected (self->selection, position);
  on_activate (self);
}

static void
move (VgFinder *self, int by)
{
  int n = (int) vg_finder_count (self),
      now = (int) gtk_single_selection_get_selected (self->selection);

  if (n == 0)
    return;
  gtk_single_selection_set_selected (self->selection, (guint) CLAMP (now + by, 0, n - 1));
  gtk_widget_activate_action (self->view, "list.scroll-to-item", "u",
                              gtk_single_selection_get_selected (self->selection));
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
        VgFinder *self)
{
  enum { PAGE = 8 };
  static const struct
  {
    guint key;
    int by;
  } moves[] = {
    { GDK_KEY_Up, -1 }, { GDK_KEY_Down, 1 }, { GDK_KEY_Page_Up, -PAGE }, { GDK_KEY_Page_Down, PAGE }
  };

  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    if (moves[i].key == key)
      {
        move (self, moves[i].by);
        return GDK_EVENT_STOP;
      }
  return GDK_EVENT_PROPAGATE;
}

/* ---- rows ---- */

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12),
            *names = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *keys = gtk_label_new (NULL),
            *kind = vg_label_new (NULL, "caption");

  gtk_widget_add_css_class (kind, "dim-label");
  gtk_widget_add_css_class (keys, "dim-label");
  gtk_box_append (GTK_BOX (names), vg_label_new (NULL, NULL));
  gtk_box_append (GTK_BOX (names), kind);
  gtk_widget_set_hexpand (names, TRUE);
  gtk_box_append (GTK_BOX (row), names);
  gtk_box_append (GTK_BOX (row), keys);
  gtk_list_item_set_child (item, row);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  VgSlot *slot = gtk_list_item_get_item (item);

  slot->row = gtk_list_item_get_child (item);
  show_slot (slot);
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  VG_SLOT (gtk_list_item_get_item (item))->row = NULL;
}

static GtkWidget *
list_new (VgFinder *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *scroller = gtk_scrolled_window_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), NULL);
  self->view = gtk_list_view_new (GTK_SELECTION_MODEL (g_object_ref (self->selection)), factory);
  gtk_list_view_set_single_click_activate (GTK_LIST_VIEW (self->view), TRUE);
  gtk_widget_set_focusable (self->view, FALSE);
  vg_widget_describe (self->view, _ ("Found"), NULL);
  g_signal_connect (self->view, "activate", G_CALLBACK (on_row_activated), self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->view);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  return scroller;
}

/* ---- the popover ---- */

static void
on_show (VgFinder *self)
{
  vg_finder_search (self, "");
  gtk_widget_grab_focus (self->entry);
}

/* The items may be of other data by the next time. */
static void
on_closed (VgFinder *self)
{
  if (self->selection != NULL)
    g_list_store_remove_all (self->list);
}

static void
vg_finder_dispose (GObject *object)
{
  VgFinder *self = VG_FINDER (object);

  g_clear_handle_id (&self->act_id, g_source_remove);
  g_clear_pointer (&self->action, g_free);
  g_clear_pointer (&self->all, g_ptr_array_unref);
  g_clear_object (&self->selection);
  G_OBJECT_CLASS (vg_finder_parent_class)->dispose (object);
}

static void
vg_finder_class_init (VgFinderClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_finder_dispose;
  vg_signal_new (VG_TYPE_FINDER, "fill", 0);
}

static void
vg_finder_init (VgFinder *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, MARGIN_PX);
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->all = g_ptr_array_new_with_free_func (g_object_unref);
  self->list = g_list_store_new (VG_TYPE_SLOT);
  self->selection = gtk_single_selection_new (G_LIST_MODEL (self->list)); /* takes the list */
  self->entry = gtk_search_entry_new ();
  g_object_set (self->entry, "placeholder-text", _ ("Setting, map, file or action"), NULL);
  vg_widget_describe (self->entry, _ ("Find"), NULL);
  gtk_search_entry_set_search_delay (GTK_SEARCH_ENTRY (self->entry), 0);
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (search), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_activate), self);
  g_signal_connect_swapped (self->entry, "stop-search", G_CALLBACK (gtk_popover_popdown), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (self->entry, keys);
  g_signal_connect_swapped (self->selection, "notify::selected", G_CALLBACK (announce_selected),
                            self);
  self->none = vg_label_new (_ ("Nothing was found. Try another word."), "dim-label");
  gtk_widget_set_halign (self->none, GTK_ALIGN_CENTER);
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), list_new (self), "list");
  gtk_stack_add_named (GTK_STACK (self->stack), self->none, "none");
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_box_append (GTK_BOX (box), self->entry);
  gtk_box_append (GTK_BOX (box), self->stack);
  gtk_widget_set_size_request (box, WIDTH_PX, HEIGHT_PX);
  gtk_popover_set_child (GTK_POPOVER (self), box);
  g_signal_connect (self, "show", G_CALLBACK (on_show), NULL);
  g_signal_connect (self, "closed", G_CALLBACK (on_closed), NULL);
}

GtkWidget *
vg_finder_new (void)
{
  return g_object_new (VG_TYPE_FINDER, NULL);
}
