#include "csvg.h"

#include <library.h>
#include <stdio.h>

// Their headers need the development files of a hundred packages. These are the declarations of librsvg 2.52, cairo 1.2 and
// GLib 2.0, whose libraries have had the same names and interfaces since then:
// https://gnome.pages.gitlab.gnome.org/librsvg/Rsvg-2.0/class.Handle.html, https://www.cairographics.org/manual/
typedef struct RsvgHandle RsvgHandle;
typedef struct cairo_surface cairo_surface_t;
typedef struct cairo cairo_t;
typedef struct {
	unsigned domain;
	int code;
	char *message;
} GError;
typedef struct {
	double x, y, width, height;
} RsvgRectangle;
typedef int cairo_write(void *, const unsigned char *, unsigned);

enum { CAIRO_FORMAT_ARGB32 = 0, CAIRO_STATUS_SUCCESS = 0, CAIRO_STATUS_WRITE_ERROR = 11 };

#define RSVG_FUNCTIONS(with)                                                                                         \
	with(RsvgHandle *, rsvg_handle_new_from_data,                                                                \
	     (const unsigned char *bytes, size_t count, GError **error), (bytes, count, error))                      \
	with(int, rsvg_handle_get_intrinsic_size_in_pixels,                                                          \
	     (RsvgHandle *picture, double *width, double *height), (picture, width, height))                         \
	with(int, rsvg_handle_render_document,                                                                       \
	     (RsvgHandle *picture, cairo_t *to, const RsvgRectangle *place, GError **error),                         \
	     (picture, to, place, error))                                                                            \
	with(cairo_surface_t *, cairo_image_surface_create,                                                          \
	     (int format, int width, int height), (format, width, height))                                           \
	with(cairo_surface_t *, cairo_pdf_surface_create_for_stream,                                                 \
	     (cairo_write *write, void *to, double width, double height), (write, to, width, height))                \
	with(void, cairo_surface_finish, (cairo_surface_t *surface), (surface))                                      \
	with(int, cairo_surface_status, (cairo_surface_t *surface), (surface))                                       \
	with(void, cairo_surface_destroy, (cairo_surface_t *surface), (surface))                                     \
	with(int, cairo_surface_write_to_png_stream,                                                                 \
	     (cairo_surface_t *surface, cairo_write *write, void *to), (surface, write, to))                         \
	with(const char *, cairo_status_to_string, (int status), (status))                                           \
	with(cairo_t *, cairo_create, (cairo_surface_t *surface), (surface))                                         \
	with(int, cairo_status, (cairo_t *context), (context))                                                       \
	with(void, cairo_destroy, (cairo_t *context), (context))                                                     \
	with(void, g_object_unref, (void *object), (object))                                                         \
	with(void, g_error_free, (GError *error), (error))

RSVG_FUNCTIONS(LIBRARY_CALL)
RSVG_FUNCTIONS(LIBRARY_POINTER)

/* librsvg brings the others with it. */
LIBRARY(csvg_load, library_is_begun, LIBRARY_NAMES("librsvg-2.so.2"), RSVG_FUNCTIONS(LIBRARY_WANTED))

struct sink {
	csvg_write *write;
	void *context;
};

static int keep(void *sink, const unsigned char *bytes, unsigned count)
{
	const struct sink *to = sink;
	return to->write(to->context, bytes, count) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static int say(char error[256], const char *text)
{
	snprintf(error, 256, "%s", text);
	return 0;
}

static int failed(char error[256], GError *cause)
{
	say(error, cause ? cause->message : "librsvg gives no reason");
	if (cause)
		g_error_free(cause);
	return 0;
}

static int draw(RsvgHandle *picture, double scale, struct sink *sink, char error[256])
{
	double width, height;
	if (!rsvg_handle_get_intrinsic_size_in_pixels(picture, &width, &height))
		return say(error, "the picture has no size");
	const int is_pdf = scale == 0;
	// A PDF has points: 72 in an inch.
	const RsvgRectangle all = {0, 0, width * (is_pdf ? 0.75 : scale), height * (is_pdf ? 0.75 : scale)};
	// The most that an image of cairo may have.
	if (!(all.width <= 32767 && all.height <= 32767))
		return say(error, "it would have more than 32,767 pixels in a row or column");
	// A pixel that is only partly in the picture is left out, because it would be half transparent.
	cairo_surface_t *surface =
		is_pdf ? cairo_pdf_surface_create_for_stream(keep, sink, all.width, all.height)
		       : cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)all.width, (int)all.height);
	cairo_t *context = cairo_create(surface);
	GError *cause = 0;
	int status = cairo_surface_status(surface), is_drawn = 1;
	if (status == CAIRO_STATUS_SUCCESS)
		is_drawn = rsvg_handle_render_document(picture, context, &all, &cause);
	if (status == CAIRO_STATUS_SUCCESS && is_drawn)
		status = cairo_status(context);
	if (status == CAIRO_STATUS_SUCCESS && is_drawn && !is_pdf)
		status = cairo_surface_write_to_png_stream(surface, keep, sink);
	cairo_destroy(context);
	if (status == CAIRO_STATUS_SUCCESS && is_drawn && is_pdf) {
		// Only now the end of the PDF is written.
		cairo_surface_finish(surface);
		status = cairo_surface_status(surface);
	}
	cairo_surface_destroy(surface);
	if (!is_drawn)
		return failed(error, cause);
	return status == CAIRO_STATUS_SUCCESS || say(error, cairo_status_to_string(status));
}

int csvg_draw(const void *svg, size_t count, double scale, csvg_write *write, void *context, char error[256])
{
	struct sink sink = {write, context};
	GError *cause = 0;
	RsvgHandle *picture = rsvg_handle_new_from_data(svg, count, &cause);
	if (!picture)
		return failed(error, cause);
	const int is_done = draw(picture, scale, &sink, error);
	g_object_unref(picture);
	return is_done;
}
