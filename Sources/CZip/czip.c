#include "czip.h"

#include <library.h>

/* The part of libarchive 3 that is used here. Its interface is stable: https://www.libarchive.org */
#define ARCHIVE_FUNCTIONS(with)                                                                                      \
	with(const char *, archive_version_string, (void), ())                                                       \
	with(struct archive *, archive_read_new, (void), ())                                                         \
	with(int, archive_read_free, (struct archive *archive), (archive))                                           \
	with(int, archive_read_support_format_zip, (struct archive *archive), (archive))                             \
	with(int, archive_read_support_format_raw, (struct archive *archive), (archive))                             \
	with(int, archive_read_support_filter_lz4, (struct archive *archive), (archive))                             \
	with(int, archive_read_open_filename,                                                                        \
	     (struct archive *archive, const char *path, size_t block), (archive, path, block))                      \
	with(int, archive_read_open_memory,                                                                          \
	     (struct archive *archive, const void *bytes, size_t count), (archive, bytes, count))                    \
	with(int, archive_read_next_header,                                                                          \
	     (struct archive *archive, struct archive_entry **entry), (archive, entry))                              \
	with(int, archive_read_data_block,                                                                           \
	     (struct archive *archive, const void **bytes, size_t *count, int64_t *offset),                          \
	     (archive, bytes, count, offset))                                                                        \
	with(const char *, archive_entry_pathname, (struct archive_entry *entry), (entry))                           \
	with(const char *, archive_format_name, (struct archive *archive), (archive))                                \
	with(const char *, archive_error_string, (struct archive *archive), (archive))

ARCHIVE_FUNCTIONS(LIBRARY_CALL)
ARCHIVE_FUNCTIONS(LIBRARY_POINTER)

LIBRARY(czip_load, library_is_begun, LIBRARY_NAMES("libarchive.so.13"), ARCHIVE_FUNCTIONS(LIBRARY_WANTED))

const char *czip_version(void) { return archive_version_string(); }

struct archive *czip_new(void)
{
	struct archive *archive = archive_read_new();
	// A truncated archive has no directory. Then libarchive reads its entries one after the other.
	if (archive)
		archive_read_support_format_zip(archive);
	return archive;
}

struct archive *czip_new_lz4(void)
{
	struct archive *archive = archive_read_new();
	if (!archive)
		return 0;
	if (archive_read_support_filter_lz4(archive) == CZIP_OK &&
	    archive_read_support_format_raw(archive) == CZIP_OK)
		return archive;
	archive_read_free(archive);
	return 0;
}

int czip_free(struct archive *archive) { return archive_read_free(archive); }

int czip_open_file(struct archive *archive, const char *path, size_t block)
{
	return archive_read_open_filename(archive, path, block);
}

int czip_open_memory(struct archive *archive, const void *bytes, size_t count)
{
	return archive_read_open_memory(archive, bytes, count);
}

int czip_next(struct archive *archive, struct archive_entry **entry) { return archive_read_next_header(archive, entry); }

const char *czip_name(struct archive_entry *entry) { return archive_entry_pathname(entry); }

int czip_block(struct archive *archive, const void **bytes, size_t *count, int64_t *offset)
{
	return archive_read_data_block(archive, bytes, count, offset);
}

const char *czip_format(struct archive *archive) { return archive_format_name(archive); }

const char *czip_error(struct archive *archive) { return archive_error_string(archive); }
