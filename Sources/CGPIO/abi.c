/* What the kernel was built with, found by asking a chip for its first line in each of the two ways. */
#include "cgpio.h"

#include <fcntl.h>
#include <linux/gpio.h>
#include <sys/ioctl.h>
#include <unistd.h>

int cgpio_abis(const char *path)
{
	struct gpioline_info v1 = { .line_offset = 0 };
	struct gpio_v2_line_info v2 = { .offset = 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int abis = 0;

	if (fd < 0)
		return -1;
	if (ioctl(fd, GPIO_GET_LINEINFO_IOCTL, &v1) == 0)
		abis |= CGPIO_ABI_V1;
	if (ioctl(fd, GPIO_V2_GET_LINEINFO_IOCTL, &v2) == 0)
		abis |= CGPIO_ABI_V2;
	close(fd);
	return abis;
}
