/* libgpiod 1.6 and 2.x behind one set of functions: v1.c or v2.c, the newest that is installed.
 *
 * Functions answer -1 or NULL and set errno, as libgpiod does. What version 1 cannot do is not among cgpio_features(),
 * and asking for it all the same fails with ENOTSUP. */
#ifndef CGPIO_H
#define CGPIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kernel's GPIO_MAX_NAME_SIZE. */
#define CGPIO_NAME_SIZE 32
/* The kernel's GPIO_V2_LINES_MAX, and libgpiod 1's GPIOD_LINE_BULK_MAX_LINES. */
#define CGPIO_LINES_MAX 64

struct cgpio_chip;
struct cgpio_request;

/* NONE: only their values are wanted. */
enum cgpio_edges { CGPIO_EDGES_NONE, CGPIO_EDGES_BOTH, CGPIO_EDGES_RISING, CGPIO_EDGES_FALLING };
enum cgpio_bias { CGPIO_BIAS_AS_IS, CGPIO_BIAS_DISABLED, CGPIO_BIAS_PULL_UP, CGPIO_BIAS_PULL_DOWN };
enum cgpio_drive { CGPIO_DRIVE_PUSH_PULL, CGPIO_DRIVE_OPEN_DRAIN, CGPIO_DRIVE_OPEN_SOURCE };
enum cgpio_clock { CGPIO_CLOCK_MONOTONIC, CGPIO_CLOCK_REALTIME, CGPIO_CLOCK_HTE };

enum cgpio_feature {
	CGPIO_FEATURE_DEBOUNCE = 1,
	CGPIO_FEATURE_CLOCK = 2,
	CGPIO_FEATURE_FIFO_SIZE = 4,
	CGPIO_FEATURE_SEQNO = 8,
};

/* Versions of the kernel's interface of character devices. */
enum cgpio_abi { CGPIO_ABI_V1 = 1, CGPIO_ABI_V2 = 2 };

struct cgpio_chip_info {
	char name[CGPIO_NAME_SIZE];
	char label[CGPIO_NAME_SIZE];
	uint32_t lines;
};

struct cgpio_line_info {
	char name[CGPIO_NAME_SIZE];
	char consumer[CGPIO_NAME_SIZE];
	bool used;
	bool output;
	bool active_low;
	enum cgpio_bias bias; /* CGPIO_BIAS_AS_IS where the kernel does not know */
};

struct cgpio_config {
	const char *consumer;
	enum cgpio_edges edges;
	enum cgpio_bias bias;
	enum cgpio_clock clock;
	bool active_low;
	const int *output;    /* a value a line, which makes them outputs; NULL: inputs */
	enum cgpio_drive drive; /* of outputs */
	uint32_t debounce_us; /* 0: none */
	uint32_t fifo_size;   /* events the kernel keeps for the request; 0: its own choice, 16 a line */
};

struct cgpio_edge {
	uint64_t time_ns;
	uint32_t offset;
	uint32_t seqno;      /* of the request, from 1, around by way of 0; without CGPIO_FEATURE_SEQNO always 0 */
	uint32_t line_seqno; /* of the line, likewise */
	bool rising;
};

/* Loads libgpiod. NULL if it is loaded, or why it cannot be loaded. Only then call the other functions; cgpio_abis and
 * cgpio_read_edges need no libgpiod. */
const char *cgpio_load(void);

const char *cgpio_version(void);
unsigned int cgpio_features(void);

/* Which versions a chip's device file answers, asked without libgpiod; -1 where it cannot be opened. */
int cgpio_abis(const char *path);

struct cgpio_chip *cgpio_chip_open(const char *path);
void cgpio_chip_close(struct cgpio_chip *chip);
int cgpio_chip_get_info(struct cgpio_chip *chip, struct cgpio_chip_info *info);
int cgpio_chip_get_line_info(struct cgpio_chip *chip, uint32_t offset, struct cgpio_line_info *info);

struct cgpio_request *cgpio_chip_request(struct cgpio_chip *chip, const uint32_t *offsets, size_t count,
					 const struct cgpio_config *config);
void cgpio_request_release(struct cgpio_request *request);
/* 1 is active, in the order of the offsets. */
int cgpio_request_get_values(struct cgpio_request *request, int *values);
int cgpio_request_set_values(struct cgpio_request *request, const int *values);
/* Version 2 has one descriptor a request, version 1 one a line. */
size_t cgpio_request_get_fd_count(struct cgpio_request *request);
int cgpio_request_get_fd(struct cgpio_request *request, size_t index);
/* Reads up to max edges from a descriptor that poll(2) found readable; waits where it is not. */
int cgpio_request_read_edges(struct cgpio_request *request, size_t index, struct cgpio_edge *edges, size_t max);
/* Reads up to max edges, without libgpiod, from a descriptor that gives struct gpio_v2_line_event (<linux/gpio.h>), as
 * that of a request of version 2 does. ENODEV where it is at its end, EBADMSG where an event is torn. */
int cgpio_read_edges(int fd, struct cgpio_edge *edges, size_t max);

#endif
