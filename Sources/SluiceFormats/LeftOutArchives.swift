#if !SLUICE_ARCHIVE
  import SluiceReadings
  import SluiceRecording

  /// Recognizes the files that a build without libarchive, zlib and libzstd cannot read, so that the error names these
  /// libraries.
  enum LeftOutArchives: TraceKind {
    static let form = "a sigrok session or a compressed trace, if sluice is built with libarchive, zlib and libzstd"
    static let extensions: [String] = []

    /// ZIP, gzip, Zstandard.
    private static let magics: [[UInt8]] = [[0x50, 0x4b, 3, 4], [0x1f, 0x8b, 8], [0x28, 0xb5, 0x2f, 0xfd]]

    static func recognizes(_ beginning: [UInt8]) -> Bool { magics.contains { beginning.starts(with: $0) } }

    static func open(_ file: TraceFile, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace {
      throw SluiceError(
        .unsupported, "read", file.name,
        because: "this sluice was built without libarchive, zlib and libzstd (SLUICE_ARCHIVE=0)",
        remedy: "build it without that setting")
    }
  }
#endif
