import SluiceReadings
import SluiceRecording
import SluiceSystem

/// The files of `--server ca=`, `cert=` and `key=`.
enum TLSFiles {
  /// The libraries open these files by their names, and would wait for a FIFO without an end.
  /// - Throws: If one of them is there and is no regular file, or if the key breaks the rule of ``SecretFile``.
  static func check(_ settings: ServerSettings) throws(SluiceError) {
    for (option, path) in [("ca", settings.authorities), ("cert", settings.certificate), ("key", settings.key)] {
      guard let path, let identity = FileIdentity(path: path), !identity.isRegular else { continue }
      throw SluiceError(
        .unsupported, "use", path, because: "it is no regular file", remedy: "give a PEM file to --server \(option)="
      )
    }
    // If no key file is given, the file of the certificate also has the key.
    guard let key = settings.key ?? settings.certificate, FileIdentity(path: key) != nil else { return }
    try SecretFile.check(key, "use the key in")
  }
}
