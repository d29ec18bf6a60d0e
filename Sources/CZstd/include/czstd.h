/* The part of libzstd 1 that is used here. Its interface is stable: https://facebook.github.io/zstd/zstd_manual.html */
#ifndef CZSTD_H
#define CZSTD_H

#include <library.h>

typedef struct ZSTD_CCtx_s ZSTD_CCtx;
typedef struct ZSTD_DCtx_s ZSTD_DCtx;
typedef struct ZSTD_inBuffer_s {
	const void *src;
	size_t size;
	size_t pos;
} ZSTD_inBuffer;
typedef struct ZSTD_outBuffer_s {
	void *dst;
	size_t size;
	size_t pos;
} ZSTD_outBuffer;

typedef enum { ZSTD_c_compressionLevel = 100, ZSTD_c_checksumFlag = 201 } ZSTD_cParameter;
typedef enum { ZSTD_reset_session_only = 1 } ZSTD_ResetDirective;

#define CZSTD_FUNCTIONS(with)                                                                                        \
	with(const char *, ZSTD_versionString, (void), ())                                                           \
	with(unsigned, ZSTD_isError, (size_t result), (result))                                                      \
	with(const char *, ZSTD_getErrorName, (size_t result), (result))                                             \
	with(size_t, ZSTD_compressBound, (size_t count), (count))                                                    \
	with(ZSTD_CCtx *, ZSTD_createCCtx, (void), ())                                                               \
	with(size_t, ZSTD_freeCCtx, (ZSTD_CCtx *context), (context))                                                 \
	with(size_t, ZSTD_CCtx_setParameter,                                                                         \
	     (ZSTD_CCtx *context, ZSTD_cParameter parameter, int value), (context, parameter, value))                \
	with(size_t, ZSTD_compress2,                                                                                 \
	     (ZSTD_CCtx *context, void *to, size_t room, const void *from, size_t count),                            \
	     (context, to, room, from, count))                                                                       \
	with(ZSTD_DCtx *, ZSTD_createDCtx, (void), ())                                                               \
	with(size_t, ZSTD_freeDCtx, (ZSTD_DCtx *context), (context))                                                 \
	with(size_t, ZSTD_DCtx_reset, (ZSTD_DCtx *context, ZSTD_ResetDirective what), (context, what))               \
	with(size_t, ZSTD_decompressStream,                                                                          \
	     (ZSTD_DCtx *context, ZSTD_outBuffer *to, ZSTD_inBuffer *from), (context, to, from))                     \
	with(size_t, ZSTD_decompressDCtx,                                                                            \
	     (ZSTD_DCtx *context, void *to, size_t room, const void *from, size_t count),                            \
	     (context, to, room, from, count))

CZSTD_FUNCTIONS(LIBRARY_CALL)

/* Loads the library. NULL if it is loaded, or why it cannot be loaded. */
const char *czstd_load(void);

#endif
