/* SPDX-License-Identifier: MIT */
#include "app/session/vg-session-annotations.h"
#include "app/session/vg-session-private.h"

guint
vg_session_get_n_annotations (VgSession *self)
{
  return self->document->annotations->len;
}

const VgAnnotation *
vg_session_get_annotation (VgSession *self, guint i)
{
  const GPtrArray *annotations = self->document->annotations;

  return i < annotations->len ? annotations->pdata[i] : NULL;
}

guint
vg_session_add_annotation (VgSession *self, const VgAnnotation *annotation)
{
  GPtrArray *annotations = self->document->annotations;

  if (annotations->len >= VG_ANNOTATION_MOST || !vg_annotation_is_valid (annotation))
    return G_MAXUINT;
  g_ptr_array_add (annotations, vg_annotation_copy (annotation));
  vg_session_changed (self, VG_CHANGED_ANNOTATIONS, TRUE);
  return annotations->len - 1;
}

void
vg_session_set_annotation (VgSession *self, guint i, const VgAnnotation *annotation)
{
  GPtrArray *annotations = self->document->annotations;

  if (i >= annotations->len || !vg_annotation_is_valid (annotation) ||
      vg_annotation_equal (annotations->pdata[i], annotation))
    return;
  annotation = vg_annotation_copy (annotation); /* it may be the one that is replaced */
  vg_annotation_free (annotations->pdata[i]);
  annotations->pdata[i] = (gpointer) annotation;
  vg_session_changed (self, VG_CHANGED_ANNOTATIONS, TRUE);
}

void
vg_session_remove_annotation (VgSession *self, guint i)
{
  if (i >= self->document->annotations->len)
    return;
  g_ptr_array_remove_index (self->document->annotations, i);
  vg_session_changed (self, VG_CHANGED_ANNOTATIONS, TRUE);
}

GPtrArray *
vg_session_copy_annotations (VgSession *self)
{
  GPtrArray *copies = g_ptr_array_new_with_free_func (vg_annotation_free);

  for (guint i = 0; i < self->document->annotations->len; i++)
    g_ptr_array_add (copies, vg_annotation_copy (self->document->annotations->pdata[i]));
  return copies;
}
