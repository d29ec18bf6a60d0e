import CZip
import CZlib
import CZstd

/// The C libraries of this build.
package enum ArchiveLibraries {
  /// The versions: `libarchive 3.6.2, zlib 1.2.13, libzstd 1.5.4`
  package static var version: String {
    let archive = String(cString: czip_version).split(separator: " ").last ?? ""
    let zlib = zlibVersion().map { String(cString: $0) } ?? ""
    let zstd = ZSTD_versionString().map { String(cString: $0) } ?? ""
    return "libarchive \(archive), zlib \(zlib), libzstd \(zstd)"
  }
}
