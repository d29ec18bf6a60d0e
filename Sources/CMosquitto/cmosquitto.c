#define _GNU_SOURCE
#include "cmosquitto.h"

#include <arpa/inet.h>
#include <errno.h>
#include <library.h>
#include <netdb.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

/* The part of libmosquitto 2.0.11 and newer that is used here: https://mosquitto.org/api/files/mosquitto-h.html */
struct mosquitto;
typedef struct mqtt5__property mosquitto_property;

struct mosquitto_message {
	int mid;
	char *topic;
	void *payload;
	int payloadlen;
	int qos;
	bool retain;
};

enum {
	MOSQ_ERR_PROTOCOL = 2,
	MOSQ_ERR_NO_CONN = 4,
	MOSQ_ERR_CONN_REFUSED = 5,
	MOSQ_ERR_CONN_LOST = 7,
	MOSQ_ERR_TLS = 8,
	MOSQ_ERR_ERRNO = 14,
	MOSQ_ERR_EAI = 15,
	MOSQ_ERR_KEEPALIVE = 19,
	MOSQ_ERR_OVERSIZE_PACKET = 25,
};
enum mosq_opt_t { MOSQ_OPT_PROTOCOL_VERSION = 1, MOSQ_OPT_TCP_NODELAY = 11, MOSQ_OPT_TLS_USE_OS_CERTS = 13 };
enum { MOSQ_LOG_ERR = 8, MQTT_PROTOCOL_V311 = 4, MQTT_PROTOCOL_V5 = 5 };
enum {
	MQTT_PROP_PAYLOAD_FORMAT_INDICATOR = 1,
	MQTT_PROP_CONTENT_TYPE = 3,
	MQTT_PROP_SESSION_EXPIRY_INTERVAL = 17,
	MQTT_PROP_REASON_STRING = 31,
	MQTT_PROP_RECEIVE_MAXIMUM = 33,
	MQTT_PROP_TOPIC_ALIAS_MAXIMUM = 34,
	MQTT_PROP_MAXIMUM_QOS = 36,
	MQTT_PROP_RETAIN_AVAILABLE = 37,
	MQTT_PROP_USER_PROPERTY = 38,
	MQTT_PROP_MAXIMUM_PACKET_SIZE = 39,
};

#define MOSQUITTO_FUNCTIONS(with)                                                                                    \
	with(int, mosquitto_lib_init, (void), ())                                                                    \
	with(int, mosquitto_lib_version, (int *major, int *minor, int *revision), (major, minor, revision))          \
	with(const char *, mosquitto_strerror, (int code), (code))                                                   \
	with(struct mosquitto *, mosquitto_new,                                                                      \
	     (const char *id, bool clean_session, void *context), (id, clean_session, context))                      \
	with(void, mosquitto_destroy, (struct mosquitto *client), (client))                                          \
	with(int, mosquitto_int_option,                                                                              \
	     (struct mosquitto *client, enum mosq_opt_t option, int value), (client, option, value))                 \
	with(int, mosquitto_username_pw_set,                                                                         \
	     (struct mosquitto *client, const char *user, const char *password), (client, user, password))           \
	with(int, mosquitto_tls_set,                                                                                 \
	     (struct mosquitto *client, const char *authorities, const char *folder, const char *certificate, const  \
	      char *key, int (*password)(char *, int, int, void *)),                                                 \
	     (client, authorities, folder, certificate, key, password))                                              \
	with(int, mosquitto_tls_opts_set,                                                                            \
	     (struct mosquitto *client, int verifies, const char *version, const char *ciphers),                     \
	     (client, verifies, version, ciphers))                                                                   \
	with(int, mosquitto_will_set,                                                                                \
	     (struct mosquitto *client, const char *topic, int length, const void *payload, int quality, bool        \
	      retain), (client, topic, length, payload, quality, retain))                                            \
	with(int, mosquitto_connect_async,                                                                           \
	     (struct mosquitto *client, const char *host, int port, int keep_alive),                                 \
	     (client, host, port, keep_alive))                                                                       \
	with(int, mosquitto_connect_bind_v5,                                                                         \
	     (struct mosquitto *client, const char *host, int port, int keep_alive, const char *from, const          \
	      mosquitto_property *properties), (client, host, port, keep_alive, from, properties))                   \
	with(int, mosquitto_disconnect, (struct mosquitto *client), (client))                                        \
	with(void, mosquitto_log_callback_set,                                                                       \
	     (struct mosquitto *client, void (*on_log)(struct mosquitto *, void *, int, const char *)),              \
	     (client, on_log))                                                                                       \
	with(void, mosquitto_connect_v5_callback_set,                                                                \
	     (struct mosquitto *client, void (*on_connect)(struct mosquitto *, void *, int, int, const               \
	      mosquitto_property *)), (client, on_connect))                                                          \
	with(void, mosquitto_disconnect_v5_callback_set,                                                             \
	     (struct mosquitto *client, void (*on_disconnect)(struct mosquitto *, void *, int, const                 \
	      mosquitto_property *)), (client, on_disconnect))                                                       \
	with(void, mosquitto_publish_v5_callback_set,                                                                \
	     (struct mosquitto *client, void (*on_publish)(struct mosquitto *, void *, int, int, const               \
	      mosquitto_property *)), (client, on_publish))                                                          \
	with(void, mosquitto_message_v5_callback_set,                                                                \
	     (struct mosquitto *client, void (*on_message)(struct mosquitto *, void *, const struct                  \
	      mosquitto_message *, const mosquitto_property *)), (client, on_message))                               \
	with(void, mosquitto_subscribe_v5_callback_set,                                                              \
	     (struct mosquitto *client, void (*on_subscribe)(struct mosquitto *, void *, int, int, const int *,      \
	      const mosquitto_property *)), (client, on_subscribe))                                                  \
	with(int, mosquitto_socket, (struct mosquitto *client), (client))                                            \
	with(bool, mosquitto_want_write, (struct mosquitto *client), (client))                                       \
	with(int, mosquitto_loop_read, (struct mosquitto *client, int packets), (client, packets))                   \
	with(int, mosquitto_loop_write, (struct mosquitto *client, int packets), (client, packets))                  \
	with(int, mosquitto_loop_misc, (struct mosquitto *client), (client))                                         \
	with(int, mosquitto_publish_v5,                                                                              \
	     (struct mosquitto *client, int *number, const char *topic, int length, const void *payload, int         \
	      quality, bool retain, const mosquitto_property *properties),                                           \
	     (client, number, topic, length, payload, quality, retain, properties))                                  \
	with(int, mosquitto_subscribe,                                                                               \
	     (struct mosquitto *client, int *number, const char *topics, int quality),                               \
	     (client, number, topics, quality))                                                                      \
	with(void *, mosquitto_ssl_get, (struct mosquitto *client), (client))                                        \
	with(int, mosquitto_property_add_byte,                                                                       \
	     (mosquitto_property **list, int identifier, uint8_t value), (list, identifier, value))                  \
	with(int, mosquitto_property_add_int32,                                                                      \
	     (mosquitto_property **list, int identifier, uint32_t value), (list, identifier, value))                 \
	with(int, mosquitto_property_add_string,                                                                     \
	     (mosquitto_property **list, int identifier, const char *value), (list, identifier, value))              \
	with(int, mosquitto_property_add_string_pair,                                                                \
	     (mosquitto_property **list, int identifier, const char *name, const char *value),                       \
	     (list, identifier, name, value))                                                                        \
	with(void, mosquitto_property_free_all, (mosquitto_property **list), (list))                                 \
	with(const mosquitto_property *, mosquitto_property_read_byte,                                               \
	     (const mosquitto_property *list, int identifier, uint8_t *value, bool skip_first),                      \
	     (list, identifier, value, skip_first))                                                                  \
	with(const mosquitto_property *, mosquitto_property_read_int16,                                              \
	     (const mosquitto_property *list, int identifier, uint16_t *value, bool skip_first),                     \
	     (list, identifier, value, skip_first))                                                                  \
	with(const mosquitto_property *, mosquitto_property_read_int32,                                              \
	     (const mosquitto_property *list, int identifier, uint32_t *value, bool skip_first),                     \
	     (list, identifier, value, skip_first))                                                                  \
	with(const mosquitto_property *, mosquitto_property_read_string,                                             \
	     (const mosquitto_property *list, int identifier, char **value, bool skip_first),                        \
	     (list, identifier, value, skip_first))                                                                  \
	with(const mosquitto_property *, mosquitto_property_read_string_pair,                                        \
	     (const mosquitto_property *list, int identifier, char **name, char **value, bool skip_first),           \
	     (list, identifier, name, value, skip_first))

MOSQUITTO_FUNCTIONS(LIBRARY_CALL)
MOSQUITTO_FUNCTIONS(LIBRARY_POINTER)

/* Of OpenSSL, with which libmosquitto is linked; null if it is another library. */
static long (*loaded_SSL_get_verify_result)(const void *);
static const char *(*loaded_SSL_get_version)(const void *);

static char version[32];

static const char *begin(void)
{
	int major = 0, minor = 0, revision = 0;
	mosquitto_lib_version(&major, &minor, &revision);
	snprintf(version, sizeof version, "%d.%d.%d", major, minor, revision);
	if (major * 1000000 + minor * 1000 + revision < 2000011)
		return "this version is older than 2.0.11";
	return mosquitto_lib_init() ? "it cannot be initialised" : 0;
}

LIBRARY(
	cmosquitto_load, begin, LIBRARY_NAMES("libmosquitto.so.1"),
	MOSQUITTO_FUNCTIONS(LIBRARY_WANTED) LIBRARY_OPTIONAL(long, SSL_get_verify_result, , )
	LIBRARY_OPTIONAL(const char *, SSL_get_version, , ))

const int cmosquitto_name_error = MOSQ_ERR_EAI;
const int cmosquitto_system_error = MOSQ_ERR_ERRNO;
const int cmosquitto_tls_error = MOSQ_ERR_TLS;
const int cmosquitto_refused_error = MOSQ_ERR_CONN_REFUSED;
const int cmosquitto_lost_error = MOSQ_ERR_CONN_LOST;
const int cmosquitto_closed_error = MOSQ_ERR_NO_CONN;
const int cmosquitto_protocol_error = MOSQ_ERR_PROTOCOL;
const int cmosquitto_size_error = MOSQ_ERR_OVERSIZE_PACKET;
const int cmosquitto_keep_alive_error = MOSQ_ERR_KEEPALIVE;
// Beside the library's own errors.
const int cmosquitto_authorities_error = 10001;
const int cmosquitto_certificate_error = 10002;

// The user properties of a message that has come.
#define MOST_PROPERTIES 32

struct cmosquitto {
	struct mosquitto *client;
	int version;
	char *host;
	int port, keep_alive;
	unsigned session_seconds, maximum_packet;
	// Has a number as soon as a step is to end.
	int wake;
	void (*see)(void *context, const struct cmosquitto_event *);
	void *context;
	char logged[256];
	char peer[64];
	char tls[16];
	long verification;
	// The reason of the broker for the end of the connection.
	int reason;
};

const char *cmosquitto_version(void) { return version; }
const char *cmosquitto_words(int code)
{
	if (code == cmosquitto_authorities_error || code == cmosquitto_certificate_error)
		return "it cannot be read";
	return version[0] ? mosquitto_strerror(code) : "";
}

static void on_log(struct mosquitto *client, void *context, int level, const char *text)
{
	struct cmosquitto *self = context;
	if (level != MOSQ_LOG_ERR)
		return;
	// The first error is the cause; those that follow say only that there was one.
	if (!self->logged[0])
		snprintf(self->logged, sizeof self->logged, "%s", text);
	void *tls = mosquitto_ssl_get(client);
	long found = tls && loaded_SSL_get_verify_result ? loaded_SSL_get_verify_result(tls) : 0;
	if (found)
		self->verification = found;
}

static char *words_of(const mosquitto_property *properties)
{
	char *text = 0;
	mosquitto_property_read_string(properties, MQTT_PROP_REASON_STRING, &text, false);
	return text;
}

static void on_connect(struct mosquitto *client, void *context, int code, int flags, const mosquitto_property *properties)
{
	(void)flags;
	struct cmosquitto *self = context;
	char *words = words_of(properties);
	uint16_t receive_maximum = 65535, topic_aliases = 0;
	uint32_t maximum_packet = 0;
	uint8_t retains = 1, quality = 2;
	mosquitto_property_read_int16(properties, MQTT_PROP_RECEIVE_MAXIMUM, &receive_maximum, false);
	mosquitto_property_read_int16(properties, MQTT_PROP_TOPIC_ALIAS_MAXIMUM, &topic_aliases, false);
	mosquitto_property_read_int32(properties, MQTT_PROP_MAXIMUM_PACKET_SIZE, &maximum_packet, false);
	mosquitto_property_read_byte(properties, MQTT_PROP_RETAIN_AVAILABLE, &retains, false);
	mosquitto_property_read_byte(properties, MQTT_PROP_MAXIMUM_QOS, &quality, false);
	void *tls = mosquitto_ssl_get(client);
	if (tls && loaded_SSL_get_version)
		snprintf(self->tls, sizeof self->tls, "%s", loaded_SSL_get_version(tls));
	struct cmosquitto_event event = {
		.kind = cmosquitto_connected,
		.code = code,
		.words = words ? words : "",
		.receive_maximum = receive_maximum,
		.topic_aliases = topic_aliases,
		.maximum_packet = maximum_packet,
		.maximum_quality = quality,
		.retains = retains,
	};
	self->see(self->context, &event);
	free(words);
}

static void on_publish(struct mosquitto *client, void *context, int number, int code, const mosquitto_property *properties)
{
	(void)client;
	struct cmosquitto *self = context;
	char *words = words_of(properties);
	struct cmosquitto_event event = {
		.kind = cmosquitto_published, .code = code, .number = number, .words = words ? words : ""};
	self->see(self->context, &event);
	free(words);
}

static void on_subscribe(
	struct mosquitto *client, void *context, int number, int count, const int *granted, const mosquitto_property *properties)
{
	(void)client, (void)properties;
	struct cmosquitto *self = context;
	struct cmosquitto_event event = {
		.kind = cmosquitto_subscribed, .code = count ? granted[0] : 0x80, .number = number, .words = ""};
	self->see(self->context, &event);
}

static void on_disconnect(struct mosquitto *client, void *context, int code, const mosquitto_property *properties)
{
	(void)client;
	struct cmosquitto *self = context;
	// Below are the numbers of errors, which a step returns.
	if (code < 0x80)
		return;
	char *words = words_of(properties);
	struct cmosquitto_event event = {.kind = cmosquitto_disconnected, .code = code, .words = words ? words : ""};
	self->see(self->context, &event);
	free(words);
}

static void on_message(
	struct mosquitto *client, void *context, const struct mosquitto_message *message, const mosquitto_property *properties)
{
	(void)client;
	struct cmosquitto *self = context;
	struct cmosquitto_property found[MOST_PROPERTIES];
	char *texts[2 * MOST_PROPERTIES];
	size_t count = 0;
	const mosquitto_property *place = properties;
	bool is_later = false;
	while (count < MOST_PROPERTIES) {
		char *name = 0, *value = 0;
		place = mosquitto_property_read_string_pair(place, MQTT_PROP_USER_PROPERTY, &name, &value, is_later);
		if (!place)
			break;
		is_later = true;
		texts[2 * count] = name, texts[2 * count + 1] = value;
		found[count++] = (struct cmosquitto_property){name ? name : "", value ? value : ""};
	}
	char *type = 0;
	mosquitto_property_read_string(properties, MQTT_PROP_CONTENT_TYPE, &type, false);
	struct cmosquitto_message received = {
		.topic = message->topic,
		.bytes = message->payload,
		.length = message->payloadlen > 0 ? (size_t)message->payloadlen : 0,
		.is_retained = message->retain,
		.content_type = type,
		.properties = found,
		.property_count = count,
	};
	struct cmosquitto_event event = {.kind = cmosquitto_received, .words = "", .message = &received};
	self->see(self->context, &event);
	for (size_t number = 0; number < 2 * count; number++)
		free(texts[number]);
	free(type);
}

static int set(struct cmosquitto *self, const struct cmosquitto_settings *settings)
{
	struct mosquitto *client = self->client;
	int code = mosquitto_int_option(
		client, MOSQ_OPT_PROTOCOL_VERSION, settings->version == 5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311);
	// Otherwise the small packets of the end of a window wait for the acknowledgement of TCP.
	if (!code)
		code = mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
	if (!code && settings->user)
		code = mosquitto_username_pw_set(client, settings->user, settings->password);
	if (!code && settings->is_encrypted) {
		if (settings->authorities && access(settings->authorities, R_OK))
			return cmosquitto_authorities_error;
		if ((settings->certificate && access(settings->certificate, R_OK)) || (settings->key && access(settings->key, R_OK)))
			return cmosquitto_certificate_error;
		if (!settings->authorities)
			code = mosquitto_int_option(client, MOSQ_OPT_TLS_USE_OS_CERTS, 1);
		if (!code && (settings->authorities || settings->certificate)) {
			// A file with both has the key, too.
			const char *key = settings->key ? settings->key : settings->certificate;
			// The library wants authorities beside a certificate. Debian has its own in this folder.
			const char *folder = settings->authorities ? 0 : "/etc/ssl/certs";
			code = mosquitto_tls_set(client, settings->authorities, folder, settings->certificate, key, 0);
		}
		// This is the oldest version; the peer is always verified.
		if (!code)
			code = mosquitto_tls_opts_set(client, 1, "tlsv1.2", 0);
	}
	if (!code && settings->will_topic)
		code = mosquitto_will_set(
			client, settings->will_topic, (int)strlen(settings->will), settings->will, 1, settings->will_is_retained);
	return code;
}

struct cmosquitto *cmosquitto_open(
	const struct cmosquitto_settings *settings, void (*see)(void *context, const struct cmosquitto_event *), void *context,
	int *code, const char **said)
{
	*said = cmosquitto_load();
	*code = 0;
	if (*said)
		return 0;
	struct cmosquitto *self = calloc(1, sizeof *self);
	if (!self)
		return 0;
	*self = (struct cmosquitto){
		.version = settings->version, .host = strdup(settings->host), .port = settings->port,
		.keep_alive = settings->keep_alive, .session_seconds = settings->session_seconds,
		.maximum_packet = settings->maximum_packet, .see = see,
		.context = context,
		.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
	self->client = self->host && self->wake >= 0 ? mosquitto_new(settings->client, !settings->session_seconds, self) : 0;
	if (!self->client) {
		cmosquitto_close(self);
		*said = "there is not enough memory, or no descriptor";
		return 0;
	}
	mosquitto_log_callback_set(self->client, on_log);
	*code = set(self, settings);
	if (*code) {
		*said = cmosquitto_words(*code);
		cmosquitto_close(self);
		return 0;
	}
	mosquitto_connect_v5_callback_set(self->client, on_connect);
	mosquitto_publish_v5_callback_set(self->client, on_publish);
	mosquitto_subscribe_v5_callback_set(self->client, on_subscribe);
	mosquitto_disconnect_v5_callback_set(self->client, on_disconnect);
	mosquitto_message_v5_callback_set(self->client, on_message);
	return self;
}

int cmosquitto_connect(struct cmosquitto *self)
{
	self->logged[0] = 0;
	self->verification = 0;
	if (self->session_seconds && self->version == 5) {
		// Only the function that waits for the connection takes properties.
		mosquitto_property *properties = 0;
		int code = mosquitto_property_add_int32(
			&properties, MQTT_PROP_SESSION_EXPIRY_INTERVAL, self->session_seconds);
		if (!code && self->maximum_packet)
			code = mosquitto_property_add_int32(
				&properties, MQTT_PROP_MAXIMUM_PACKET_SIZE, self->maximum_packet);
		if (!code)
			code = mosquitto_connect_bind_v5(
				self->client, self->host, self->port, self->keep_alive, 0, properties);
		mosquitto_property_free_all(&properties);
		return code;
	}
	return mosquitto_connect_async(self->client, self->host, self->port, self->keep_alive);
}

static void note_peer(struct cmosquitto *self, int descriptor)
{
	struct sockaddr_storage address;
	socklen_t length = sizeof address;
	if (!getpeername(descriptor, (struct sockaddr *)&address, &length))
		getnameinfo((struct sockaddr *)&address, length, self->peer, sizeof self->peer, 0, 0, NI_NUMERICHOST);
}

int cmosquitto_step(struct cmosquitto *self, int milliseconds)
{
	int descriptor = mosquitto_socket(self->client);
	if (descriptor < 0)
		return MOSQ_ERR_NO_CONN;
	struct pollfd ends[2] = {
		{.fd = descriptor, .events = POLLIN | (mosquitto_want_write(self->client) ? POLLOUT : 0)},
		{.fd = self->wake, .events = POLLIN},
	};
	// Until the connection is there, the library does not say that it wants to write.
	if (!self->peer[0])
		ends[0].events |= POLLOUT;
	if (poll(ends, 2, milliseconds) < 0 && errno != EINTR)
		return MOSQ_ERR_ERRNO;
	if (ends[1].revents) {
		uint64_t count;
		if (read(self->wake, &count, sizeof count) < 0 && errno != EAGAIN)
			return MOSQ_ERR_ERRNO;
	}
	int code = 0;
	if (ends[0].revents & POLLOUT && !self->peer[0])
		note_peer(self, descriptor);
	// Each packet is at most a window of acknowledgements; a message that has come is kept by the one who sees it.
	if (ends[0].revents & (POLLIN | POLLHUP | POLLERR))
		code = mosquitto_loop_read(self->client, 64);
	if (!code && ends[0].revents & POLLOUT)
		code = mosquitto_loop_write(self->client, 64);
	if (!code)
		code = mosquitto_loop_misc(self->client);
	return code;
}

void cmosquitto_wake(struct cmosquitto *self)
{
	uint64_t one = 1;
	// It fails only if a step is to end anyway.
	ssize_t written = write(self->wake, &one, sizeof one);
	(void)written;
}

int cmosquitto_publish(struct cmosquitto *self, const struct cmosquitto_message *message, int *number)
{
	mosquitto_property *properties = 0;
	int code = 0;
	if (self->version == 5) {
		if (message->content_type) {
			// The payload is text.
			code = mosquitto_property_add_byte(&properties, MQTT_PROP_PAYLOAD_FORMAT_INDICATOR, 1);
			if (!code)
				code = mosquitto_property_add_string(
					&properties, MQTT_PROP_CONTENT_TYPE, message->content_type);
		}
		for (size_t place = 0; place < message->property_count && !code; place++)
			code = mosquitto_property_add_string_pair(
				&properties, MQTT_PROP_USER_PROPERTY, message->properties[place].name,
				message->properties[place].value);
	}
	if (!code && message->length > 268435455)
		code = MOSQ_ERR_OVERSIZE_PACKET;
	if (!code)
		code = mosquitto_publish_v5(
			self->client, number, message->topic, (int)message->length, message->bytes, 1, message->is_retained,
			properties);
	mosquitto_property_free_all(&properties);
	return code;
}

int cmosquitto_subscribe(struct cmosquitto *self, const char *topics, int *number)
{
	return mosquitto_subscribe(self->client, number, topics, 1);
}

int cmosquitto_disconnect(struct cmosquitto *self) { return mosquitto_disconnect(self->client); }
int cmosquitto_is_written(struct cmosquitto *self) { return !mosquitto_want_write(self->client); }
const char *cmosquitto_logged(struct cmosquitto *self) { return self->logged; }
long cmosquitto_verification(struct cmosquitto *self) { return self->verification; }
const char *cmosquitto_tls(struct cmosquitto *self) { return self->tls; }
const char *cmosquitto_peer(struct cmosquitto *self) { return self->peer; }

void cmosquitto_close(struct cmosquitto *self)
{
	if (self->client)
		mosquitto_destroy(self->client);
	if (self->wake >= 0)
		close(self->wake);
	free(self->host);
	free(self);
}
