import CZip
import CZlib
import CZstd

/// The C libraries of this module.
package enum ArchiveLibraries {
  /// The versions: `libarchive 3.6.2, zlib 1.2.13, libzstd 1.5.4`, or what is missing without them.
  package static var version: String {
    let archive =
      czip_load() == nil
      ? "libarchive \(String(cString: czip_version()).split(separator: " ").last ?? "")"
      : "without libarchive: no sigrok sessions"
    let zlib = czlib_load() == nil ? "zlib \(String(cString: zlibVersion()))" : "without zlib: no gzip"
    let zstd = czstd_load() == nil ? "libzstd \(String(cString: ZSTD_versionString()))" : "without libzstd: no zstd"
    return "\(archive), \(zlib), \(zstd)"
  }
}
