#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <sys/timex.h>

/* What Swift's own modules of the C library leave out: timerfd_create(2), adjtimex(2), and what
   glibc (from 2.34) declares for _GNU_SOURCE only. */

/* Whether the kernel holds its clock for synchronised: 1 or 0, and -1 if it does not say. Changes nothing. */
static inline int cwallclock_is_synchronised(void) {
	struct timex clock = {.modes = 0};
	int state = adjtimex(&clock);
	if (state < 0) return -1;
	return state != TIME_ERROR && !(clock.status & STA_UNSYNC);
}

/* The greatest and the estimated error of the wall clock, in microseconds. Returns as cwallclock_is_synchronised(). */
static inline int cwallclock_errors(long *greatest, long *estimated) {
	struct timex clock = {.modes = 0};
	int state = adjtimex(&clock);
	if (state < 0) return -1;
	*greatest = clock.maxerror;
	*estimated = clock.esterror;
	return state != TIME_ERROR && !(clock.status & STA_UNSYNC);
}

/* A timer that never ends: reading it fails with ECANCELED once the wall clock was set. */
static inline int cwallclock_timer(void) { return timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC); }

/* The timer is set also if this fails with ECANCELED: then the wall clock was set meanwhile. */
static inline int cwallclock_set(int timer) {
	struct itimerspec never = {.it_value = {.tv_sec = sizeof(time_t) > 4 ? INT64_MAX / 1000000000 : INT_MAX}};
	return timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, 0);
}

/* Closes all descriptors from the first one on in the new process. */
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
