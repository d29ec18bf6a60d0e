// The part of libarchive that reads ZIP archives and LZ4 frames.
//
// The library is loaded with the first archive, because it also loads libxml2, ICU and the C++ library. At each start,
// these would cost 3 ms and 4 MB.
#ifndef CZIP_H
#define CZIP_H

#include <stddef.h>
#include <stdint.h>

struct archive;
struct archive_entry;

#define CZIP_EOF 1
#define CZIP_OK 0
#define CZIP_WARN (-20)

/// Loads the library. Any thread may call it, also more than once.
/// - Returns: NULL if the library is loaded, or the message of dlerror(3). Call the other functions only after NULL.
const char *czip_load(void);

/// `libarchive 3.6.2`
const char *czip_version(void);

struct archive *czip_new(void);
/// Reads an LZ4 frame as an archive with one entry.
/// - Returns: NULL without memory, or if this libarchive was built without liblz4. It would then start the program lz4.
struct archive *czip_new_lz4(void);
int czip_free(struct archive *);
int czip_open_file(struct archive *, const char *path, size_t block);
int czip_open_memory(struct archive *, const void *bytes, size_t count);
int czip_next(struct archive *, struct archive_entry **);
const char *czip_name(struct archive_entry *);
int czip_block(struct archive *, const void **bytes, size_t *count, int64_t *offset);
const char *czip_format(struct archive *);
const char *czip_error(struct archive *);

#endif
