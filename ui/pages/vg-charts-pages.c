/* SPDX-License-Identifier: MIT */
/* Which pages are seen: each view has its own, at first those that show something. */
#include "ui/pages/vg-charts-private.h"

enum { N_PAGES = 6 };

/* In the order of vg_session_pages. */
static void
list_pages (VgCharts *self, GtkWidget *pages[N_PAGES])
{
  pages[0] = self->time_course;
  pages[1] = self->regions;
  pages[2] = self->pixel;
  pages[3] = self->objects;
  pages[4] = self->scatter;
  pages[5] = self->profile;
}

/* Of the session's view; NULL: it is not there to be seen. */
static GtkWidget *
find_page (VgCharts *self, const char *id)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  GtkWidget *pages[N_PAGES], *found = NULL;

  list_pages (self, pages);
  for (guint i = 0; i < N_PAGES && id; i++)
    if (g_str_equal (vg_session_pages[i], id))
      found = pages[i];
  for (guint i = 0; i < MIN (self->plots->len, operation->n_plots) && id; i++)
    if (g_str_equal (operation->plots[i].id, id))
      found = g_ptr_array_index (self->plots, i);
  return found && gtk_widget_get_visible (found) ? found : NULL;
}

const char *
vg_charts_name_page (VgCharts *self, GtkWidget *page)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  GtkWidget *pages[N_PAGES];
  guint plot;

  list_pages (self, pages);
  for (guint i = 0; i < N_PAGES; i++)
    if (pages[i] == page)
      return vg_session_pages[i];
  return g_ptr_array_find (self->plots, page, &plot) && plot < operation->n_plots
             ? operation->plots[plot].id
             : NULL;
}

gboolean
vg_charts_has_page (VgCharts *self, const char *id)
{
  return find_page (self, id) != NULL;
}

void
vg_charts_show_page (VgCharts *self, const char *id)
{
  GtkWidget *page = find_page (self, id);

  if (page != NULL)
    vg_charts_go_to_page (self, page);
}

gboolean
vg_charts_is_in_sight (VgCharts *self, GtkWidget *page)
{
  for (guint slot = 0; slot < vg_page_slots_count (self->slots); slot++)
    if (vg_page_slots_get (self->slots, slot) == page)
      return TRUE;
  return FALSE;
}

void
vg_charts_go_to_page (VgCharts *self, GtkWidget *page)
{
  vg_page_slots_show (self->slots, page);
}

/* Of a view in which none was chosen. */
static GtkWidget *
find_first (VgCharts *self)
{
  GtkWidget *page = find_page (self, vg_session_get_operation (self->session)->view.first_page);

  if (page == NULL && self->plots->len > 0)
    page = g_ptr_array_index (self->plots, 0);
  return page != NULL ? page : self->regions;
}

/* Beside the first. */
static GtkWidget *
find_second (VgCharts *self)
{
  const VgEngineCurves *curves = vg_session_get_operation (self->session)->cpu->curves;
  GtkWidget *first = vg_page_slots_get (self->slots, 0);

  if (curves != NULL && curves->sample != NULL && first != self->pixel)
    return self->pixel;
  for (guint i = 0; i < self->plots->len; i++)
    if (self->plots->pdata[i] != first)
      return self->plots->pdata[i];
  return self->regions;
}

static gboolean
needs_region (VgCharts *self, GtkWidget *page)
{
  return page == self->regions || page == self->time_course;
}

static void
choose_for (VgCharts *self, guint slot, gboolean regions)
{
  GtkWidget *now = vg_page_slots_get (self->slots, slot),
            *chosen = find_page (self, vg_session_get_view (self->session)->pages[slot]);

  if (chosen != NULL && ((!regions && needs_region (self, chosen)) ||
                         (slot > 0 && chosen == vg_page_slots_get (self->slots, 0))))
    chosen = NULL;
  if (!self->placed && chosen != NULL)
    vg_page_slots_set (self->slots, slot, chosen);
  else if (!self->placed || (!regions && needs_region (self, now)))
    {
      self->instead[slot] = slot == 0 ? find_first (self) : find_second (self);
      vg_page_slots_set (self->slots, slot, self->instead[slot]);
    }
}

void
vg_charts_choose_pages (VgCharts *self)
{
  gboolean regions = vg_session_get_n_regions (self->session) > 0, going = self->going;
  guint last = vg_page_slots_count (self->slots) - 1;

  self->going = TRUE;
  for (guint slot = 0; slot < VG_N_PAGE_SLOTS; slot++)
    choose_for (self, slot, regions);
  if (self->placed && regions && !self->had_regions &&
      vg_page_slots_get (self->slots, last) == self->instead[last] &&
      gtk_widget_get_visible (self->time_course))
    {
      self->instead[last] = NULL;
      vg_charts_go_to_page (self, self->time_course);
    }
  self->placed = TRUE;
  self->had_regions = regions;
  self->going = going;
}

void
vg_charts_restore_pages (VgCharts *self)
{
  for (guint slot = 0; slot < VG_N_PAGE_SLOTS; slot++)
    {
      GtkWidget *page = find_page (self, vg_session_get_view (self->session)->pages[slot]),
                *now = vg_page_slots_get (self->slots, slot);

      if (page == NULL || page == now || (slot > 0 && page == vg_page_slots_get (self->slots, 0)))
        continue;
      if (self->instead[slot] != NULL && self->instead[slot] == now && needs_region (self, page))
        continue; /* stands for it */
      self->instead[slot] = NULL;
      vg_page_slots_set (self->slots, slot, page);
    }
}
