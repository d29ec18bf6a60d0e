/* SluiceFormats defines this function, which fills a LinkedKinds of SluicePipeline. The symbol is weak: a program that is
   linked without SluiceFormats has no such function, and no kinds of it. So SluicePipeline compiles without the modules of
   the formats. */
void sluice_formats_kinds(void *kinds) __attribute__((weak));

static inline void ckinds_fill(void *kinds) {
  if (sluice_formats_kinds) sluice_formats_kinds(kinds);
}
