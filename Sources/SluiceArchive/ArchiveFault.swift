import SluiceReadings

/// Why an archive cannot be read, without its name.
struct ArchiveFault: Error {
  var text: String
  var remedy: String?

  /// The error of the file that it is about.
  func error(_ name: String) -> SluiceError {
    SluiceError(.malformed, "read", name, because: text, remedy: remedy)
  }
}
