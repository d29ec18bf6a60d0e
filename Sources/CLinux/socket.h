#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What Swift's own modules of the C library leave out: recvmmsg(2), accept4(2) and the credentials of the other end of a
   socket (unix(7)), which need _GNU_SOURCE, and epoll(7). */

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

static inline int csocket_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

/* Watches a socket, or watches it for something else. For nothing, it is not watched: a hangup would be told again and again. */
static inline int csocket_watch(int epoll, int socket, int reads, int writes, int is_watched) {
	struct epoll_event event = {.events = (reads ? EPOLLIN : 0) | (writes ? EPOLLOUT : 0), .data = {.fd = socket}};
	int operation = !reads && !writes ? EPOLL_CTL_DEL : is_watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
	return epoll_ctl(epoll, operation, socket, &event);
}

/* The sockets that are ready now, or have hung up, without waiting. */
static inline int csocket_ready(int epoll, int *sockets, int most) {
	struct epoll_event events[64];
	int count = epoll_wait(epoll, events, most < 64 ? most : 64, 0);
	for (int at = 0; at < count; at++)
		sockets[at] = events[at].data.fd;
	return count;
}
