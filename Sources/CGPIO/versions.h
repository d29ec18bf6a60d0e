/* The versions of libgpiod behind the functions of cgpio.h: each has these functions, and loads its library. */
#ifndef CGPIO_VERSIONS_H
#define CGPIO_VERSIONS_H

#include "cgpio.h"

#include <library.h>

#define CGPIO_FUNCTIONS(with)                                                                                        \
	with(const char *, version, (void), ())                                                                      \
	with(unsigned, features, (void), ())                                                                         \
	with(struct cgpio_chip *, chip_open, (const char *path), (path))                                             \
	with(void, chip_close, (struct cgpio_chip *chip), (chip))                                                    \
	with(int, chip_get_info, (struct cgpio_chip *chip, struct cgpio_chip_info *info), (chip, info))              \
	with(int, chip_get_line_info,                                                                                \
	     (struct cgpio_chip *chip, uint32_t offset, struct cgpio_line_info *info), (chip, offset, info))         \
	with(struct cgpio_request *, chip_request,                                                                   \
	     (struct cgpio_chip *chip, const uint32_t *offsets, size_t count, const struct cgpio_config *config),    \
	     (chip, offsets, count, config))                                                                         \
	with(void, request_release, (struct cgpio_request *request), (request))                                      \
	with(int, request_get_values, (struct cgpio_request *request, int *values), (request, values))               \
	with(int, request_set_values, (struct cgpio_request *request, const int *values), (request, values))         \
	with(size_t, request_get_fd_count, (struct cgpio_request *request), (request))                               \
	with(int, request_get_fd, (struct cgpio_request *request, size_t index), (request, index))                   \
	with(int, request_read_edges,                                                                                \
	     (struct cgpio_request *request, size_t index, struct cgpio_edge *edges, size_t max),                    \
	     (request, index, edges, max))

#define CGPIO_MEMBER(type, name, parameters, arguments) type(*name) parameters;
#define CGPIO_ENTRY(type, name, parameters, arguments) .name = name,

struct cgpio_version {
	/* NULL if the library is loaded, or why it cannot be loaded. */
	const char *(*load)(void);
	CGPIO_FUNCTIONS(CGPIO_MEMBER)
};

const char *cgpio_v1_load(void);
const char *cgpio_v2_load(void);
extern const struct cgpio_version cgpio_v1, cgpio_v2;

/* Both versions have functions of the same names, so that each has its pointers for itself. */
#define CGPIO_CALL(type, name, parameters, arguments)                                                               \
	static type(*loaded_##name) parameters;                                                                      \
	static inline type name parameters { return loaded_##name arguments; }

#endif
