// The part of libwebsockets that serves HTTP and WebSockets on a listening socket.
//
// The library is loaded when the first server is made, because it also loads OpenSSL. It calls back on the thread of
// chttp_serve() only, and all functions but chttp_wake() belong to that thread.
#ifndef CHTTP_H
#define CHTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chttp;
struct chttp_connection;

/// The methods of requests that are told apart.
enum { CHTTP_GET, CHTTP_HEAD, CHTTP_POST, CHTTP_OTHER };

/// The head of a request. A header that is missing is NULL.
struct chttp_request {
	int method;
	const char *path;
	const char *host;
	const char *origin;
	const char *cookie;
	const char *authorization;
	const char *content_type;
};

struct chttp_limits {
	int connections;
	/// The bytes of a request's headers, of its body, and of a message of a WebSocket.
	int headers;
	size_t body;
	size_t message;
	/// Seconds for a request, between two requests, and until a WebSocket without an answer to a ping is closed.
	int request_seconds;
	int idle_seconds;
	int silent_seconds;
};

struct chttp_callbacks {
	void *context;
	/// A request with its whole body. It is answered with chttp_answer() before it returns.
	void (*request)(void *context, struct chttp_connection *, const struct chttp_request *, const void *body, size_t);
	/// - Returns: 0 if the WebSocket is admitted, or the status that refuses it, with why in `sentence`.
	int (*admit)(void *context, const struct chttp_request *, int protocol, char *sentence, size_t size);
	/// - Returns: What stands for the session in the other calls; NULL closes it.
	void *(*opened)(void *context, struct chttp_connection *, int protocol);
	/// - Returns: Whether to close it.
	bool (*received)(void *context, void *session, const void *bytes, size_t, bool is_text);
	/// The line takes a message: the callback may call chttp_send() once.
	/// - Returns: Whether there is another one.
	bool (*writable)(void *context, void *session);
	void (*closed)(void *context, void *session);
	/// chttp_wake() was called.
	void (*woken)(void *context);
	/// The time of chttp_after() has come.
	void (*due)(void *context);
};

/// Loads the library. Any thread may call it, also more than once.
/// - Returns: NULL if the library is loaded, or the message of dlerror(3). Call the other functions only after NULL.
const char *chttp_load(void);

/// The name of the library that is loaded: that of the version it was built with, because versions differ in their
/// structures.
extern const char *const chttp_library;

/// `4.1.6`: the version at build time; NULL if this build has no viewers.
extern const char *const chttp_version;

/// - Parameters:
///   - listener: A listening socket that does not block. The server closes it.
///   - protocols: The names of up to 4 subprotocols, the last one followed by NULL. They are numbered from 0.
/// - Returns: NULL if there is no memory.
struct chttp *chttp_new(int listener, const char *const *protocols, const struct chttp_limits *,
			const struct chttp_callbacks *);

/// Serves until something has happened.
/// - Returns: Whether it can go on.
bool chttp_serve(struct chttp *);

/// Lets chttp_serve() return soon. Any thread may call it before chttp_free().
void chttp_wake(struct chttp *);

void chttp_free(struct chttp *);

/// The connections that are open.
int chttp_connections(const struct chttp *);

/// Answers a request.
/// - Parameters:
///   - headers: Names, such as `content-type:`, and values in turn, followed by NULL.
///   - body: Copied; not used if there is a file.
///   - file: A descriptor, which the server reads `length` bytes of, and closes; -1 for none.
void chttp_answer(struct chttp_connection *, int status, const char *const *headers, const void *body, uint64_t length,
		  int file);

/// Asks for a call of `due` after some milliseconds. A later ask replaces an earlier one.
void chttp_after(struct chttp *, int milliseconds);

/// Whether a part of a message is still to be given to the system.
bool chttp_is_buffered(struct chttp_connection *);

/// Whether an answer to a request is on its way, such as a large file.
bool chttp_is_sending(const struct chttp *);

/// Asks for a call of `writable`.
void chttp_want(struct chttp_connection *);

/// Sends one message. Of a line that takes only a part of it, the rest is kept until it takes more.
/// - Returns: Whether it was taken.
bool chttp_send(struct chttp_connection *, const void *bytes, size_t, bool is_text);

#endif
