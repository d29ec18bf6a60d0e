/* libgpiod 2.x: one request, one descriptor, events with sequence numbers. */
#include "versions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The part of its interface that is used here: https://libgpiod.readthedocs.io/en/latest/core_api.html */
enum gpiod_line_value { GPIOD_LINE_VALUE_ERROR = -1, GPIOD_LINE_VALUE_INACTIVE = 0, GPIOD_LINE_VALUE_ACTIVE = 1 };
enum gpiod_line_direction { GPIOD_LINE_DIRECTION_INPUT = 2, GPIOD_LINE_DIRECTION_OUTPUT = 3 };
enum gpiod_line_edge {
	GPIOD_LINE_EDGE_NONE = 1,
	GPIOD_LINE_EDGE_RISING = 2,
	GPIOD_LINE_EDGE_FALLING = 3,
	GPIOD_LINE_EDGE_BOTH = 4,
};
enum gpiod_line_bias {
	GPIOD_LINE_BIAS_AS_IS = 1,
	GPIOD_LINE_BIAS_DISABLED = 3,
	GPIOD_LINE_BIAS_PULL_UP = 4,
	GPIOD_LINE_BIAS_PULL_DOWN = 5,
};
enum gpiod_line_drive { GPIOD_LINE_DRIVE_PUSH_PULL = 1, GPIOD_LINE_DRIVE_OPEN_DRAIN = 2, GPIOD_LINE_DRIVE_OPEN_SOURCE = 3 };
enum gpiod_line_clock { GPIOD_LINE_CLOCK_MONOTONIC = 1, GPIOD_LINE_CLOCK_REALTIME = 2, GPIOD_LINE_CLOCK_HTE = 3 };
struct gpiod_chip;
struct gpiod_chip_info;
struct gpiod_line_info;
struct gpiod_line_settings;
struct gpiod_line_config;
struct gpiod_line_request;
struct gpiod_request_config;

#define GPIOD2_FUNCTIONS(with)                                                                                       \
	with(const char *, gpiod_api_version, (void), ())                                                            \
	with(struct gpiod_chip *, gpiod_chip_open, (const char *path), (path))                                       \
	with(void, gpiod_chip_close, (struct gpiod_chip *chip), (chip))                                              \
	with(struct gpiod_chip_info *, gpiod_chip_get_info, (struct gpiod_chip *chip), (chip))                       \
	with(void, gpiod_chip_info_free, (struct gpiod_chip_info *info), (info))                                     \
	with(const char *, gpiod_chip_info_get_name, (struct gpiod_chip_info *info), (info))                         \
	with(const char *, gpiod_chip_info_get_label, (struct gpiod_chip_info *info), (info))                        \
	with(size_t, gpiod_chip_info_get_num_lines, (struct gpiod_chip_info *info), (info))                          \
	with(struct gpiod_line_info *, gpiod_chip_get_line_info,                                                     \
	     (struct gpiod_chip *chip, unsigned offset), (chip, offset))                                             \
	with(void, gpiod_line_info_free, (struct gpiod_line_info *info), (info))                                     \
	with(const char *, gpiod_line_info_get_name, (struct gpiod_line_info *info), (info))                         \
	with(const char *, gpiod_line_info_get_consumer, (struct gpiod_line_info *info), (info))                     \
	with(bool, gpiod_line_info_is_used, (struct gpiod_line_info *info), (info))                                  \
	with(bool, gpiod_line_info_is_active_low, (struct gpiod_line_info *info), (info))                            \
	with(enum gpiod_line_direction, gpiod_line_info_get_direction, (struct gpiod_line_info *info), (info))       \
	with(enum gpiod_line_bias, gpiod_line_info_get_bias, (struct gpiod_line_info *info), (info))                 \
	with(struct gpiod_line_settings *, gpiod_line_settings_new, (void), ())                                      \
	with(void, gpiod_line_settings_free, (struct gpiod_line_settings *settings), (settings))                     \
	with(int, gpiod_line_settings_set_direction,                                                                 \
	     (struct gpiod_line_settings *settings, enum gpiod_line_direction direction), (settings, direction))     \
	with(int, gpiod_line_settings_set_edge_detection,                                                            \
	     (struct gpiod_line_settings *settings, enum gpiod_line_edge edge), (settings, edge))                    \
	with(int, gpiod_line_settings_set_bias,                                                                      \
	     (struct gpiod_line_settings *settings, enum gpiod_line_bias bias), (settings, bias))                    \
	with(int, gpiod_line_settings_set_drive,                                                                     \
	     (struct gpiod_line_settings *settings, enum gpiod_line_drive drive), (settings, drive))                 \
	with(int, gpiod_line_settings_set_event_clock,                                                               \
	     (struct gpiod_line_settings *settings, enum gpiod_line_clock clock), (settings, clock))                 \
	with(void, gpiod_line_settings_set_active_low,                                                               \
	     (struct gpiod_line_settings *settings, bool is_active_low), (settings, is_active_low))                  \
	with(void, gpiod_line_settings_set_debounce_period_us,                                                       \
	     (struct gpiod_line_settings *settings, unsigned long period), (settings, period))                       \
	with(struct gpiod_line_config *, gpiod_line_config_new, (void), ())                                          \
	with(void, gpiod_line_config_free, (struct gpiod_line_config *config), (config))                             \
	with(int, gpiod_line_config_add_line_settings,                                                               \
	     (struct gpiod_line_config *config, const unsigned *offsets, size_t count, struct gpiod_line_settings    \
	      *settings), (config, offsets, count, settings))                                                        \
	with(int, gpiod_line_config_set_output_values,                                                               \
	     (struct gpiod_line_config *config, const enum gpiod_line_value *values, size_t count),                  \
	     (config, values, count))                                                                                \
	with(struct gpiod_request_config *, gpiod_request_config_new, (void), ())                                    \
	with(void, gpiod_request_config_free, (struct gpiod_request_config *config), (config))                       \
	with(void, gpiod_request_config_set_consumer,                                                                \
	     (struct gpiod_request_config *config, const char *consumer), (config, consumer))                        \
	with(void, gpiod_request_config_set_event_buffer_size,                                                       \
	     (struct gpiod_request_config *config, size_t size), (config, size))                                     \
	with(struct gpiod_line_request *, gpiod_chip_request_lines,                                                  \
	     (struct gpiod_chip *chip, struct gpiod_request_config *config, struct gpiod_line_config *lines),        \
	     (chip, config, lines))                                                                                  \
	with(void, gpiod_line_request_release, (struct gpiod_line_request *request), (request))                      \
	with(size_t, gpiod_line_request_get_num_requested_lines, (struct gpiod_line_request *request), (request))    \
	with(int, gpiod_line_request_get_values,                                                                     \
	     (struct gpiod_line_request *request, enum gpiod_line_value *values), (request, values))                 \
	with(int, gpiod_line_request_set_values,                                                                     \
	     (struct gpiod_line_request *request, const enum gpiod_line_value *values), (request, values))           \
	with(int, gpiod_line_request_get_fd, (struct gpiod_line_request *request), (request))

GPIOD2_FUNCTIONS(CGPIO_CALL)

struct cgpio_request {
	struct gpiod_line_request *lines;
};

static void copy_name(char *target, const char *source)
{
	memset(target, 0, CGPIO_NAME_SIZE);
	if (source)
		strncpy(target, source, CGPIO_NAME_SIZE - 1);
}

static const char *version(void)
{
	return gpiod_api_version();
}

static unsigned int features(void)
{
	return CGPIO_FEATURE_DEBOUNCE | CGPIO_FEATURE_CLOCK | CGPIO_FEATURE_FIFO_SIZE | CGPIO_FEATURE_SEQNO;
}

static struct cgpio_chip *chip_open(const char *path)
{
	return (struct cgpio_chip *)gpiod_chip_open(path);
}

static void chip_close(struct cgpio_chip *chip)
{
	gpiod_chip_close((struct gpiod_chip *)chip);
}

static int chip_get_info(struct cgpio_chip *chip, struct cgpio_chip_info *info)
{
	struct gpiod_chip_info *found = gpiod_chip_get_info((struct gpiod_chip *)chip);

	if (!found)
		return -1;
	copy_name(info->name, gpiod_chip_info_get_name(found));
	copy_name(info->label, gpiod_chip_info_get_label(found));
	info->lines = gpiod_chip_info_get_num_lines(found);
	gpiod_chip_info_free(found);
	return 0;
}

static enum cgpio_bias line_bias(struct gpiod_line_info *info)
{
	switch (gpiod_line_info_get_bias(info)) {
	case GPIOD_LINE_BIAS_DISABLED:
		return CGPIO_BIAS_DISABLED;
	case GPIOD_LINE_BIAS_PULL_UP:
		return CGPIO_BIAS_PULL_UP;
	case GPIOD_LINE_BIAS_PULL_DOWN:
		return CGPIO_BIAS_PULL_DOWN;
	default:
		return CGPIO_BIAS_AS_IS;
	}
}

static int chip_get_line_info(struct cgpio_chip *chip, uint32_t offset, struct cgpio_line_info *info)
{
	struct gpiod_line_info *found = gpiod_chip_get_line_info((struct gpiod_chip *)chip, offset);

	if (!found)
		return -1;
	copy_name(info->name, gpiod_line_info_get_name(found));
	copy_name(info->consumer, gpiod_line_info_get_consumer(found));
	info->used = gpiod_line_info_is_used(found);
	info->output = gpiod_line_info_get_direction(found) == GPIOD_LINE_DIRECTION_OUTPUT;
	info->active_low = gpiod_line_info_is_active_low(found);
	info->bias = line_bias(found);
	gpiod_line_info_free(found);
	return 0;
}

static int apply(struct gpiod_line_settings *settings, const struct cgpio_config *config)
{
	static const enum gpiod_line_edge edges[] = {
		[CGPIO_EDGES_NONE] = GPIOD_LINE_EDGE_NONE,
		[CGPIO_EDGES_BOTH] = GPIOD_LINE_EDGE_BOTH,
		[CGPIO_EDGES_RISING] = GPIOD_LINE_EDGE_RISING,
		[CGPIO_EDGES_FALLING] = GPIOD_LINE_EDGE_FALLING,
	};
	static const enum gpiod_line_bias biases[] = {
		[CGPIO_BIAS_AS_IS] = GPIOD_LINE_BIAS_AS_IS,
		[CGPIO_BIAS_DISABLED] = GPIOD_LINE_BIAS_DISABLED,
		[CGPIO_BIAS_PULL_UP] = GPIOD_LINE_BIAS_PULL_UP,
		[CGPIO_BIAS_PULL_DOWN] = GPIOD_LINE_BIAS_PULL_DOWN,
	};
	static const enum gpiod_line_clock clocks[] = {
		[CGPIO_CLOCK_MONOTONIC] = GPIOD_LINE_CLOCK_MONOTONIC,
		[CGPIO_CLOCK_REALTIME] = GPIOD_LINE_CLOCK_REALTIME,
		[CGPIO_CLOCK_HTE] = GPIOD_LINE_CLOCK_HTE,
	};
	static const enum gpiod_line_drive drives[] = {
		[CGPIO_DRIVE_PUSH_PULL] = GPIOD_LINE_DRIVE_PUSH_PULL,
		[CGPIO_DRIVE_OPEN_DRAIN] = GPIOD_LINE_DRIVE_OPEN_DRAIN,
		[CGPIO_DRIVE_OPEN_SOURCE] = GPIOD_LINE_DRIVE_OPEN_SOURCE,
	};

	gpiod_line_settings_set_active_low(settings, config->active_low);
	if (config->output)
		return gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT) ||
		       gpiod_line_settings_set_drive(settings, drives[config->drive]) ||
		       gpiod_line_settings_set_bias(settings, biases[config->bias]);
	gpiod_line_settings_set_debounce_period_us(settings, config->debounce_us);
	if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT) ||
	    gpiod_line_settings_set_edge_detection(settings, edges[config->edges]) ||
	    gpiod_line_settings_set_bias(settings, biases[config->bias]) ||
	    gpiod_line_settings_set_event_clock(settings, clocks[config->clock]))
		return -1;
	return 0;
}

static int set_output(struct gpiod_line_config *lines, const int *values, size_t count)
{
	enum gpiod_line_value output[CGPIO_LINES_MAX];

	if (count > CGPIO_LINES_MAX) {
		errno = EINVAL;
		return -1;
	}
	for (size_t i = 0; i < count; i++)
		output[i] = values[i] ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
	return gpiod_line_config_set_output_values(lines, output, count);
}

static void request_release(struct cgpio_request *request)
{
	if (!request)
		return;
	if (request->lines)
		gpiod_line_request_release(request->lines);
	free(request);
}

static struct cgpio_request *chip_request(struct cgpio_chip *chip, const uint32_t *offsets, size_t count,
					 const struct cgpio_config *config)
{
	struct gpiod_line_settings *settings = gpiod_line_settings_new();
	struct gpiod_line_config *lines = gpiod_line_config_new();
	struct gpiod_request_config *request_config = gpiod_request_config_new();
	struct cgpio_request *request = calloc(1, sizeof(*request));
	int error;

	if (!settings || !lines || !request_config || !request)
		goto fail;
	if (apply(settings, config) || gpiod_line_config_add_line_settings(lines, offsets, count, settings))
		goto fail;
	if (config->output && set_output(lines, config->output, count))
		goto fail;
	gpiod_request_config_set_consumer(request_config, config->consumer);
	gpiod_request_config_set_event_buffer_size(request_config, config->fifo_size);
	request->lines = gpiod_chip_request_lines((struct gpiod_chip *)chip, request_config, lines);
	if (!request->lines)
		goto fail;
	goto done;
fail:
	error = errno;
	request_release(request);
	request = NULL;
	errno = error;
done:
	error = errno;
	gpiod_request_config_free(request_config);
	gpiod_line_config_free(lines);
	gpiod_line_settings_free(settings);
	errno = error;
	return request;
}

static int request_get_values(struct cgpio_request *request, int *values)
{
	enum gpiod_line_value found[CGPIO_LINES_MAX];

	if (gpiod_line_request_get_values(request->lines, found))
		return -1;
	for (size_t i = 0; i < gpiod_line_request_get_num_requested_lines(request->lines); i++)
		values[i] = found[i] == GPIOD_LINE_VALUE_ACTIVE;
	return 0;
}

static int request_set_values(struct cgpio_request *request, const int *values)
{
	enum gpiod_line_value wanted[CGPIO_LINES_MAX];

	for (size_t i = 0; i < gpiod_line_request_get_num_requested_lines(request->lines); i++)
		wanted[i] = values[i] ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
	return gpiod_line_request_set_values(request->lines, wanted);
}

static size_t request_get_fd_count(struct cgpio_request *request)
{
	(void)request;
	return 1;
}

static int request_get_fd(struct cgpio_request *request, size_t index)
{
	(void)index;
	return gpiod_line_request_get_fd(request->lines);
}

static int request_read_edges(struct cgpio_request *request, size_t index, struct cgpio_edge *edges, size_t max)
{
	(void)index;
	return cgpio_read_edges(gpiod_line_request_get_fd(request->lines), edges, max);
}


LIBRARY(cgpio_v2_load, library_is_begun, LIBRARY_NAMES("libgpiod.so.3"), GPIOD2_FUNCTIONS(LIBRARY_WANTED))

const struct cgpio_version cgpio_v2 = {.load = cgpio_v2_load, CGPIO_FUNCTIONS(CGPIO_ENTRY)};
