/* SPDX-License-Identifier: MIT */
#pragma once
/* 1 in a build with the address or the thread sanitizer, of GCC or of Clang. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define VG_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define VG_SANITIZED 1
#endif
#endif
#ifndef VG_SANITIZED
#define VG_SANITIZED 0
#endif
