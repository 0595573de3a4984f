/* SPDX-License-Identifier: MIT */
#include "app/region/vg-region-group.h"
#include "app/region/vg-region-file.h"

static void
group_free (gpointer data)
{
  VgRegionGroup *self = data;

  g_free (self->name);
  g_ptr_array_unref (self->parts);
  g_array_unref (self->members);
  g_free (self);
}

static VgRegionGroup *
group_new (const char *name)
{
  VgRegionGroup *self = g_new0 (VgRegionGroup, 1);

  self->name = g_strdup (name);
  self->parts = g_ptr_array_new ();
  self->members = g_array_new (FALSE, FALSE, sizeof (guint));
  return self;
}

/* The names that occur in different slices, each with NULL in place of its group. */
static GHashTable *
find_joined (const VgNamedRegion *const *regions)
{
  GHashTable *joined = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) slices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; regions[i] != NULL; i++)
    {
      char *name = vg_region_file_label (regions[i]);
      gpointer slice;

      if (g_hash_table_lookup_extended (slices, name, NULL, &slice) &&
          GPOINTER_TO_INT (slice) != regions[i]->region.slice)
        g_hash_table_insert (joined, name, NULL);
      else
        g_hash_table_insert (slices, name, GINT_TO_POINTER (regions[i]->region.slice));
    }
  return joined;
}

GPtrArray *
vg_region_groups_new (const VgNamedRegion *const *regions, gboolean join)
{
  static const VgNamedRegion *const none[] = { NULL };
  GPtrArray *groups = g_ptr_array_new_with_free_func (group_free);
  g_autoptr (GHashTable) joined = find_joined (join && regions != NULL ? regions : none);

  for (guint i = 0; regions != NULL && regions[i] != NULL; i++)
    {
      g_autofree char *name = vg_region_file_label (regions[i]);
      gboolean is_part = g_hash_table_contains (joined, name);
      VgRegionGroup *group = is_part ? g_hash_table_lookup (joined, name) : NULL;

      if (group == NULL)
        {
          group = group_new (is_part ? name : regions[i]->name);
          g_ptr_array_add (groups, group);
        }
      if (is_part)
        g_hash_table_insert (joined, g_strdup (name), group);
      g_ptr_array_add (group->parts, (gpointer) &regions[i]->region);
      g_array_append_val (group->members, i);
    }
  return groups;
}

const VgNamedRegion **
vg_region_group_with (VgSession *session, guint i)
{
  guint n = vg_session_get_n_regions (session);
  g_autofree const VgNamedRegion **all = g_new0 (const VgNamedRegion *, n + 1);
  g_autoptr (GPtrArray) groups = NULL, found = NULL;

  for (guint k = 0; k < n; k++)
    all[k] = vg_session_get_region (session, k);
  groups = vg_region_groups_new (all, TRUE);
  for (guint g = 0; g < groups->len && found == NULL; g++)
    {
      const VgRegionGroup *group = groups->pdata[g];
      gboolean has = FALSE;

      for (guint k = 0; k < group->members->len; k++)
        has = has || g_array_index (group->members, guint, k) == i;
      if (!has || group->members->len < 2)
        continue;
      found = g_ptr_array_new ();
      for (guint k = 0; k < group->members->len; k++)
        g_ptr_array_add (found, (gpointer) all[g_array_index (group->members, guint, k)]);
    }
  if (found == NULL)
    return NULL;
  g_ptr_array_add (found, NULL);
  return (const VgNamedRegion **) g_ptr_array_free (g_steal_pointer (&found), FALSE);
}
