/* SPDX-License-Identifier: MIT */
/* Parameters of a work, and what is given in the place of their files. */
#include <string.h>
#include "lib/vivograph-private.h"

int
vivograph_work_set_text (VivographWork *self, const char *id, const char *text,
                         VivographError *error)
{
  const VgParam *param = vg_library_find_param (self, id, error);
  GError *failure = NULL;

  if (param == NULL)
    return VIVOGRAPH_ERROR_USAGE;
  if (text == NULL || !g_utf8_validate (text, -1, NULL))
    return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE, "%s: the value is no UTF-8 text",
                            param->id);
  if (!vg_param_parse (param, self->params, text, &failure))
    return vg_library_fail_with (self->operation, error, failure);
  self->changed[param - self->operation->params.items] = vg_param_is_preset (param, text)
                                                             ? VG_CHANGED_TO_PRESET
                                                             : TRUE;
  if (param->kind == VG_PARAM_FILE)
    {
      vg_work_give_file (self->work, param, NULL, NULL);
      self->files_given = TRUE;
    }
  return VIVOGRAPH_OK;
}

/* PARAM, if it is a file of KIND. */
static const VgParam *
find_file_param (VivographWork *self, const char *id, VgFileKind kind, VivographError *error)
{
  const VgParam *param = vg_library_find_param (self, id, error);

  if (param == NULL || (param->kind == VG_PARAM_FILE && (param->file.kinds & kind) != 0))
    return param;
  vg_library_fail (error, VIVOGRAPH_ERROR_USAGE,
                   kind == VG_FILE_TEXT ? "%s takes no table or other text; see vivograph_param"
                                        : "%s takes no array of samples; see vivograph_param",
                   param->id);
  return NULL;
}

/* The value of a parameter whose content was given as an array. */
#define GIVEN_FILE "(array)"

/* IMAGE is given for PARAM, whose text becomes a name that the results show. */
static int
give_file (VivographWork *self, const VgParam *param, VgImage *image, VivographError *error)
{
  int status = vivograph_work_set_text (self, param->id, GIVEN_FILE, error);

  if (status == VIVOGRAPH_OK)
    vg_work_give_file (self->work, param, GIVEN_FILE, image);
  return status;
}

int
vivograph_work_give_data (VivographWork *self, const char *id, const VivographData *data,
                          VivographError *error)
{
  const VgParam *param = find_file_param (self, id, VG_FILE_IMAGE, error);
  VgLibraryInput input = { 0 };
  g_autoptr (VgImage) image = NULL;
  g_autofree char *prefixed = NULL;
  GError *failure = NULL;
  int threads, status = param != NULL ? VIVOGRAPH_OK : VIVOGRAPH_ERROR_USAGE;

  if (status < 0 || (status = vg_library_check_process (error)) < 0)
    return status;
  if (data == NULL || data->device)
    return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE, "%s: give an array in host memory",
                            param->id);
  if ((status = vg_library_take_input (&input, data, error)) < 0)
    {
      prefixed = error != NULL ? g_strdup (error->message) : NULL;
      return vg_library_fail (error, status, "%s: %s", param->id, prefixed);
    }
  threads = vg_library_limit_threads (self);
  image = vg_library_make_image (&input, param->id, FALSE, &failure);
  vg_library_put_threads_back (threads);
  g_free (input.times_s);
  return image != NULL ? give_file (self, param, image, error)
                       : vg_library_fail_with (self->operation, error, failure);
}

int
vivograph_work_give_content (VivographWork *self, const char *id, const char *text,
                             VivographError *error)
{
  const VgParam *param = find_file_param (self, id, VG_FILE_TEXT, error);
  g_autoptr (VgImage) image = NULL;

  if (param == NULL)
    return VIVOGRAPH_ERROR_USAGE;
  if (text == NULL || !g_utf8_validate (text, -1, NULL))
    return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE, "%s: the content is no UTF-8 text",
                            param->id);
  image = vg_image_new_text (g_strdup (text), strlen (text), param->id);
  return give_file (self, param, image, error);
}

int
vivograph_work_set_number (VivographWork *self, const char *id, double value, VivographError *error)
{
  const VgParam *param = vg_library_find_param (self, id, error);
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (param == NULL)
    return VIVOGRAPH_ERROR_USAGE;
  if (param->kind > VG_PARAM_ACTION)
    return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE,
                            "%s is not a number; give its value as text", param->id);
  if (param->kind != VG_PARAM_CHOICE)
    return vivograph_work_set_text (self, id, g_ascii_dtostr (text, sizeof text, value), error);
  if (!(value >= 0 && value < g_strv_length ((char **) param->choices)))
    return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE,
                            "%s: there is no choice %g; give the name of a choice", param->id,
                            value);
  return vivograph_work_set_text (self, id, param->choices[(int) value], error);
}

int
vivograph_work_get_text (VivographWork *self, const char *id, const char **text,
                         VivographError *error)
{
  const VgParam *param = vg_library_find_param (self, id, error);

  *text = NULL;
  if (param == NULL)
    return VIVOGRAPH_ERROR_USAGE;
  g_free (self->text);
  self->text = vg_param_format (param,
                                self->started ? vg_work_get_params (self->work) : self->params);
  *text = self->text;
  return VIVOGRAPH_OK;
}
