#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What Swift's own modules of the C library leave out, because it needs _GNU_SOURCE: recvmmsg(2). */

/* struct mmsghdr */
struct csocket_message {
	struct msghdr header;
	unsigned int length;
};

/* Receives up to count messages with one system call, without waiting. */
static inline int csocket_receive(int descriptor, struct csocket_message *messages, unsigned int count) {
	return (int)syscall(SYS_recvmmsg, descriptor, messages, count, MSG_DONTWAIT, (void *)0);
}
