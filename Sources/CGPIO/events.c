/* Events as the kernel gives them, since 5.10: what libgpiod 2 reads as well, without its copies. */
#include "cgpio.h"

#include <errno.h>
#include <linux/gpio.h>
#include <unistd.h>

/* How many events one read takes from the kernel at most: all that it can keep (GPIO_V2_LINES_MAX * 16), so that a FIFO
 * that is full is seen to be. */
#define BATCH 1024

int cgpio_read_edges(int fd, struct cgpio_edge *edges, size_t max)
{
	struct gpio_v2_line_event events[BATCH];
	ssize_t bytes = read(fd, events, (max < BATCH ? max : BATCH) * sizeof(*events));
	int count = bytes / (ssize_t)sizeof(*events);

	if (bytes < 0)
		return -1;
	if (bytes == 0 || bytes % sizeof(*events)) {
		errno = bytes == 0 ? ENODEV : EBADMSG;
		return -1;
	}
	for (int i = 0; i < count; i++) {
		edges[i].time_ns = events[i].timestamp_ns;
		edges[i].offset = events[i].offset;
		edges[i].seqno = events[i].seqno;
		edges[i].line_seqno = events[i].line_seqno;
		edges[i].rising = events[i].id == GPIO_V2_LINE_EVENT_RISING_EDGE;
	}
	return count;
}
