// Draws an SVG as a PNG or PDF, with librsvg and cairo.
//
// The libraries are loaded with the first picture, because few programs that draw nothing need their 10 MB.
#ifndef CSVG_H
#define CSVG_H

#include <stddef.h>

/// Loads librsvg, cairo and GObject.
/// Returns the error, or NULL.
const char *csvg_load(void);

/// Gets bytes of the picture. Returns 0 if they cannot be kept.
typedef int csvg_write(void *context, const unsigned char *bytes, unsigned count);

/// Draws an SVG. Call csvg_load before.
/// - svg, count: the picture.
/// - scale: for a PNG, the pixels for each of its units; 0 for a PDF, where a unit is 1/96 of an inch.
/// - error: room for the error, as a text.
/// Returns 1, or 0 after an error.
int csvg_draw(const void *svg, size_t count, double scale, csvg_write *write, void *context, char error[256]);

#endif
