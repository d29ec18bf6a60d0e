/* libgpiod 1.6: a descriptor a line, 16 events each, without sequence numbers. */
#include "versions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The part of its interface that is used here: https://git.kernel.org/pub/scm/libs/libgpiod/libgpiod.git, v1.6.x, gpiod.h */
enum { GPIOD_LINE_DIRECTION_OUTPUT = 2 };
enum { GPIOD_LINE_ACTIVE_STATE_LOW = 2 };
enum { GPIOD_LINE_BIAS_DISABLE = 2, GPIOD_LINE_BIAS_PULL_UP = 3, GPIOD_LINE_BIAS_PULL_DOWN = 4 };
enum { GPIOD_LINE_EVENT_RISING_EDGE = 1 };
enum {
	GPIOD_LINE_REQUEST_DIRECTION_INPUT = 2,
	GPIOD_LINE_REQUEST_DIRECTION_OUTPUT = 3,
	GPIOD_LINE_REQUEST_EVENT_FALLING_EDGE = 4,
	GPIOD_LINE_REQUEST_EVENT_RISING_EDGE = 5,
	GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES = 6,
};
enum {
	GPIOD_LINE_REQUEST_FLAG_OPEN_DRAIN = 1,
	GPIOD_LINE_REQUEST_FLAG_OPEN_SOURCE = 2,
	GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW = 4,
	GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE = 8,
	GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN = 16,
	GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP = 32,
};
struct gpiod_chip;
struct gpiod_line;
struct gpiod_line_bulk {
	struct gpiod_line *lines[CGPIO_LINES_MAX];
	unsigned num_lines;
};
struct gpiod_line_request_config {
	const char *consumer;
	int request_type;
	int flags;
};
struct gpiod_line_event {
	struct timespec ts;
	int event_type;
};

#define GPIOD1_FUNCTIONS(with)                                                                                       \
	with(const char *, gpiod_version_string, (void), ())                                                         \
	with(struct gpiod_chip *, gpiod_chip_open, (const char *path), (path))                                       \
	with(void, gpiod_chip_close, (struct gpiod_chip *chip), (chip))                                              \
	with(const char *, gpiod_chip_name, (struct gpiod_chip *chip), (chip))                                       \
	with(const char *, gpiod_chip_label, (struct gpiod_chip *chip), (chip))                                      \
	with(unsigned, gpiod_chip_num_lines, (struct gpiod_chip *chip), (chip))                                      \
	with(struct gpiod_line *, gpiod_chip_get_line, (struct gpiod_chip *chip, unsigned offset), (chip, offset))   \
	with(unsigned, gpiod_line_offset, (struct gpiod_line *line), (line))                                         \
	with(const char *, gpiod_line_name, (struct gpiod_line *line), (line))                                       \
	with(const char *, gpiod_line_consumer, (struct gpiod_line *line), (line))                                   \
	with(int, gpiod_line_direction, (struct gpiod_line *line), (line))                                           \
	with(int, gpiod_line_active_state, (struct gpiod_line *line), (line))                                        \
	with(int, gpiod_line_bias, (struct gpiod_line *line), (line))                                                \
	with(bool, gpiod_line_is_used, (struct gpiod_line *line), (line))                                            \
	with(int, gpiod_line_update, (struct gpiod_line *line), (line))                                              \
	with(int, gpiod_line_request_bulk,                                                                           \
	     (struct gpiod_line_bulk *lines, const struct gpiod_line_request_config *config, const int *values),     \
	     (lines, config, values))                                                                                \
	with(void, gpiod_line_release_bulk, (struct gpiod_line_bulk *lines), (lines))                                \
	with(int, gpiod_line_get_value_bulk, (struct gpiod_line_bulk *lines, int *values), (lines, values))          \
	with(int, gpiod_line_set_value_bulk, (struct gpiod_line_bulk *lines, const int *values), (lines, values))    \
	with(int, gpiod_line_event_get_fd, (struct gpiod_line *line), (line))                                        \
	with(int, gpiod_line_event_read_multiple,                                                                    \
	     (struct gpiod_line *line, struct gpiod_line_event *events, unsigned count), (line, events, count))

GPIOD1_FUNCTIONS(CGPIO_CALL)

/* libgpiod 1 reads at most this many events at a time, as many as the kernel keeps for a line. */
#define BATCH 16

struct cgpio_request {
	struct gpiod_line_bulk lines;
};

static void copy_name(char *target, const char *source)
{
	memset(target, 0, CGPIO_NAME_SIZE);
	if (source)
		strncpy(target, source, CGPIO_NAME_SIZE - 1);
}

static const char *version(void)
{
	return gpiod_version_string();
}

static unsigned int features(void)
{
	return 0;
}

static struct cgpio_chip *chip_open(const char *path)
{
	return (struct cgpio_chip *)gpiod_chip_open(path);
}

static void chip_close(struct cgpio_chip *chip)
{
	if (chip)
		gpiod_chip_close((struct gpiod_chip *)chip);
}

static int chip_get_info(struct cgpio_chip *chip, struct cgpio_chip_info *info)
{
	struct gpiod_chip *opened = (struct gpiod_chip *)chip;

	copy_name(info->name, gpiod_chip_name(opened));
	copy_name(info->label, gpiod_chip_label(opened));
	info->lines = gpiod_chip_num_lines(opened);
	return 0;
}

static enum cgpio_bias line_bias(struct gpiod_line *line)
{
	switch (gpiod_line_bias(line)) {
	case GPIOD_LINE_BIAS_DISABLE:
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
	struct gpiod_line *line = gpiod_chip_get_line((struct gpiod_chip *)chip, offset);

	if (!line || gpiod_line_update(line))
		return -1;
	copy_name(info->name, gpiod_line_name(line));
	copy_name(info->consumer, gpiod_line_consumer(line));
	info->used = gpiod_line_is_used(line);
	info->output = gpiod_line_direction(line) == GPIOD_LINE_DIRECTION_OUTPUT;
	info->active_low = gpiod_line_active_state(line) == GPIOD_LINE_ACTIVE_STATE_LOW;
	info->bias = line_bias(line);
	return 0;
}

static int request_flags(const struct cgpio_config *config)
{
	static const int biases[] = {
		[CGPIO_BIAS_AS_IS] = 0,
		[CGPIO_BIAS_DISABLED] = GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE,
		[CGPIO_BIAS_PULL_UP] = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP,
		[CGPIO_BIAS_PULL_DOWN] = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN,
	};
	static const int drives[] = {
		[CGPIO_DRIVE_PUSH_PULL] = 0,
		[CGPIO_DRIVE_OPEN_DRAIN] = GPIOD_LINE_REQUEST_FLAG_OPEN_DRAIN,
		[CGPIO_DRIVE_OPEN_SOURCE] = GPIOD_LINE_REQUEST_FLAG_OPEN_SOURCE,
	};

	return biases[config->bias] | (config->output ? drives[config->drive] : 0) |
	       (config->active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0);
}

static struct cgpio_request *chip_request(struct cgpio_chip *chip, const uint32_t *offsets, size_t count,
					 const struct cgpio_config *config)
{
	static const int types[] = {
		[CGPIO_EDGES_NONE] = GPIOD_LINE_REQUEST_DIRECTION_INPUT,
		[CGPIO_EDGES_BOTH] = GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
		[CGPIO_EDGES_RISING] = GPIOD_LINE_REQUEST_EVENT_RISING_EDGE,
		[CGPIO_EDGES_FALLING] = GPIOD_LINE_REQUEST_EVENT_FALLING_EDGE,
	};
	struct gpiod_line_request_config request_config = {
		.consumer = config->consumer,
		.request_type = config->output ? GPIOD_LINE_REQUEST_DIRECTION_OUTPUT : types[config->edges],
		.flags = request_flags(config),
	};
	struct cgpio_request *request;

	if (config->debounce_us || config->fifo_size || config->clock != CGPIO_CLOCK_MONOTONIC) {
		errno = ENOTSUP;
		return NULL;
	}
	if (count == 0 || count > CGPIO_LINES_MAX) {
		errno = EINVAL;
		return NULL;
	}
	request = calloc(1, sizeof(*request));
	if (!request)
		return NULL;
	request->lines.num_lines = 0;
	for (size_t i = 0; i < count; i++) {
		struct gpiod_line *line = gpiod_chip_get_line((struct gpiod_chip *)chip, offsets[i]);

		if (!line)
			goto fail;
		request->lines.lines[request->lines.num_lines++] = line;
	}
	if (gpiod_line_request_bulk(&request->lines, &request_config, config->output) == 0)
		return request;
fail:
	free(request);
	return NULL;
}

static void request_release(struct cgpio_request *request)
{
	if (!request)
		return;
	gpiod_line_release_bulk(&request->lines);
	free(request);
}

static int request_get_values(struct cgpio_request *request, int *values)
{
	return gpiod_line_get_value_bulk(&request->lines, values);
}

static int request_set_values(struct cgpio_request *request, const int *values)
{
	return gpiod_line_set_value_bulk(&request->lines, values);
}

static size_t request_get_fd_count(struct cgpio_request *request)
{
	return request->lines.num_lines;
}

static int request_get_fd(struct cgpio_request *request, size_t index)
{
	return gpiod_line_event_get_fd(request->lines.lines[index]);
}

static int request_read_edges(struct cgpio_request *request, size_t index, struct cgpio_edge *edges, size_t max)
{
	struct gpiod_line *line = request->lines.lines[index];
	struct gpiod_line_event events[BATCH];
	int count = gpiod_line_event_read_multiple(line, events, max < BATCH ? max : BATCH);

	for (int i = 0; i < count; i++) {
		edges[i].time_ns = (uint64_t)events[i].ts.tv_sec * 1000000000 + events[i].ts.tv_nsec;
		edges[i].offset = gpiod_line_offset(line);
		edges[i].seqno = 0;
		edges[i].line_seqno = 0;
		edges[i].rising = events[i].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
	}
	return count;
}


LIBRARY(cgpio_v1_load, library_is_begun, LIBRARY_NAMES("libgpiod.so.2"), GPIOD1_FUNCTIONS(LIBRARY_WANTED))

const struct cgpio_version cgpio_v1 = {.load = cgpio_v1_load, CGPIO_FUNCTIONS(CGPIO_ENTRY)};
