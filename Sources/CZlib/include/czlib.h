/* The part of zlib 1 that is used here. Its interface is stable: https://zlib.net/manual.html */
#ifndef CZLIB_H
#define CZLIB_H

#include <library.h>

typedef struct z_stream_s {
	const unsigned char *next_in;
	unsigned avail_in;
	unsigned long total_in;
	unsigned char *next_out;
	unsigned avail_out;
	unsigned long total_out;
	const char *msg;
	struct internal_state *state;
	void *(*zalloc)(void *, unsigned, unsigned);
	void (*zfree)(void *, void *);
	void *opaque;
	int data_type;
	unsigned long adler;
	unsigned long reserved;
} z_stream;

/* Only its first number is compared. */
#define ZLIB_VERSION "1.2.11"

#define Z_NO_FLUSH 0
#define Z_SYNC_FLUSH 2
#define Z_FINISH 4
#define Z_OK 0
#define Z_STREAM_END 1
#define Z_BUF_ERROR (-5)
#define Z_DEFAULT_COMPRESSION (-1)
#define Z_DEFAULT_STRATEGY 0
#define Z_DEFLATED 8

#define CZLIB_FUNCTIONS(with)                                                                                        \
	with(const char *, zlibVersion, (void), ())                                                                  \
	with(int, deflateInit2_,                                                                                     \
	     (z_stream *stream, int level, int method, int window, int memory, int strategy, const char *version,    \
	      int size), (stream, level, method, window, memory, strategy, version, size))                           \
	with(int, deflate, (z_stream *stream, int flush), (stream, flush))                                           \
	with(int, deflateReset, (z_stream *stream), (stream))                                                        \
	with(int, deflateEnd, (z_stream *stream), (stream))                                                          \
	with(unsigned long, deflateBound, (z_stream *stream, unsigned long count), (stream, count))                  \
	with(int, inflateInit2_,                                                                                     \
	     (z_stream *stream, int window, const char *version, int size), (stream, window, version, size))         \
	with(int, inflate, (z_stream *stream, int flush), (stream, flush))                                           \
	with(int, inflateReset, (z_stream *stream), (stream))                                                        \
	with(int, inflateEnd, (z_stream *stream), (stream))                                                          \
	with(unsigned long, crc32_z,                                                                                 \
	     (unsigned long value, const unsigned char *bytes, size_t count), (value, bytes, count))

CZLIB_FUNCTIONS(LIBRARY_CALL)

/* Loads the library. NULL if it is loaded, or why it cannot be loaded. */
const char *czlib_load(void);

#endif
