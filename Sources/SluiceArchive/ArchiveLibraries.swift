import CArchive

/// The C libraries that are in.
package enum ArchiveLibraries {
  /// `libarchive 3.6.2`
  package static var version: String {
    let words = archive_version_string().map { String(cString: $0) }?.split(separator: " ") ?? []
    return "libarchive \(words.last ?? "")"
  }
}
