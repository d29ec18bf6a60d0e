#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>

// What Sluice needs of libcurl: a request, and what became of it. libcurl is loaded by the first ccurl_open.

struct ccurl;

struct ccurl_request {
	const char *url;
	// POST with these bytes; GET if it is null.
	const void *body;
	size_t length;
	// Lines such as "Content-Type: text/plain", and how many.
	const char *const *headers;
	size_t header_count;
	// "user:password" of HTTP's basic authentication; null for none.
	const char *login;
	// Files in the form PEM; null for the certificates of the system, and for no certificate of our own.
	const char *authorities;
	const char *certificate;
	const char *key;
	long connect_milliseconds;
	long milliseconds;
};

struct ccurl_answer {
	// 0, or the code of the error of libcurl, which `error` has as words.
	int code;
	char error[256];
	// What OpenSSL says about the certificate of the server; 0 if it is right, or if another library checks it.
	long verification;
	long status;
	// The seconds of Retry-After; 0 if the answer has none.
	long retry_after;
	// Where a redirect leads; it is not followed.
	char location[512];
	// Of the server or its database, from the headers.
	char server[128];
	char version[128];
	char address[64];
	// The beginning of the answer.
	char body[2048];
	size_t length;
};

// Errors of libcurl that have sentences of their own.
extern const int ccurl_name_error, ccurl_connect_error, ccurl_timeout, ccurl_certificate_error, ccurl_own_certificate_error,
	ccurl_authorities_error, ccurl_tls_error, ccurl_aborted;

// Loads the library. Null if it is loaded, or why it cannot be loaded.
const char *ccurl_load(void);
// `libcurl/7.88.1 OpenSSL/3.0.11 …`, after ccurl_load.
const char *ccurl_version(void);

// A connection, which is kept between requests. Null if the library cannot be loaded; `failure` says why.
struct ccurl *ccurl_open(const char **failure);
// Waits for the answer. One thread at a time.
void ccurl_perform(struct ccurl *, const struct ccurl_request *, struct ccurl_answer *);
// Ends the request that waits, and all later ones. Any thread may call it.
void ccurl_cancel(struct ccurl *);
void ccurl_close(struct ccurl *);

#endif
