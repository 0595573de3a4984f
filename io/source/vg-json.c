/* SPDX-License-Identifier: MIT */
#include "io/source/vg-json.h"
#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_DEPTH = 64 };

/* Whether brackets in TEXT are nested at most MAX_DEPTH deep, because the parser recurses as deep.
 * FALSE also for comments and other quotes, which the parser accepts: brackets in them would be
 * counted wrongly. */
static gboolean
is_flat (const char *text)
{
  gboolean quoted = FALSE;
  int depth = 0;

  for (; *text != '\0' && depth <= MAX_DEPTH; text++)
    if (quoted && *text == '\\' && text[1] != '\0')
      text++;
    else if (*text == '"')
      quoted = !quoted;
    else if (!quoted && strchr ("[]{}", *text) != NULL)
      depth += *text == '[' || *text == '{' ? 1 : -1;
    else if (!quoted && !g_ascii_isalnum (*text) && strchr (":,.+- \t\r\n", *text) == NULL)
      return FALSE;
  return depth <= MAX_DEPTH;
}

JsonNode *
vg_json_parse (const char *text)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonNode *root;

  if (!is_flat (text) || !json_parser_load_from_data (parser, text, -1, NULL))
    return NULL;
  root = json_parser_get_root (parser);
  return root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_parser_steal_root (parser) : NULL;
}

JsonNode *
vg_json_load (const char *path, gsize most)
{
  g_autofree char *text = NULL;
  struct stat status;

  if (stat (path, &status) != 0 || !S_ISREG (status.st_mode) || (gsize) status.st_size > most ||
      !g_file_get_contents (path, &text, NULL, NULL))
    return NULL;
  return vg_json_parse (text);
}

static JsonNode *
get_member (JsonObject *object, const char *name)
{
  return object != NULL ? json_object_get_member (object, name) : NULL;
}

static GType
value_type (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node)
                                                      : G_TYPE_INVALID;
}

JsonObject *
vg_json_get_object (JsonObject *object, const char *name)
{
  JsonNode *node = get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

JsonArray *
vg_json_get_array (JsonObject *object, const char *name)
{
  JsonNode *node = get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

const char *
vg_json_get_text (JsonObject *object, const char *name)
{
  JsonNode *node = get_member (object, name);

  return value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : NULL;
}

double
vg_json_get_number (JsonObject *object, const char *name)
{
  JsonNode *node = get_member (object, name);
  GType type = value_type (node);

  return type == G_TYPE_INT64 || type == G_TYPE_DOUBLE ? json_node_get_double (node) : NAN;
}
