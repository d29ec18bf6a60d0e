/* The part of libarchive 3 that writes ZIP archives, for tests; CZip has the part that reads. */
#ifndef CARCHIVE_H
#define CARCHIVE_H

#include <library.h>
#include <stdint.h>
#include <sys/types.h>

struct archive;
struct archive_entry;

#define ARCHIVE_OK 0

#define CARCHIVE_FUNCTIONS(with)                                                                                     \
	with(struct archive *, archive_write_new, (void), ())                                                        \
	with(int, archive_write_free, (struct archive *archive), (archive))                                          \
	with(int, archive_write_close, (struct archive *archive), (archive))                                         \
	with(int, archive_write_set_format_zip, (struct archive *archive), (archive))                                \
	with(int, archive_write_set_options, (struct archive *archive, const char *options), (archive, options))     \
	with(int, archive_write_open_memory,                                                                         \
	     (struct archive *archive, void *bytes, size_t count, size_t *used), (archive, bytes, count, used))      \
	with(int, archive_write_header, (struct archive *archive, struct archive_entry *entry), (archive, entry))    \
	with(ssize_t, archive_write_data,                                                                            \
	     (struct archive *archive, const void *bytes, size_t count), (archive, bytes, count))                    \
	with(struct archive_entry *, archive_entry_new, (void), ())                                                  \
	with(void, archive_entry_free, (struct archive_entry *entry), (entry))                                       \
	with(void, archive_entry_set_pathname, (struct archive_entry *entry, const char *path), (entry, path))       \
	with(void, archive_entry_set_filetype, (struct archive_entry *entry, unsigned type), (entry, type))          \
	with(void, archive_entry_set_size, (struct archive_entry *entry, int64_t size), (entry, size))

CARCHIVE_FUNCTIONS(LIBRARY_CALL)

/* Loads the library. NULL if it is loaded, or why it cannot be loaded. */
const char *carchive_load(void);

#endif
