/* SPDX-License-Identifier: MIT */
#pragma once
/* Under sanitizers a test is there for the memory: it takes a part of what it
 * takes without them, where it is many times the same. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif
