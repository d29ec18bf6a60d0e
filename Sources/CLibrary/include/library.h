/* Libraries that are loaded when they are first needed, and not with the program. So a build needs none of their headers,
 * a start does not pay for them, and a library that is missing is an error only for what needs it.
 *
 * A module declares what it uses of a library once, as rows of a macro: with(type, name, (parameters), (arguments)). Only
 * interfaces that are stable are declared this way: Tests/Libraries/headers compares them with the headers of the system. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* A function under its own name. It may be called after the library was loaded. */
#define LIBRARY_CALL(type, name, parameters, arguments)                                                              \
	extern type(*loaded_##name) parameters;                                                                      \
	static inline type name parameters { return loaded_##name arguments; }

/* The pointer behind it, in one source file. */
#define LIBRARY_POINTER(type, name, parameters, arguments) type(*loaded_##name) parameters;

#define LIBRARY_WANTED(type, name, parameters, arguments) {#name, (void **)&loaded_##name, false},
#define LIBRARY_OPTIONAL(type, name, parameters, arguments) {#name, (void **)&loaded_##name, true},

struct library_function {
	const char *name;
	void **pointer;
	bool is_optional;
};

/* Loads the first of these libraries that is there, and finds the functions. NULL, or what dlerror(3) says. */
const char *library_load(const char *const *names, const struct library_function *functions);

/* Defines `const char *load(void)`, which any thread may call, also more than once: NULL if the library is loaded, or why it
 * cannot be loaded. After that, `begun` is called once; it may return an error, too. The rows of the functions come last. */
#define LIBRARY(load, begun, names, ...)                                                                             \
	static const char *load##_failure;                                                                           \
	static void load##_once(void)                                                                                \
	{                                                                                                            \
		static const char *const all[] = names;                                                              \
		static const struct library_function functions[] = {__VA_ARGS__{NULL, NULL, false}};                 \
		load##_failure = library_load(all, functions);                                                       \
		if (!load##_failure)                                                                                 \
			load##_failure = begun();                                                                    \
	}                                                                                                            \
	const char *load(void)                                                                                       \
	{                                                                                                            \
		static pthread_once_t once = PTHREAD_ONCE_INIT;                                                      \
		pthread_once(&once, load##_once);                                                                    \
		return load##_failure;                                                                               \
	}
#define LIBRARY_NAMES(...) {__VA_ARGS__, NULL}

/* For a library that needs no beginning. */
static inline const char *library_is_begun(void) { return NULL; }

#endif
