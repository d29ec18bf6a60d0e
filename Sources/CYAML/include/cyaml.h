/* The part of libyaml 0.2 that is used here. The structures of its only ABI, libyaml-0.so.2, have been the same since 2008. */
#ifndef CYAML_H
#define CYAML_H

#include <library.h>

typedef unsigned char yaml_char_t;
typedef enum yaml_encoding_e { YAML_UTF8_ENCODING = 1 } yaml_encoding_t;
typedef enum yaml_error_type_e { YAML_MEMORY_ERROR = 1, YAML_READER_ERROR = 2 } yaml_error_type_t;
typedef enum yaml_scalar_style_e { YAML_PLAIN_SCALAR_STYLE = 1 } yaml_scalar_style_t;
typedef enum yaml_event_type_e {
	YAML_NO_EVENT,
	YAML_STREAM_START_EVENT,
	YAML_STREAM_END_EVENT,
	YAML_DOCUMENT_START_EVENT,
	YAML_DOCUMENT_END_EVENT,
	YAML_ALIAS_EVENT,
	YAML_SCALAR_EVENT,
	YAML_SEQUENCE_START_EVENT,
	YAML_SEQUENCE_END_EVENT,
	YAML_MAPPING_START_EVENT,
	YAML_MAPPING_END_EVENT,
} yaml_event_type_t;

typedef struct yaml_mark_s {
	size_t index;
	size_t line;
	size_t column;
} yaml_mark_t;

typedef struct yaml_event_s {
	yaml_event_type_t type;
	union {
		struct {
			void *version_directive;
			struct {
				void *start;
				void *end;
			} tag_directives;
			int implicit;
		} document_start;
		struct {
			yaml_char_t *anchor;
		} alias;
		struct {
			yaml_char_t *anchor;
			yaml_char_t *tag;
			yaml_char_t *value;
			size_t length;
			int plain_implicit;
			int quoted_implicit;
			yaml_scalar_style_t style;
		} scalar;
		struct {
			yaml_char_t *anchor;
			yaml_char_t *tag;
			int implicit;
			int style;
		} sequence_start;
		struct {
			yaml_char_t *anchor;
			yaml_char_t *tag;
			int implicit;
			int style;
		} mapping_start;
	} data;
	yaml_mark_t start_mark;
	yaml_mark_t end_mark;
} yaml_event_t;

typedef struct yaml_parser_s {
	yaml_error_type_t error;
	const char *problem;
	size_t problem_offset;
	int problem_value;
	yaml_mark_t problem_mark;
	const char *context;
	yaml_mark_t context_mark;
	/* What belongs to libyaml; in all it has 480 bytes. */
	void *rest[64];
} yaml_parser_t;

#define CYAML_FUNCTIONS(with)                                                                                        \
	with(const char *, yaml_get_version_string, (void), ())                                                      \
	with(int, yaml_parser_initialize, (yaml_parser_t *parser), (parser))                                         \
	with(void, yaml_parser_delete, (yaml_parser_t *parser), (parser))                                            \
	with(void, yaml_parser_set_encoding, (yaml_parser_t *parser, yaml_encoding_t encoding), (parser, encoding))  \
	with(void, yaml_parser_set_input_string,                                                                     \
	     (yaml_parser_t *parser, const unsigned char *bytes, size_t count), (parser, bytes, count))              \
	with(int, yaml_parser_parse, (yaml_parser_t *parser, yaml_event_t *event), (parser, event))                  \
	with(void, yaml_event_delete, (yaml_event_t *event), (event))

CYAML_FUNCTIONS(LIBRARY_CALL)

/* Loads the library. NULL if it is loaded, or why it cannot be loaded. */
const char *cyaml_load(void);

#endif
