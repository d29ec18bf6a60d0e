#ifndef CMOSQUITTO_H
#define CMOSQUITTO_H

#include <stddef.h>

// What Sluice needs of an MQTT client: a connection, messages, and what became of them. Nothing here is of one library. It is
// libmosquitto, which is loaded by the first cmosquitto_open.
//
// One thread at a time uses a connection. Only cmosquitto_wake may be called by others.

struct cmosquitto;

struct cmosquitto_settings {
	// 5, or 4 for MQTT 3.1.1.
	int version;
	const char *client;
	const char *host;
	int port;
	// Seconds.
	int keep_alive;
	// How long the broker keeps what comes for this client while it is away; 0 for not at all.
	unsigned session_seconds;
	// The largest packet that the broker may send to a client with such a session; 0 for any.
	unsigned maximum_packet;
	// Null for none.
	const char *user;
	const char *password;
	// Whether TLS is spoken. The files are in the form PEM; null for the certificates of the system, and for none of our own.
	int is_encrypted;
	const char *authorities;
	const char *certificate;
	const char *key;
	// What the broker publishes when the connection is lost; a null topic for nothing.
	const char *will_topic;
	const char *will;
	int will_is_retained;
};

struct cmosquitto_property {
	const char *name;
	const char *value;
};

struct cmosquitto_message {
	const char *topic;
	const void *bytes;
	size_t length;
	int is_retained;
	// Of MQTT 5 only: null for none.
	const char *content_type;
	const struct cmosquitto_property *properties;
	size_t property_count;
};

enum cmosquitto_kind {
	// The broker has answered to the connection; `code` is 0, or its reason.
	cmosquitto_connected,
	// A message was acknowledged; `code` is the reason, 0x80 or more if it was refused.
	cmosquitto_published,
	// The answer to a subscription.
	cmosquitto_subscribed,
	// A message has come.
	cmosquitto_received,
	// The broker has ended the connection; `code` is its reason, if it is above 0x80.
	cmosquitto_disconnected,
};

struct cmosquitto_event {
	enum cmosquitto_kind kind;
	int code;
	// Of a message of ours.
	int number;
	// What the broker says about the reason; "" for nothing.
	const char *words;
	// What the broker can do, with `connected`. The largest packet is 0 if it says none.
	unsigned receive_maximum, topic_aliases, maximum_quality;
	unsigned long maximum_packet;
	int retains;
	// With `received`.
	const struct cmosquitto_message *message;
};

// Errors of the library that have sentences of their own.
extern const int cmosquitto_name_error, cmosquitto_system_error, cmosquitto_tls_error, cmosquitto_refused_error,
	cmosquitto_lost_error, cmosquitto_closed_error, cmosquitto_protocol_error, cmosquitto_size_error,
	cmosquitto_keep_alive_error;
// Errors of the files of certificates, which the library does not tell apart.
extern const int cmosquitto_authorities_error, cmosquitto_certificate_error;

// Loads the library. Null if it is loaded, or why it cannot be loaded.
const char *cmosquitto_load(void);
// The version of the library; "" before it is loaded.
const char *cmosquitto_version(void);
// The words for an error of the library.
const char *cmosquitto_words(int code);

// Null if the library cannot be loaded, or if a setting cannot be used: then `code` has the error, and `failure` words.
struct cmosquitto *cmosquitto_open(
	const struct cmosquitto_settings *, void (*see)(void *context, const struct cmosquitto_event *), void *context,
	int *code, const char **failure);
// Begins to connect. All functions that return an int return 0, or an error of the library.
int cmosquitto_connect(struct cmosquitto *);
// Waits for the broker, at most so long, and calls `see` for what has come. The connection is over if it returns an error.
int cmosquitto_step(struct cmosquitto *, int milliseconds);
// Ends a step that waits, or the next one.
void cmosquitto_wake(struct cmosquitto *);
// Sends a message with the quality "at least once"; `number` is its own until it is acknowledged.
int cmosquitto_publish(struct cmosquitto *, const struct cmosquitto_message *, int *number);
int cmosquitto_subscribe(struct cmosquitto *, const char *topics, int *number);
// Says good-bye, so that the broker does not publish the will.
int cmosquitto_disconnect(struct cmosquitto *);
// Whether everything that was sent has left this process.
int cmosquitto_is_written(struct cmosquitto *);
// The last error that the library has logged; "" for none.
const char *cmosquitto_logged(struct cmosquitto *);
// What OpenSSL says about the certificate of the broker; 0 for nothing.
long cmosquitto_verification(struct cmosquitto *);
// The version of TLS, such as "TLSv1.3"; "" without TLS.
const char *cmosquitto_tls(struct cmosquitto *);
// The address of the broker; "" if there is no connection.
const char *cmosquitto_peer(struct cmosquitto *);
void cmosquitto_close(struct cmosquitto *);

#endif
