#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <pthread.h>

#include "czip.h"

_Static_assert(CZIP_EOF == ARCHIVE_EOF && CZIP_OK == ARCHIVE_OK && CZIP_WARN == ARCHIVE_WARN, "codes of libarchive");

const char *const czip_version = ARCHIVE_VERSION_STRING;

#define FUNCTIONS(with)                                                                                              \
	with(archive_read_new) with(archive_read_free) with(archive_read_support_format_zip)                         \
	with(archive_read_open_filename) with(archive_read_open_memory) with(archive_read_next_header)               \
	with(archive_read_support_format_raw) with(archive_read_support_filter_lz4)                                  \
	with(archive_entry_pathname) with(archive_read_data_block) with(archive_format_name) with(archive_error_string)

#define POINTER(name) static __typeof__(&name) p_##name;
FUNCTIONS(POINTER)

static const char *failure;

static const char *find(void)
{
	void *library = dlopen("libarchive.so.13", RTLD_LAZY | RTLD_LOCAL);
	if (!library)
		return dlerror();
#define FIND(name)                                                                                                   \
	if (!(p_##name = (__typeof__(&name))dlsym(library, #name)))                                                  \
		return dlerror();
	FUNCTIONS(FIND)
	return 0;
}

static void load(void) { failure = find(); }

const char *czip_load(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, load);
	return failure;
}

struct archive *czip_new(void)
{
	struct archive *archive = p_archive_read_new();
	// A truncated archive has no directory. Then libarchive reads its entries one after the other.
	if (archive)
		p_archive_read_support_format_zip(archive);
	return archive;
}

struct archive *czip_new_lz4(void)
{
	struct archive *archive = p_archive_read_new();
	if (!archive)
		return 0;
	if (p_archive_read_support_filter_lz4(archive) == ARCHIVE_OK &&
	    p_archive_read_support_format_raw(archive) == ARCHIVE_OK)
		return archive;
	p_archive_read_free(archive);
	return 0;
}

int czip_free(struct archive *archive) { return p_archive_read_free(archive); }

int czip_open_file(struct archive *archive, const char *path, size_t block)
{
	return p_archive_read_open_filename(archive, path, block);
}

int czip_open_memory(struct archive *archive, const void *bytes, size_t count)
{
	return p_archive_read_open_memory(archive, bytes, count);
}

int czip_next(struct archive *archive, struct archive_entry **entry) { return p_archive_read_next_header(archive, entry); }

const char *czip_name(struct archive_entry *entry) { return p_archive_entry_pathname(entry); }

int czip_block(struct archive *archive, const void **bytes, size_t *count, int64_t *offset)
{
	la_int64_t position = 0;
	int code = p_archive_read_data_block(archive, bytes, count, &position);
	*offset = position;
	return code;
}

const char *czip_format(struct archive *archive) { return p_archive_format_name(archive); }

const char *czip_error(struct archive *archive) { return p_archive_error_string(archive); }
