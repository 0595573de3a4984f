/* SPDX-License-Identifier: MIT */
#include "app/region/vg-found-session.h"
#include "app/region/vg-found-region.h"
#include <glib/gi18n.h>
#include <string.h>

typedef struct
{
  VgSession *session;
  const char *full;
} Target;

/* "Artery?": of a region that may be PARAM's. */
static char *
name_proposal (const VgParam *param)
{
  return g_strdup_printf ("%s?", gettext (param->label));
}

/* Shows the OUTLINES of the mask at PATH, all or none.  The mask can be edited unless another one
 * than that BEFORE is edited already. */
static void
show_mask (Target *target, const VgParam *param, const char *path, const char *before,
           GPtrArray *outlines)
{
  VgSession *session = target->session;
  const char *edited = vg_session_get_mask (session);

  vg_session_remove_outlines (session, param);
  if (vg_session_add_regions (session, outlines) < outlines->len)
    {
      vg_session_remove_outlines (session, param);
      target->full = param->label;
    }
  if (edited == NULL || strcmp (edited, before) == 0)
    vg_session_set_mask (session, path);
}

/* A region of an earlier search gives way to the new one, which would have the same name. */
static gboolean
set_text (gpointer data, const VgParam *param, const char *text, GPtrArray *outlines,
          GError **error)
{
  Target *target = data;
  VgSession *session = target->session;
  g_autofree char *proposal = name_proposal (param),
                  *before = vg_param_format (param, vg_session_get_params (session));

  if (outlines == NULL && strcmp (before, text) == 0)
    return TRUE;
  vg_session_remove_found (session, proposal);
  vg_session_remove_found (session, gettext (param->label));
  if (!vg_session_set_text (session, param, text, error))
    return FALSE;
  if (outlines != NULL)
    show_mask (target, param, text, before, outlines);
  else
    vg_session_mark_found (session, param);
  return TRUE;
}

/* Draws a region that may be PARAM's, and selects it, so that the user sees it and decides. */
static gboolean
propose (gpointer data, const VgParam *param, const char *text, GPtrArray *outlines, GError **error)
{
  VgSession *session = ((Target *) data)->session;
  g_autoptr (GPtrArray) regions = g_ptr_array_new ();
  g_autofree char *name = name_proposal (param);
  VgNamedRegion named = { .name = name, .origin = VG_REGION_FOUND };
  gboolean wanted = vg_region_parse (&named.region, text, NULL);

  /* not again where it stands since the last search, nor beside the one that the user has moved */
  for (guint i = 0; wanted && i < vg_session_get_n_regions (session); i++)
    {
      const VgNamedRegion *region = vg_session_get_region (session, i);

      wanted = !vg_region_equal (&region->region, &named.region) &&
               !(region->origin == VG_REGION_ADAPTED && strcmp (region->name, name) == 0);
    }
  g_ptr_array_add (regions, &named);
  if (wanted)
    vg_session_remove_found (session, name);
  if (wanted && vg_session_add_regions (session, regions) > 0)
    vg_session_select_region (session, (int) vg_session_get_n_regions (session) - 1);
  return TRUE;
}

gboolean
vg_found_session_use (VgSession *session, GPtrArray *findings, guint *n, const char **full,
                      GError **error)
{
  const VgParamTable *table = &vg_session_get_operation (session)->params;
  g_autofree const VgNamedRegion **regions = vg_session_list_regions (session);
  void *params = vg_found_regions_forget (table, vg_session_get_params (session), regions);
  Target target = { session, NULL };
  const VgFoundRegionUser user = { set_text, propose, NULL, &target };
  gboolean used = vg_found_regions_use (table, findings, params, &user, n, error);

  vg_params_free (table, params);
  *full = target.full;
  return used;
}
