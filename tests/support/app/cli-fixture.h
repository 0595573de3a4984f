/* SPDX-License-Identifier: MIT */
#pragma once
#include <json-glib/json-glib.h>
#include "app/session/vg-session.h"
/* Runs the built program on files of its own, as a script does. */
G_BEGIN_DECLS

enum { CLI_WIDTH = 41, CLI_HEIGHT = 29, CLI_FRAMES = 7 };

typedef struct
{
  char *folder, *out, *tiff, *cut;
  const VgOperation *stream; /* one that takes frames; NULL: none is built */
} CliFixture;

typedef struct
{
  int status; /* 1000 and more: ended by a signal */
  char *output, *errors;
} CliResult;

void cli_set_up (CliFixture *f, gconstpointer data);
void cli_tear_down (CliFixture *f, gconstpointer data);
gboolean cli_skip_without_stream (CliFixture *f);
/* The words of LINE, with OP, OUT, TIFF, CUT and DIR replaced and the program in front. */
char **cli_make_argv (CliFixture *f, const char *line);
/* LINE begins with the program's name; SETUP runs in the child. */
CliResult cli_run_limited (CliFixture *f, const char *line, GSpawnChildSetupFunc setup);
CliResult cli_run (CliFixture *f, const char *line);
guint cli_count_entries (const char *folder);
JsonNode *cli_load_json (const char *text);
JsonNode *cli_load_summary (CliFixture *f);
/* What is noted in the SUMMARY, and nothing else, has been said on standard error, ERRORS. */
void cli_check_notes (JsonObject *summary, const char *errors);
/* The summary's figures of output ID, in MAP, against its file, read by libtiff. */
void cli_check_output (CliFixture *f, const char *id, JsonObject *map);

void cli_result_clear (CliResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliResult, cli_result_clear)

G_END_DECLS
