#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What Swift's own modules of the C library leave out, because it needs _GNU_SOURCE: recvmmsg(2), accept4(2),
   and the credentials of the other end of a socket (unix(7)). */

/* struct mmsghdr */
struct csocket_message {
	struct msghdr header;
	unsigned int length;
};

/* Receives up to count messages with one system call, without waiting. */
static inline int csocket_receive(int descriptor, struct csocket_message *messages, unsigned int count) {
	return (int)syscall(SYS_recvmmsg, descriptor, messages, count, MSG_DONTWAIT, (void *)0);
}

/* Takes a connection that waits. It does not block, and no program inherits it. */
static inline int csocket_accept(int descriptor) {
	return (int)syscall(SYS_accept4, descriptor, (void *)0, (void *)0, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/* struct ucred */
struct csocket_peer {
	int process;
	unsigned int user, group;
};

/* Who has the other end of a socket in the file system. */
static inline int csocket_peer_of(int descriptor, struct csocket_peer *peer) {
	socklen_t size = sizeof *peer;
	return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, peer, &size);
}
