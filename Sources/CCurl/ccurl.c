#include "ccurl.h"

#include <library.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The part of libcurl 7.85 and newer that is used here. Its interface is stable: https://curl.se/libcurl/abi.html */
typedef void CURL;
typedef int CURLcode;
typedef int64_t curl_off_t;
struct curl_slist;

enum {
	CURLE_COULDNT_RESOLVE_HOST = 6,
	CURLE_COULDNT_CONNECT = 7,
	CURLE_OPERATION_TIMEDOUT = 28,
	CURLE_SSL_CONNECT_ERROR = 35,
	CURLE_ABORTED_BY_CALLBACK = 42,
	CURLE_SSL_CERTPROBLEM = 58,
	CURLE_PEER_FAILED_VERIFICATION = 60,
	CURLE_SSL_CACERT_BADFILE = 77,
};
enum {
	CURLOPT_SSLVERSION = 32,
	CURLOPT_NOPROGRESS = 43,
	CURLOPT_POST = 47,
	CURLOPT_FOLLOWLOCATION = 52,
	CURLOPT_SSL_VERIFYPEER = 64,
	CURLOPT_SSL_VERIFYHOST = 81,
	CURLOPT_NOSIGNAL = 99,
	CURLOPT_HTTPAUTH = 107,
	CURLOPT_TIMEOUT_MS = 155,
	CURLOPT_CONNECTTIMEOUT_MS = 156,
	CURLOPT_TCP_KEEPALIVE = 213,
	CURLOPT_WRITEDATA = 10001,
	CURLOPT_URL = 10002,
	CURLOPT_USERPWD = 10005,
	CURLOPT_ERRORBUFFER = 10010,
	CURLOPT_POSTFIELDS = 10015,
	CURLOPT_HTTPHEADER = 10023,
	CURLOPT_SSLCERT = 10025,
	CURLOPT_HEADERDATA = 10029,
	CURLOPT_XFERINFODATA = 10057,
	CURLOPT_CAINFO = 10065,
	CURLOPT_SSLKEY = 10087,
	CURLOPT_PROTOCOLS_STR = 10318,
	CURLOPT_WRITEFUNCTION = 20011,
	CURLOPT_HEADERFUNCTION = 20079,
	CURLOPT_XFERINFOFUNCTION = 20219,
	CURLOPT_POSTFIELDSIZE_LARGE = 30120,
};
enum {
	CURLINFO_PRIMARY_IP = 1048608,
	CURLINFO_RESPONSE_CODE = 2097154,
	CURLINFO_SSL_VERIFYRESULT = 2097165,
	CURLINFO_RETRY_AFTER = 6291513,
};
enum { CURLAUTH_BASIC = 1, CURL_GLOBAL_DEFAULT = 3, CURL_SSLVERSION_TLSv1_2 = 6 };

#define CURL_FUNCTIONS(with)                                                                                         \
	with(CURLcode, curl_global_init, (long flags), (flags))                                                      \
	with(char *, curl_version, (void), ())                                                                       \
	with(CURL *, curl_easy_init, (void), ())                                                                     \
	with(CURLcode, curl_easy_perform, (CURL *handle), (handle))                                                  \
	with(void, curl_easy_reset, (CURL *handle), (handle))                                                        \
	with(void, curl_easy_cleanup, (CURL *handle), (handle))                                                      \
	with(const char *, curl_easy_strerror, (CURLcode code), (code))                                              \
	with(struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *line), (list, line))      \
	with(void, curl_slist_free_all, (struct curl_slist *list), (list))

CURL_FUNCTIONS(LIBRARY_CALL)
CURL_FUNCTIONS(LIBRARY_POINTER)

/* These have a variable number of arguments. */
static CURLcode (*loaded_curl_easy_setopt)(CURL *, int option, ...);
static CURLcode (*loaded_curl_easy_getinfo)(CURL *, int info, ...);
/* If libcurl is the one with OpenSSL. */
static int (*loaded_OPENSSL_init_crypto)(uint64_t, const void *);

static const char *begin(void)
{
	/* OpenSSL would free its memory at the exit of the process, while a thread still waits for a server. */
	const uint64_t without_exit = 0x00080000;
	if (loaded_OPENSSL_init_crypto)
		loaded_OPENSSL_init_crypto(without_exit, 0);
	int major = 0, minor = 0;
	if (sscanf(curl_version(), "libcurl/%d.%d", &major, &minor) != 2 || major * 1000 + minor < 7085)
		return "this version is older than 7.85";
	return curl_global_init(CURL_GLOBAL_DEFAULT) ? "it cannot be initialised" : 0;
}

/* The flavours of Debian: with OpenSSL, which says more about certificates, and with GnuTLS. */
LIBRARY(
	ccurl_load, begin, LIBRARY_NAMES("libcurl.so.4", "libcurl-gnutls.so.4"),
	CURL_FUNCTIONS(LIBRARY_WANTED) LIBRARY_WANTED(CURLcode, curl_easy_setopt, , )
	LIBRARY_WANTED(CURLcode, curl_easy_getinfo, , ) LIBRARY_OPTIONAL(int, OPENSSL_init_crypto, , ))

const int ccurl_name_error = CURLE_COULDNT_RESOLVE_HOST;
const int ccurl_connect_error = CURLE_COULDNT_CONNECT;
const int ccurl_timeout = CURLE_OPERATION_TIMEDOUT;
const int ccurl_certificate_error = CURLE_PEER_FAILED_VERIFICATION;
const int ccurl_own_certificate_error = CURLE_SSL_CERTPROBLEM;
const int ccurl_authorities_error = CURLE_SSL_CACERT_BADFILE;
const int ccurl_tls_error = CURLE_SSL_CONNECT_ERROR;
const int ccurl_aborted = CURLE_ABORTED_BY_CALLBACK;

struct ccurl {
	CURL *handle;
	atomic_bool is_cancelled;
};

const char *ccurl_version(void) { return curl_version(); }

struct ccurl *ccurl_open(const char **said)
{
	*said = ccurl_load();
	if (*said)
		return 0;
	struct ccurl *self = calloc(1, sizeof *self);
	if (self && !(self->handle = curl_easy_init())) {
		free(self);
		self = 0;
	}
	if (!self)
		*said = "there is not enough memory";
	return self;
}

static size_t keep_body(char *bytes, size_t size, size_t count, void *context)
{
	struct ccurl_answer *answer = context;
	size_t all = size * count, room = sizeof answer->body - 1 - answer->length;
	size_t kept = all < room ? all : room;
	memcpy(answer->body + answer->length, bytes, kept);
	answer->length += kept;
	return all;
}

static void keep_header(char *to, size_t room, const char *value, size_t length)
{
	while (length && (*value == ' ' || *value == '\t'))
		value++, length--;
	while (length && (value[length - 1] == '\r' || value[length - 1] == '\n'))
		length--;
	if (length >= room)
		length = room - 1;
	memcpy(to, value, length);
	to[length] = 0;
}

static int is_header(const char *bytes, size_t all, const char *name)
{
	size_t length = strlen(name);
	return all > length && bytes[length] == ':' && !strncasecmp(bytes, name, length);
}

static size_t see_header(char *bytes, size_t size, size_t count, void *context)
{
	struct ccurl_answer *answer = context;
	size_t all = size * count;
#define KEEP(name, member)                                                                                           \
	if (is_header(bytes, all, name))                                                                             \
		keep_header(answer->member, sizeof answer->member, bytes + sizeof name, all - sizeof name);
	KEEP("Location", location)
	KEEP("Server", server)
	KEEP("X-Influxdb-Version", version)
	return all;
}

static int is_to_stop(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	(void)a, (void)b, (void)c, (void)d;
	return atomic_load(&((struct ccurl *)context)->is_cancelled);
}

void ccurl_perform(struct ccurl *self, const struct ccurl_request *request, struct ccurl_answer *answer)
{
	CURL *handle = self->handle;
	memset(answer, 0, sizeof *answer);
	// This keeps the connection.
	curl_easy_reset(handle);
	struct curl_slist *lines = 0;
	for (size_t number = 0; number < request->header_count; number++) {
		struct curl_slist *longer = curl_slist_append(lines, request->headers[number]);
		if (longer)
			lines = longer;
	}
#define SET(option, value)                                                                                           \
	do {                                                                                                         \
		CURLcode code = loaded_curl_easy_setopt(handle, option, value);                                           \
		if (code && !answer->code)                                                                           \
			answer->code = code;                                                                         \
	} while (0)
	SET(CURLOPT_ERRORBUFFER, answer->error);
	SET(CURLOPT_URL, request->url);
	SET(CURLOPT_PROTOCOLS_STR, "http,https");
	SET(CURLOPT_FOLLOWLOCATION, 0L);
	SET(CURLOPT_NOSIGNAL, 1L);
	SET(CURLOPT_HTTPHEADER, lines);
	SET(CURLOPT_WRITEFUNCTION, keep_body);
	SET(CURLOPT_WRITEDATA, answer);
	SET(CURLOPT_HEADERFUNCTION, see_header);
	SET(CURLOPT_HEADERDATA, answer);
	SET(CURLOPT_NOPROGRESS, 0L);
	SET(CURLOPT_XFERINFOFUNCTION, is_to_stop);
	SET(CURLOPT_XFERINFODATA, self);
	SET(CURLOPT_CONNECTTIMEOUT_MS, request->connect_milliseconds);
	SET(CURLOPT_TIMEOUT_MS, request->milliseconds);
	SET(CURLOPT_TCP_KEEPALIVE, 1L);
	SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	SET(CURLOPT_SSL_VERIFYPEER, 1L);
	SET(CURLOPT_SSL_VERIFYHOST, 2L);
	if (request->body) {
		SET(CURLOPT_POST, 1L);
		SET(CURLOPT_POSTFIELDS, request->body);
		SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->length);
	}
	if (request->login) {
		SET(CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
		SET(CURLOPT_USERPWD, request->login);
	}
	if (request->authorities)
		SET(CURLOPT_CAINFO, request->authorities);
	if (request->certificate)
		SET(CURLOPT_SSLCERT, request->certificate);
	if (request->key)
		SET(CURLOPT_SSLKEY, request->key);
	if (!answer->code)
		answer->code = curl_easy_perform(handle);
	if (answer->code && !answer->error[0])
		strncpy(answer->error, curl_easy_strerror(answer->code), sizeof answer->error - 1);
	curl_off_t seconds = 0;
	char *address = 0;
	loaded_curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &answer->status);
	loaded_curl_easy_getinfo(handle, CURLINFO_SSL_VERIFYRESULT, &answer->verification);
	if (!loaded_curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds))
		answer->retry_after = seconds > 86400 ? 86400 : (long)seconds;
	if (!loaded_curl_easy_getinfo(handle, CURLINFO_PRIMARY_IP, &address) && address)
		strncpy(answer->address, address, sizeof answer->address - 1);
	curl_slist_free_all(lines);
	// The buffers of this call do not stay.
	curl_easy_reset(handle);
}

void ccurl_cancel(struct ccurl *self) { atomic_store(&self->is_cancelled, 1); }

void ccurl_close(struct ccurl *self)
{
	curl_easy_cleanup(self->handle);
	free(self);
}
