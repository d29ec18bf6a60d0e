#define _GNU_SOURCE
#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ccurl.h"

#if LIBCURL_VERSION_NUM < 0x075500
#error "this version of libcurl is older than 7.85: build with SLUICE_CURL=0"
#endif

const char *const ccurl_version = LIBCURL_VERSION;

const int ccurl_name_error = CURLE_COULDNT_RESOLVE_HOST;
const int ccurl_connect_error = CURLE_COULDNT_CONNECT;
const int ccurl_timeout = CURLE_OPERATION_TIMEDOUT;
const int ccurl_certificate_error = CURLE_PEER_FAILED_VERIFICATION;
const int ccurl_own_certificate_error = CURLE_SSL_CERTPROBLEM;
const int ccurl_authorities_error = CURLE_SSL_CACERT_BADFILE;
const int ccurl_tls_error = CURLE_SSL_CONNECT_ERROR;
const int ccurl_aborted = CURLE_ABORTED_BY_CALLBACK;

// Functions with a variable number of arguments are called through pointers of their own types, which is what curl.h's
// macros would check.
#define FUNCTIONS(with)                                                                                              \
	with(curl_global_init) with(curl_easy_init) with(curl_easy_setopt) with(curl_easy_perform)                   \
	with(curl_easy_getinfo) with(curl_easy_reset) with(curl_easy_cleanup) with(curl_easy_strerror)               \
	with(curl_slist_append) with(curl_slist_free_all) with(curl_version)

#undef curl_easy_setopt
#undef curl_easy_getinfo

#define POINTER(name) static __typeof__(&name) p_##name;
FUNCTIONS(POINTER)

static const char *failure;

// The flavours of Debian: with OpenSSL, which says more about certificates, and with GnuTLS.
static const char *const libraries[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};

static const char *find(void)
{
	void *library = 0;
	for (size_t number = 0; number < sizeof libraries / sizeof *libraries && !library; number++)
		library = dlopen(libraries[number], RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return dlerror();
#define FIND(name)                                                                                                   \
	if (!(p_##name = (__typeof__(&name))dlsym(library, #name)))                                                  \
		return dlerror();
	FUNCTIONS(FIND)
	// OpenSSL would free its memory at the exit of the process, while a thread still waits for a server.
	int (*init)(uint64_t, const void *) = (int (*)(uint64_t, const void *))dlsym(library, "OPENSSL_init_crypto");
	const uint64_t without_exit = 0x00080000;
	if (init)
		init(without_exit, 0);
	return p_curl_global_init(CURL_GLOBAL_DEFAULT) ? "it cannot be initialised" : 0;
}

static void load(void)
{
	const char *found = find();
	// The text of dlerror does not stay.
	failure = found ? strdup(found) : 0;
}

struct ccurl {
	CURL *handle;
	atomic_bool is_cancelled;
};

const char *ccurl_loaded_version(void) { return p_curl_version ? p_curl_version() : ""; }

struct ccurl *ccurl_open(const char **said)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, load);
	*said = failure;
	if (failure)
		return 0;
	struct ccurl *self = calloc(1, sizeof *self);
	if (self && !(self->handle = p_curl_easy_init())) {
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
	p_curl_easy_reset(handle);
	struct curl_slist *lines = 0;
	for (size_t number = 0; number < request->header_count; number++) {
		struct curl_slist *longer = p_curl_slist_append(lines, request->headers[number]);
		if (longer)
			lines = longer;
	}
#define SET(option, value)                                                                                           \
	do {                                                                                                         \
		CURLcode code = p_curl_easy_setopt(handle, option, value);                                           \
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
		answer->code = p_curl_easy_perform(handle);
	if (answer->code && !answer->error[0])
		strncpy(answer->error, p_curl_easy_strerror(answer->code), sizeof answer->error - 1);
	curl_off_t seconds = 0;
	char *address = 0;
	p_curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &answer->status);
	p_curl_easy_getinfo(handle, CURLINFO_SSL_VERIFYRESULT, &answer->verification);
	if (!p_curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds))
		answer->retry_after = seconds > 86400 ? 86400 : (long)seconds;
	if (!p_curl_easy_getinfo(handle, CURLINFO_PRIMARY_IP, &address) && address)
		strncpy(answer->address, address, sizeof answer->address - 1);
	p_curl_slist_free_all(lines);
	// The buffers of this call do not stay.
	p_curl_easy_reset(handle);
}

void ccurl_cancel(struct ccurl *self) { atomic_store(&self->is_cancelled, 1); }

void ccurl_close(struct ccurl *self)
{
	p_curl_easy_cleanup(self->handle);
	free(self);
}
