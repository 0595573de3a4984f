/* SPDX-License-Identifier: MIT */
/* Which page is seen: each view has its own, at first one that shows something. */
#include "ui/pages/vg-charts-private.h"

enum { N_PAGES = 4 };

/* In the order of vg_session_pages. */
static void
list_pages (VgCharts *self, GtkWidget *pages[N_PAGES])
{
  pages[0] = self->time_course;
  pages[1] = self->regions;
  pages[2] = self->pixel;
  pages[3] = self->objects;
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

void
vg_charts_go_to_page (VgCharts *self, GtkWidget *page)
{
  gtk_notebook_set_current_page (GTK_NOTEBOOK (self->notebook),
                                 gtk_notebook_page_num (GTK_NOTEBOOK (self->notebook), page));
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

static gboolean
needs_region (VgCharts *self, GtkWidget *page)
{
  return page == self->regions || page == self->time_course;
}

void
vg_charts_choose_page (VgCharts *self)
{
  gboolean regions = vg_session_get_n_regions (self->session) > 0;
  GtkWidget *now = vg_charts_current_page (self),
            *chosen = find_page (self, vg_session_get_view (self->session)->page);

  if (gtk_widget_get_root (GTK_WIDGET (self)) == NULL)
    return; /* GTK looks for the focus when another page comes up, which needs a window */
  if (!regions && chosen != NULL && needs_region (self, chosen))
    chosen = NULL;
  self->going = TRUE;
  if (!self->placed && chosen != NULL)
    vg_charts_go_to_page (self, chosen);
  else if (!self->placed || (!regions && needs_region (self, now)))
    {
      self->instead = find_first (self);
      vg_charts_go_to_page (self, self->instead);
    }
  else if (regions && !self->had_regions && now == self->instead)
    {
      self->instead = NULL;
      vg_charts_go_to_page (self, gtk_widget_get_visible (self->time_course) ? self->time_course
                                                                             : self->regions);
    }
  self->placed = TRUE;
  self->had_regions = regions;
  self->going = FALSE;
}

void
vg_charts_restore_page (VgCharts *self, const char *id)
{
  GtkWidget *page = find_page (self, id);

  if (page == NULL || page == vg_charts_current_page (self) ||
      gtk_widget_get_root (GTK_WIDGET (self)) == NULL)
    return;
  if (self->instead != NULL && self->instead == vg_charts_current_page (self) &&
      needs_region (self, page))
    return; /* stands for it */
  self->instead = NULL;
  vg_charts_go_to_page (self, page);
}
