/* SPDX-License-Identifier: MIT */
/* A filter of system calls: those in the list are allowed, opening files, but not for writing, and
 * starting threads, but not processes.  All others fail with EPERM, among them those that write,
 * start programs, use the network, or concern other processes.  The filter holds from before the
 * file is opened. */
#include "io/fence/vg-fence-child.h"
#include "kernels/base/vg-sanitized.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#if defined __x86_64__
#define OWN_MACHINE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define OWN_MACHINE AUDIT_ARCH_AARCH64
#endif

#ifdef OWN_MACHINE
static const guint32 allowed[] = {
  /* the socket and the memory */
  SYS_recvmsg,
  SYS_sendto,
  SYS_mmap,
  SYS_munmap,
  SYS_mremap,
  SYS_mprotect,
  SYS_madvise,
  SYS_brk,
  /* files */
  SYS_read,
  SYS_pread64,
  SYS_readv,
  SYS_preadv,
  SYS_write,
  SYS_lseek,
  SYS_close,
  SYS_dup,
  SYS_fstat,
  SYS_newfstatat,
  SYS_statx,
  SYS_statfs,
  SYS_fstatfs,
  SYS_faccessat,
  SYS_readlinkat,
  SYS_getdents64,
  SYS_getcwd,
  SYS_fadvise64,
  /* this process */
  SYS_setitimer,
  SYS_futex,
  SYS_set_robust_list,
#ifdef SYS_rseq
  SYS_rseq,
#endif
  SYS_sched_yield,
  SYS_rt_sigaction,
  SYS_rt_sigprocmask,
  SYS_rt_sigreturn,
  SYS_sigaltstack,
  SYS_exit,
  SYS_exit_group,
  SYS_getpid,
  SYS_gettid,
  SYS_getuid,
  SYS_geteuid,
  SYS_getgid,
  SYS_getegid,
  SYS_getrandom,
  SYS_clock_gettime,
  SYS_clock_getres,
  SYS_clock_nanosleep,
  SYS_nanosleep,
  SYS_gettimeofday,
  SYS_uname,
  SYS_sysinfo,
  SYS_getrusage,
  SYS_sched_getaffinity,
  SYS_restart_syscall,
#ifdef SYS_faccessat2
  SYS_faccessat2,
#endif
#if VG_SANITIZED
  SYS_pipe2, /* the sanitizer of C++ objects tries memory by writing it to a pipe */
#endif
#ifdef __x86_64__ /* other machines have the newer calls alone */
#if VG_SANITIZED
  SYS_pipe,
#endif
  SYS_stat,
  SYS_lstat,
  SYS_access,
  SYS_readlink,
  SYS_getdents,
  SYS_time,
#endif
};

enum { MOST_STEPS = 2 * G_N_ELEMENTS (allowed) + 32 };

typedef struct
{
  struct sock_filter steps[MOST_STEPS];
  unsigned short n;
} Filter;

static void
add (Filter *filter, int code, size_t k, int yes, int no)
{
  filter->steps[filter->n++] = (struct sock_filter) BPF_JUMP ((__u16) code, (__u32) k, (__u8) yes,
                                                              (__u8) no);
}

static void
allow (Filter *filter, guint32 call)
{
  add (filter, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
  add (filter, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

/* CALL opens a file; its argument of that number has the flags. */
static void
allow_reading (Filter *filter, guint32 call, int argument)
{
  size_t place = offsetof (struct seccomp_data, args) + sizeof (__u64) * (size_t) argument;

  if (G_BYTE_ORDER == G_BIG_ENDIAN)
    place += 4;
  add (filter, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
  add (filter, BPF_LD | BPF_W | BPF_ABS, place, 0, 0);
  add (filter, BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 1, 0);
  add (filter, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
  add (filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM, 0, 0);
}

/* OpenSlide searches the JPEG files of a .vms slide in a thread.  The filter cannot see the flags
 * of clone3; the C library uses clone if a kernel lacks it. */
static void
allow_threads (Filter *filter)
{
  size_t place = offsetof (struct seccomp_data, args);

  if (G_BYTE_ORDER == G_BIG_ENDIAN)
    place += 4;
  add (filter, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1);
  add (filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS, 0, 0);
  add (filter, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4);
  add (filter, BPF_LD | BPF_W | BPF_ABS, place, 0, 0);
  add (filter, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1);
  add (filter, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
  add (filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM, 0, 0);
}

/* Locks and the flag of closing are allowed.  Other commands could send signals to a process. */
static void
allow_locks (Filter *filter)
{
  size_t place = offsetof (struct seccomp_data, args) + sizeof (__u64);

  if (G_BYTE_ORDER == G_BIG_ENDIAN)
    place += 4;
  add (filter, BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 5);
  add (filter, BPF_LD | BPF_W | BPF_ABS, place, 0, 0);
  add (filter, BPF_JMP | BPF_JGT | BPF_K, F_SETLKW, 2, 0);
  add (filter, BPF_JMP | BPF_JEQ | BPF_K, F_SETFL, 1, 0);
  add (filter, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
  add (filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM, 0, 0);
}

static gboolean
filter_calls (void)
{
  Filter filter = { .n = 0 };
  struct sock_fprog program = { .filter = filter.steps };

  add (&filter, BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, arch), 0, 0);
  add (&filter, BPF_JMP | BPF_JEQ | BPF_K, OWN_MACHINE, 1, 0);
  add (&filter, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
  add (&filter, BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr), 0, 0);
  for (guint i = 0; i < G_N_ELEMENTS (allowed); i++)
    allow (&filter, allowed[i]);
  allow_reading (&filter, SYS_openat, 2);
  allow_locks (&filter);
  allow_threads (&filter);
#ifdef SYS_open
  allow_reading (&filter, SYS_open, 1);
#endif
  add (&filter, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM, 0, 0);
  program.len = filter.n;
  return prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
#else
static gboolean
filter_calls (void)
{
  return FALSE;
}
#endif

gboolean
vg_fence_confine (gint64 memory)
{
  struct rlimit limit = { (rlim_t) memory, (rlim_t) memory };

  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  /* sanitizers reserve more address space than any limit allows */
  if (!VG_SANITIZED)
    {
      prctl (PR_SET_DUMPABLE, 0, 0, 0, 0); /* writing a core file takes time */
      setrlimit (RLIMIT_AS, &limit);
    }
  return filter_calls ();
}
