package import SluiceRecording

#if SLUICE_ARCHIVE
  import SluiceArchive
#endif

/// All compressions of files.
package enum Compressions {
  #if SLUICE_ARCHIVE
    package static let all: [any Compression.Type] = [GzipCompression.self, ZstdCompression.self]
  #else
    package static let all: [any Compression.Type] = []
  #endif
}
