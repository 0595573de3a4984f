/* SPDX-License-Identifier: MIT */
/* Writes volumes of floats as NRRD (teem.sourceforge.net/nrrd/format.html), with the placement of
 * the input. */
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-placement.h"
#include <string.h>

/* Adds a vector, "(1,0,0)", with the digits of a float. */
static void
add_vector (GString *text, double matrix[3][4], int column)
{
  for (int i = 0; i < 3; i++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (text, "%s%s", i == 0 ? "(" : ",",
                              g_ascii_formatd (number, sizeof number, "%.9g", matrix[i][column]));
    }
  g_string_append_c (text, ')');
}

/* Adds the placement, or else the size of a voxel if that is known. */
static void
add_place (GString *text, const VgImageInfo *info)
{
  const VgPlacement *placement = &info->placement;
  double matrix[3][4];

  if (placement->known && vg_placement_matrix (placement, matrix))
    {
      g_string_append (text, "space: right-anterior-superior\nspace directions:");
      for (int i = 0; i < 3; i++)
        {
          g_string_append_c (text, ' ');
          add_vector (text, matrix, i);
        }
      g_string_append (text, info->frames > 1 ? " none\nspace origin: " : "\nspace origin: ");
      add_vector (text, matrix, 3);
      g_string_append_c (text, '\n');
      return;
    }
  if (placement->unit != 2)
    return;
  g_string_append (text, "spacings:");
  for (int i = 1; i < 4; i++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (
          text, " %s", g_ascii_formatd (number, sizeof number, "%.9g", placement->pixdim[i]));
    }
  g_string_append_printf (text, "%s\nunits: \"mm\" \"mm\" \"mm\"%s\n",
                          info->frames > 1 ? " nan" : "", info->frames > 1 ? " \"\"" : "");
}

VgTextFile *
vg_nrrd_writer_new (const char *path, const VgImageInfo *info, const char *id, const char *label,
                    const char *unit, GError **error)
{
  g_autoptr (VgTextFile) self = vg_text_file_new (path, FALSE, error);
  g_autoptr (GString) text = g_string_new ("NRRD0004\n");
  gboolean series = info->frames > 1;

  g_string_append_printf (text, "content: %s (Vivograph)\ntype: float\ndimension: %d\n", id,
                          series ? 4 : 3);
  add_place (text, info);
  g_string_append_printf (text, "sizes: %d %d %" G_GINT64_FORMAT, info->width, info->height,
                          info->slices);
  if (series)
    g_string_append_printf (text, " %" G_GINT64_FORMAT, info->frames);
  g_string_append_printf (text,
                          "\nkinds: domain domain domain%s\nendian: %s\nencoding: gzip\n"
                          "label:=%s\nunit:=%s\n\n",
                          series ? " time" : "", G_BYTE_ORDER == G_LITTLE_ENDIAN ? "little" : "big",
                          label, unit);
  if (self == NULL || !vg_text_file_add (self, text->str, text->len, error) ||
      !vg_text_file_begin_gzip (self, error))
    return NULL;
  vg_text_file_set_fast (self);
  return g_steal_pointer (&self);
}
