import SluiceReadings

/// The reason why an archive cannot be read, without the name of the archive.
struct ArchiveFault: Error {
  var text: String
  var remedy: String?

  /// The error, with the name of the file.
  func error(_ name: String) -> SluiceError {
    SluiceError(.malformed, "read", name, because: text, remedy: remedy)
  }
}
