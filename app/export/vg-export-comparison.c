/* SPDX-License-Identifier: MIT */
#include "app/export/vg-export-comparison.h"

VgExportComparison *
vg_export_comparison_new (VgSession *session)
{
  VgExportComparison *self = g_new0 (VgExportComparison, 1);
  const VgView *view = vg_session_get_view (session);

  self->compare = (VgCompare) view->compare;
  self->layout = (VgLayout) view->layout;
  self->wipe = view->wipe;
  self->display = *vg_session_get_display (session);
  self->kept = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_reference_unref);
  self->names = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
vg_export_comparison_add (VgExportComparison *self, VgReference *reference, const char *name)
{
  g_ptr_array_add (self->kept, vg_reference_ref (reference));
  g_ptr_array_add (self->names, g_strdup (name));
}

/* It does not change once it is complete. */
VgExportComparison *
vg_export_comparison_copy (const VgExportComparison *self)
{
  VgExportComparison *copy;

  if (self == NULL)
    return NULL;
  copy = g_memdup2 (self, sizeof *self);
  g_ptr_array_ref (copy->kept);
  g_ptr_array_ref (copy->names);
  return copy;
}

void
vg_export_comparison_free (VgExportComparison *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->kept);
  g_ptr_array_unref (self->names);
  g_free (self);
}

gboolean
vg_export_comparison_is_shown (const VgExportComparison *self)
{
  return self != NULL && self->kept->len > 0 &&
         (self->compare != VG_COMPARE_OFF || self->layout != VG_LAYOUT_SINGLE);
}
