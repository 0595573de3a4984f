/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-settings.h"
/* Light or dark: as the system says, or as the user chose. */
G_BEGIN_DECLS

typedef enum { VG_THEME_SYSTEM, VG_THEME_LIGHT, VG_THEME_DARK } VgTheme;

#define VG_TYPE_THEME_FOLLOWER (vg_theme_follower_get_type ())
G_DECLARE_FINAL_TYPE (VgThemeFollower, vg_theme_follower, VG, THEME_FOLLOWER, GObject)

/* Follows the key "theme" of SETTINGS (a VgTheme) as long as it lives. */
VgThemeFollower *vg_theme_follower_new (VgSettings *settings);

G_END_DECLS
