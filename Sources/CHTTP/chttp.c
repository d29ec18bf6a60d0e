#define _GNU_SOURCE
#include "chttp.h"

#include <library.h>

// Its structures change from version to version, so that its own header is needed to build, and only versions that were tried are
// used.
#if __has_include(<libwebsockets.h>)
#include <libwebsockets.h>
#endif
#if !defined(LWS_LIBRARY_VERSION_NUMBER)
#define REASON "this sluice was built without the header of libwebsockets"
#elif LWS_LIBRARY_VERSION_NUMBER < 4001000 || LWS_LIBRARY_VERSION_NUMBER >= 4004000
#define REASON "this sluice was built with an untested version of libwebsockets; tested are 4.1 to 4.3"
#endif
#ifndef REASON

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

// No other version is loaded than that of the header.
#if LWS_LIBRARY_VERSION_NUMBER >= 4003000
#define LIBRARY_NAME "libwebsockets.so.19"
#elif LWS_LIBRARY_VERSION_NUMBER >= 4002000
#define LIBRARY_NAME "libwebsockets.so.18"
#else
#define LIBRARY_NAME "libwebsockets.so.17"
#endif

const char *const chttp_library = LIBRARY_NAME;

#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number
const char *const chttp_version =
	TEXT(LWS_LIBRARY_VERSION_MAJOR) "." TEXT(LWS_LIBRARY_VERSION_MINOR) "." TEXT(LWS_LIBRARY_VERSION_PATCH);

#define FUNCTIONS(with)                                                                                              \
	with(lws_set_log_level) with(lws_create_context) with(lws_create_vhost) with(lws_context_destroy)            \
	with(lws_service) with(lws_cancel_service) with(lws_adopt_descriptor_vhost) with(lws_get_context)            \
	with(lws_context_user) with(lws_callback_on_writable) with(lws_write) with(lws_send_pipe_choked)             \
	with(lws_partial_buffered) with(lws_hdr_total_length) with(lws_hdr_copy) with(lws_http_get_uri_and_method)   \
	with(lws_add_http_header_status) with(lws_add_http_header_by_name) with(lws_add_http_header_content_length)  \
	with(lws_finalize_write_http_header) with(lws_http_transaction_completed) with(lws_is_final_fragment)        \
	with(lws_remaining_packet_payload) with(lws_frame_is_binary) with(lws_close_reason) with(lws_get_protocol)   \
	with(lws_return_http_status) with(lws_set_timeout)

#define POINTER(name) static __typeof__(&name) p_##name;
FUNCTIONS(POINTER)
// A library without headers that it does not know has no such function.
POINTER(lws_hdr_custom_length)

static void say_nothing(int level, const char *line)
{
	(void)level;
	(void)line;
}

static const char *begin(void)
{
	p_lws_set_log_level(0, say_nothing);
	return 0;
}

#define WANTED(name) {#name, (void **)&p_##name, false},
#define OPTIONAL(name) {#name, (void **)&p_##name, true},
LIBRARY(chttp_load, begin, LIBRARY_NAMES(LIBRARY_NAME), FUNCTIONS(WANTED) OPTIONAL(lws_hdr_custom_length))

enum { PROTOCOLS = 4, CHUNK = 65536, PACKET = 1 << 20, SENTENCE = 256 };

struct chttp {
	struct lws_context *context;
	struct lws_vhost *vhost;
	struct lws *listener;
	int listening;
	/// Closed for a moment when there is no descriptor for a connection, so that it can be taken and refused.
	int spare;
	int connections;
	int answers;
	/// The connections without a whole request, the oldest first.
	struct lws **waiting;
	int waiting_count;
	/// Not one of the library: in the last millisecond before such a time it polls without a pause.
	struct lws *timer;
	int timing;
	struct chttp_limits limits;
	struct chttp_callbacks call;
	struct lws_protocols protocols[PROTOCOLS + 2];
	lws_retry_bo_t idle;
	unsigned char *message;
	size_t message_size;
};

/// What libwebsockets keeps for a connection, set to zero at first.
struct chttp_connection {
	struct chttp *server;
	struct lws *wsi;
	struct chttp_request request;
	/// The texts of the request.
	char *texts;
	/// The body of a request, or a message that comes in several parts.
	unsigned char *received;
	size_t received_count;
	void *session;
	// The answer.
	int status;
	char *headers;
	unsigned char *body;
	uint64_t length;
	uint64_t sent;
	int file;
	bool has_answer, has_file, has_head, closes;
};

static void forget_request(struct chttp_connection *c)
{
	free(c->texts);
	free(c->received);
	c->texts = 0;
	c->received = 0;
	c->received_count = 0;
	memset(&c->request, 0, sizeof c->request);
}

static void forget(struct chttp_connection *c)
{
	forget_request(c);
	free(c->headers);
	free(c->body);
	if (c->has_answer)
		c->server->answers--;
	if (c->has_file)
		close(c->file);
	c->headers = 0;
	c->body = 0;
	c->length = c->sent = 0;
	c->has_answer = c->has_file = c->has_head = c->closes = false;
}

/// Copies a header; `*end` moves behind it.
static const char *header(struct lws *wsi, enum lws_token_indexes token, char **end, char *limit)
{
	int length = p_lws_hdr_total_length(wsi, token);
	if (length <= 0 || *end + length + 1 > limit || p_lws_hdr_copy(wsi, *end, length + 1, token) < 0)
		return 0;
	char *text = *end;
	*end += length + 1;
	return text;
}

static bool take_request(struct chttp_connection *c, struct lws *wsi)
{
	size_t size = 2 * (size_t)c->server->limits.headers + 64;
	forget(c);
	c->texts = malloc(size);
	if (!c->texts)
		return false;
	char *end = c->texts, *limit = c->texts + size, *path = 0;
	int length = 0;
	int method = p_lws_http_get_uri_and_method(wsi, &path, &length);
	c->request.method = method == LWSHUMETH_GET ? CHTTP_GET
			    : method == LWSHUMETH_HEAD ? CHTTP_HEAD
			    : method == LWSHUMETH_POST ? CHTTP_POST
						       : CHTTP_OTHER;
	if (method < 0 || !path || length < 0 || end + length + 1 > limit)
		return false;
	memcpy(end, path, (size_t)length);
	end[length] = 0;
	c->request.path = end;
	end += length + 1;
	c->request.host = header(wsi, WSI_TOKEN_HOST, &end, limit);
	c->request.origin = header(wsi, WSI_TOKEN_ORIGIN, &end, limit);
	c->request.cookie = header(wsi, WSI_TOKEN_HTTP_COOKIE, &end, limit);
	c->request.authorization = header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, &end, limit);
	c->request.content_type = header(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, &end, limit);
	return true;
}

static int refuse(struct chttp_connection *c, int status)
{
	static const char *const headers[] = {"content-type:", "text/plain", 0};
	chttp_answer(c, status, headers, "", 0, -1);
	c->closes = true;
	return 0;
}

/// Answers at once, without a word of the library's own.
static void refuse_at_once(struct lws *wsi, int status, const char *sentence)
{
	unsigned char buffer[LWS_PRE + 2048], *start = buffer + LWS_PRE, *p = start, *end = buffer + sizeof buffer - 1;
	static const char type[] = "text/plain; charset=utf-8", close[] = "close";
	size_t count = strlen(sentence);
	if (p_lws_add_http_header_status(wsi, (unsigned int)status, &p, end) ||
	    p_lws_add_http_header_by_name(wsi, (const unsigned char *)"content-type:", (const unsigned char *)type,
					  sizeof type - 1, &p, end) ||
	    p_lws_add_http_header_by_name(wsi, (const unsigned char *)"connection:", (const unsigned char *)close,
					  sizeof close - 1, &p, end) ||
	    p_lws_add_http_header_content_length(wsi, count, &p, end) ||
	    p_lws_finalize_write_http_header(wsi, start, &p, end))
		return;
	memcpy(start, sentence, count);
	(void)!p_lws_write(wsi, start, count, LWS_WRITE_HTTP_FINAL);
}

/// The connection has no request, or not all of one.
static void wait_for_request(struct chttp *server, struct lws *wsi)
{
	if (server->waiting_count < server->limits.connections)
		server->waiting[server->waiting_count++] = wsi;
}

static void end_waiting(struct chttp *server, struct lws *wsi)
{
	int kept = 0;
	for (int i = 0; i < server->waiting_count; i++)
		if (server->waiting[i] != wsi)
			server->waiting[kept++] = server->waiting[i];
	server->waiting_count = kept;
}

/// Whether white space stands between this name of a header and its colon. The library does not know such a header, and would read
/// the body as the next request, which another program may not (RFC 9112, 5.1).
static bool has_spaced(struct lws *wsi, const char *name)
{
	enum { SPACES = 16 };
	char text[48];
	size_t length = strlen(name);
	if (!p_lws_hdr_custom_length || length + SPACES + 1 > sizeof text)
		return false;
	memcpy(text, name, length);
	for (const char *space = " \t"; *space; space++)
		for (size_t count = 1; count <= SPACES; count++) {
			memset(text + length, *space, count);
			text[length + count] = ':';
			if (p_lws_hdr_custom_length(wsi, text, (int)(length + count + 1)) >= 0)
				return true;
		}
	return false;
}

static int begin_request(struct chttp_connection *c, struct lws *wsi)
{
	char text[24] = "";
	if (!take_request(c, wsi))
		return -1;
	if (has_spaced(wsi, "content-length") || has_spaced(wsi, "transfer-encoding"))
		return refuse(c, 400);
	// The library joins several lengths to one value, which has other characters than digits. Such a request is
	// refused, because two programs may disagree about which length counts (RFC 9112, 6.3).
	int digits = p_lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH);
	if (digits > 0 && (p_lws_hdr_copy(wsi, text, sizeof text, WSI_TOKEN_HTTP_CONTENT_LENGTH) < 0 ||
			   strspn(text, "0123456789") != strlen(text)))
		return refuse(c, 400);
	if (c->request.method != CHTTP_POST) {
		end_waiting(c->server, wsi);
		c->server->call.request(c->server->call.context, c, &c->request, "", 0);
		return c->has_answer ? 0 : -1;
	}
	if (digits <= 0)
		return refuse(c, 411);
	unsigned long long length = strtoull(text, 0, 10);
	if (!length || length > c->server->limits.body)
		return refuse(c, length ? 413 : 411);
	return 0;
}

/// - Returns: Whether there was room for it.
static bool keep(struct chttp_connection *c, const void *bytes, size_t count, size_t limit)
{
	if (count > limit || c->received_count > limit - count)
		return false;
	unsigned char *grown = realloc(c->received, c->received_count + count + 1);
	if (!grown)
		return false;
	memcpy(grown + c->received_count, bytes, count);
	c->received = grown;
	c->received_count += count;
	return true;
}

static int end_answer(struct chttp_connection *c)
{
	// What is kept for the connection begins anew.
	struct chttp *server = c->server;
	struct lws *wsi = c->wsi;
	bool closes = c->closes;
	forget(c);
	if (closes || p_lws_http_transaction_completed(wsi))
		return -1;
	wait_for_request(server, wsi);
	return 0;
}

static int write_head(struct chttp_connection *c, struct lws *wsi, bool has_body)
{
	unsigned char buffer[LWS_PRE + 4096], *start = buffer + LWS_PRE, *p = start, *end = buffer + sizeof buffer - 1;
	if (p_lws_add_http_header_status(wsi, (unsigned int)c->status, &p, end))
		return -1;
	for (const char *name = c->headers; name && *name;) {
		const char *value = name + strlen(name) + 1;
		if (p_lws_add_http_header_by_name(wsi, (const unsigned char *)name, (const unsigned char *)value,
						  (int)strlen(value), &p, end))
			return -1;
		name = value + strlen(value) + 1;
	}
	if (p_lws_add_http_header_content_length(wsi, c->length, &p, end) ||
	    p_lws_finalize_write_http_header(wsi, start, &p, end))
		return -1;
	c->has_head = true;
	if (!has_body)
		return end_answer(c);
	p_lws_callback_on_writable(wsi);
	return 0;
}

static int write_answer(struct chttp_connection *c, struct lws *wsi)
{
	unsigned char buffer[LWS_PRE + CHUNK];
	if (!c->has_answer)
		return 0;
	bool has_body = c->length > 0 && c->request.method != CHTTP_HEAD;
	if (!c->has_head)
		return write_head(c, wsi, has_body);
	uint64_t left = c->length - c->sent;
	size_t count = left < CHUNK ? (size_t)left : CHUNK;
	if (c->has_file) {
		ssize_t found = pread(c->file, buffer + LWS_PRE, count, (off_t)c->sent);
		// The file has become shorter: what is missing shows, because the length was said before.
		if (found <= 0)
			return -1;
		count = (size_t)found;
	} else {
		memcpy(buffer + LWS_PRE, c->body + c->sent, count);
	}
	bool is_last = count == left;
	p_lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, c->server->limits.idle_seconds);
	if (p_lws_write(wsi, buffer + LWS_PRE, count, is_last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < (int)count)
		return -1;
	c->sent += count;
	if (is_last)
		return end_answer(c);
	p_lws_callback_on_writable(wsi);
	return 0;
}

static void take_connections(struct chttp *server)
{
	for (int count = 0; count < 32; count++) {
		int fd = accept4(server->listening, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0) {
			if (errno != EMFILE && errno != ENFILE)
				return;
			// Otherwise the listening socket would be readable for ever.
			close(server->spare);
			fd = accept(server->listening, 0, 0);
			if (fd >= 0)
				close(fd);
			server->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
			return;
		}
		// Whoever says nothing, or only a part of a request, makes room.
		if (server->connections >= server->limits.connections && server->waiting_count)
			p_lws_set_timeout(server->waiting[0], PENDING_TIMEOUT_HTTP_CONTENT, LWS_TO_KILL_SYNC);
		if (server->connections >= server->limits.connections) {
			close(fd);
			continue;
		}
		int yes = 1;
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
		setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
		lws_sock_file_fd_type descriptor = {.sockfd = fd};
		// It closes the socket if it cannot take it.
		struct lws *wsi = p_lws_adopt_descriptor_vhost(
			server->vhost, LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP | LWS_ADOPT_ALLOW_SSL, descriptor, 0, 0);
		if (wsi)
			wait_for_request(server, wsi);
	}
}

static void take_time(struct chttp *server)
{
	uint64_t count;
	if (read(server->timing, &count, sizeof count) == sizeof count)
		server->call.due(server->call.context);
}

/// The number of its subprotocol; -1 for none.
static int number_of(struct lws *wsi)
{
	const struct lws_protocols *protocol = p_lws_get_protocol(wsi);
	return protocol ? (int)(protocol->id) - 1 : -1;
}

static const char unknown_subprotocol[] = "a WebSocket needs a subprotocol that is known here\n";

static int admit(struct chttp *server, struct lws *wsi)
{
	struct chttp_connection c = {.server = server, .wsi = wsi};
	char sentence[SENTENCE];
	strcpy(sentence, unknown_subprotocol);
	int number = number_of(wsi), status = 400;
	if (take_request(&c, wsi) && number >= 0)
		status = server->call.admit(server->call.context, &c.request, number, sentence, sizeof sentence);
	forget(&c);
	if (status)
		refuse_at_once(wsi, status, sentence);
	else
		end_waiting(server, wsi);
	return status != 0;
}

/// Whether a list of subprotocols has one that is offered.
static bool offers_one_of(const struct chttp *server, char *names)
{
	char *rest = 0;
	for (char *name = strtok_r(names, ", ", &rest); name; name = strtok_r(0, ", ", &rest))
		for (int i = 1; server->protocols[i].name; i++)
			if (!strcmp(name, server->protocols[i].name))
				return true;
	return false;
}

/// Of the protocols that a connection can change to, only WebSocket is offered.
static int confirm_upgrade(struct chttp *server, struct lws *wsi, const char *protocol)
{
	char names[SENTENCE] = "";
	// Of others the library has said it.
	if (!strcasecmp(protocol, "h2c"))
		refuse_at_once(wsi, 400, "HTTP/2 is not served without TLS: ask with HTTP/1.1\n");
	if (strcasecmp(protocol, "websocket"))
		return -1;
	// Otherwise the library closes the connection without a word.
	if (p_lws_hdr_copy(wsi, names, sizeof names, WSI_TOKEN_PROTOCOL) > 0 && offers_one_of(server, names))
		return 0;
	refuse_at_once(wsi, 400, unknown_subprotocol);
	return -1;
}

static int receive(struct chttp_connection *c, struct lws *wsi, const void *bytes, size_t count)
{
	struct chttp *server = c->server;
	if (!keep(c, bytes, count, server->limits.message)) {
		p_lws_close_reason(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, 0, 0);
		return -1;
	}
	if (!p_lws_is_final_fragment(wsi) || p_lws_remaining_packet_payload(wsi))
		return 0;
	bool closes = server->call.received(server->call.context, c->session, c->received ? c->received : bytes,
					    c->received_count, !p_lws_frame_is_binary(wsi));
	forget_request(c);
	if (closes)
		p_lws_close_reason(wsi, LWS_CLOSE_STATUS_PROTOCOL_ERR, 0, 0);
	return closes ? -1 : 0;
}

static int write_messages(struct chttp_connection *c, struct lws *wsi)
{
	bool has_more = true;
	// Some at once, because each turn of the loop costs a system call.
	for (int count = 0; count < 64 && has_more; count++) {
		has_more = c->server->call.writable(c->server->call.context, c->session);
		if (has_more && (p_lws_partial_buffered(wsi) || p_lws_send_pipe_choked(wsi)))
			break;
	}
	if (has_more)
		p_lws_callback_on_writable(wsi);
	return 0;
}

static int happened(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t count)
{
	struct chttp_connection *c = user;
	struct lws_context *context = wsi ? p_lws_get_context(wsi) : 0;
	struct chttp *server = context ? p_lws_context_user(context) : 0;
	if (!server)
		return 0;
	switch (reason) {
	case LWS_CALLBACK_WSI_CREATE: server->connections++; return 0;
	case LWS_CALLBACK_WSI_DESTROY:
		server->connections--;
		end_waiting(server, wsi);
		return 0;
	case LWS_CALLBACK_RAW_RX_FILE:
		if (wsi == server->timer)
			take_time(server);
		else
			take_connections(server);
		return 0;
	case LWS_CALLBACK_RAW_CLOSE_FILE:
		if (wsi == server->timer)
			server->timer = 0;
		else
			server->listener = 0;
		return 0;
	case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
		// Each protocol gets it.
		if (p_lws_get_protocol(wsi) == 0 || number_of(wsi) < 0)
			server->call.woken(server->call.context);
		return 0;

	case LWS_CALLBACK_HTTP:
		if (!c)
			return -1;
		c->server = server;
		c->wsi = wsi;
		return begin_request(c, wsi);
	case LWS_CALLBACK_HTTP_BODY:
		if (!c || c->has_answer)
			return 0;
		return keep(c, in, count, server->limits.body) ? 0 : -1;
	case LWS_CALLBACK_HTTP_BODY_COMPLETION:
		if (!c || c->has_answer || !c->texts)
			return 0;
		end_waiting(server, wsi);
		server->call.request(server->call.context, c, &c->request, c->received ? c->received : (void *)"",
				     c->received_count);
		return c->has_answer ? 0 : -1;
	case LWS_CALLBACK_HTTP_WRITEABLE: return c ? write_answer(c, wsi) : 0;
	case LWS_CALLBACK_CLOSED_HTTP:
	case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
		if (c)
			forget(c);
		return 0;

	case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return confirm_upgrade(server, wsi, in);
	case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return admit(server, wsi);
	case LWS_CALLBACK_ESTABLISHED:
		if (!c)
			return -1;
		c->server = server;
		c->wsi = wsi;
		c->session = server->call.opened(server->call.context, c, number_of(wsi));
		return c->session ? 0 : -1;
	case LWS_CALLBACK_RECEIVE: return c && c->session ? receive(c, wsi, in, count) : -1;
	case LWS_CALLBACK_SERVER_WRITEABLE: return c && c->session ? write_messages(c, wsi) : 0;
	case LWS_CALLBACK_CLOSED:
		if (c && c->session)
			server->call.closed(server->call.context, c->session);
		if (c) {
			c->session = 0;
			forget(c);
		}
		return 0;
	// No certificate, no file, and no answer of the library's own.
	default: return 0;
	}
}

struct chttp *chttp_new(int listener, const char *const *protocols, const struct chttp_limits *limits,
			const struct chttp_callbacks *callbacks)
{
	struct chttp *server = calloc(1, sizeof *server);
	struct lws **waiting = calloc((size_t)limits->connections, sizeof *waiting);
	if (!server || !waiting) {
		free(server);
		free(waiting);
		close(listener);
		return 0;
	}
	server->waiting = waiting;
	server->listening = listener;
	server->limits = *limits;
	server->call = *callbacks;
	server->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
	server->timing = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	// The first protocol is that of requests. Its name cannot be asked for as a subprotocol, because of its space.
	server->protocols[0] = (struct lws_protocols){.name = "no subprotocol", .callback = happened};
	for (int i = 0; i < PROTOCOLS && protocols[i]; i++)
		server->protocols[i + 1] = (struct lws_protocols){.name = protocols[i], .callback = happened};
	for (int i = 0; i <= PROTOCOLS && server->protocols[i].name; i++) {
		server->protocols[i].id = (unsigned int)i;
		server->protocols[i].per_session_data_size = sizeof(struct chttp_connection);
		server->protocols[i].rx_buffer_size = 4096;
		// Otherwise a message goes out in parts of 4 kB, with a turn for each.
		server->protocols[i].tx_packet_size = PACKET;
	}
	server->idle.secs_since_valid_ping = (uint16_t)(limits->silent_seconds / 4);
	server->idle.secs_since_valid_hangup = (uint16_t)limits->silent_seconds;

	struct lws_context_creation_info info = {0};
	info.port = CONTEXT_PORT_NO_LISTEN_SERVER;
	info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS;
	info.protocols = server->protocols;
	info.user = server;
	info.gid = (gid_t)-1;
	info.uid = (uid_t)-1;
	// Its tables are not as large as the number of descriptors that the system allows.
	info.fd_limit_per_thread = (unsigned int)limits->connections + 8;
	info.max_http_header_data = (unsigned short)limits->headers;
	info.max_http_header_pool = (unsigned short)limits->connections;
	info.timeout_secs = (unsigned int)limits->request_seconds;
	info.timeout_secs_ah_idle = (unsigned int)limits->request_seconds;
	info.keepalive_timeout = limits->idle_seconds;
	info.retry_and_idle_policy = &server->idle;
	info.vhost_name = "sluice";
	server->context = p_lws_create_context(&info);
	if (server->context)
		server->vhost = p_lws_create_vhost(server->context, &info);
	if (server->vhost) {
		lws_sock_file_fd_type descriptor = {.filefd = listener};
		server->listener =
			p_lws_adopt_descriptor_vhost(server->vhost, LWS_ADOPT_RAW_FILE_DESC, descriptor, 0, 0);
		descriptor.filefd = server->timing;
		if (server->listener && server->timing >= 0)
			server->timer =
				p_lws_adopt_descriptor_vhost(server->vhost, LWS_ADOPT_RAW_FILE_DESC, descriptor, 0, 0);
	}
	if (!server->timer) {
		bool has_listener = server->listener;
		if (server->context)
			p_lws_context_destroy(server->context);
		// What the library has, it has closed.
		if (!has_listener)
			close(listener);
		if (server->timing >= 0)
			close(server->timing);
		close(server->spare);
		free(waiting);
		free(server);
		return 0;
	}
	server->connections = 0;
	return server;
}

bool chttp_serve(struct chttp *server) { return p_lws_service(server->context, 0) >= 0; }

void chttp_wake(struct chttp *server) { p_lws_cancel_service(server->context); }

void chttp_free(struct chttp *server)
{
	// It closes the connections, which calls back, and the listening socket.
	p_lws_context_destroy(server->context);
	close(server->spare);
	free(server->message);
	free(server->waiting);
	free(server);
}

void chttp_after(struct chttp *server, int milliseconds)
{
	struct itimerspec time = {.it_value = {milliseconds / 1000, milliseconds % 1000 * 1000000L + 1}};
	timerfd_settime(server->timing, 0, &time, 0);
}

bool chttp_is_buffered(struct chttp_connection *c) { return p_lws_partial_buffered(c->wsi); }

bool chttp_is_sending(const struct chttp *server) { return server->answers > 0; }

int chttp_connections(const struct chttp *server) { return server->connections; }

void chttp_answer(struct chttp_connection *c, int status, const char *const *headers, const void *body, uint64_t length,
		  int file)
{
	size_t size = 1, at = 0;
	for (int i = 0; headers[i]; i++)
		size += strlen(headers[i]) + 1;
	c->headers = malloc(size);
	for (int i = 0; c->headers && headers[i]; i++) {
		size_t count = strlen(headers[i]) + 1;
		memcpy(c->headers + at, headers[i], count);
		at += count;
	}
	if (c->headers)
		c->headers[at] = 0;
	c->status = status;
	c->length = length;
	c->sent = 0;
	c->file = file;
	c->has_file = file >= 0;
	if (!c->has_file && length) {
		c->body = malloc((size_t)length);
		if (c->body)
			memcpy(c->body, body, (size_t)length);
		else
			c->length = 0;
	}
	c->has_answer = true;
	c->server->answers++;
	p_lws_callback_on_writable(c->wsi);
}

void chttp_want(struct chttp_connection *c) { p_lws_callback_on_writable(c->wsi); }

bool chttp_send(struct chttp_connection *c, const void *bytes, size_t count, bool is_text)
{
	struct chttp *server = c->server;
	if (server->message_size < count) {
		unsigned char *grown = realloc(server->message, LWS_PRE + count);
		if (!grown)
			return false;
		server->message = grown;
		server->message_size = count;
	}
	memcpy(server->message + LWS_PRE, bytes, count);
	int written = p_lws_write(c->wsi, server->message + LWS_PRE, count, is_text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY);
	// The first picture of a viewer is large, and the next ones are not.
	if (server->message_size > PACKET / 8) {
		free(server->message);
		server->message = 0;
		server->message_size = 0;
	}
	return written >= (int)count;
}

#else

const char *const chttp_library = "libwebsockets";
const char *const chttp_version = NULL;

const char *chttp_load(void) { return REASON; }

// Nobody calls these after that.
struct chttp *chttp_new(int listener, const char *const *protocols, const struct chttp_limits *limits, const struct chttp_callbacks *call)
{
	(void)listener, (void)protocols, (void)limits, (void)call;
	return NULL;
}
bool chttp_serve(struct chttp *server) { return (void)server, false; }
void chttp_wake(struct chttp *server) { (void)server; }
void chttp_free(struct chttp *server) { (void)server; }
int chttp_connections(const struct chttp *server) { return (void)server, 0; }
void chttp_answer(
	struct chttp_connection *to, int status, const char *const *headers, const void *body, uint64_t length, int file)
{
	(void)to, (void)status, (void)headers, (void)body, (void)length, (void)file;
}
void chttp_after(struct chttp *server, int milliseconds) { (void)server, (void)milliseconds; }
bool chttp_is_buffered(struct chttp_connection *to) { return (void)to, false; }
bool chttp_is_sending(const struct chttp *server) { return (void)server, false; }
void chttp_want(struct chttp_connection *to) { (void)to; }
bool chttp_send(struct chttp_connection *to, const void *bytes, size_t count, bool is_text)
{
	(void)to, (void)bytes, (void)count, (void)is_text;
	return false;
}

#endif
