/* SPDX-License-Identifier: MIT */
#pragma once
#include <json-glib/json-glib.h>
/* JSON files of other programs. */
G_BEGIN_DECLS

/* The object in the regular file PATH, owned.  NULL: it has none, more than MOST bytes, or brackets
 * that are nested so deep that the parser would need too much of the stack. */
JsonNode *vg_json_load (const char *path, gsize most);
/* The object in TEXT, in the same way. */
JsonNode *vg_json_parse (const char *text);
/* The member NAME of OBJECT (may be NULL), as an object, an array, a text, or a number.  NULL, or
 * NaN instead of a number: OBJECT has no member NAME of that type. */
JsonObject *vg_json_get_object (JsonObject *object, const char *name);
JsonArray *vg_json_get_array (JsonObject *object, const char *name);
const char *vg_json_get_text (JsonObject *object, const char *name);
double vg_json_get_number (JsonObject *object, const char *name);

G_END_DECLS
