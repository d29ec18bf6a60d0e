#pragma once
#include <stdbool.h>

// The kernel refuses a system call of the calling thread from now on (seccomp(2)), as file systems do that have no
// locks (flock) or files that may only be appended to (ftruncate). It lasts as long as the thread.
// They answer false where the kernel, or what emulates it, has no such filters.

bool refuse_flock(int error);
bool refuse_ftruncate(int error);

// The calling thread, as /proc numbers it.
int thread_number(void);

// The numbers of system calls, as /proc/PID/task/THREAD/syscall has them.
long number_of_openat(void);
long number_of_futex(void);
