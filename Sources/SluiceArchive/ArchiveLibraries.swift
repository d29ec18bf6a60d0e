import CZip
import CZlib
import CZstd

/// The C libraries of this module.
package enum ArchiveLibraries {
  /// The versions of those that are installed: `libarchive 3.6.2, zlib 1.2.13, libzstd 1.5.4`; nil without libarchive.
  package static var version: String? {
    guard czip_load() == nil else { return nil }
    let archive = String(cString: czip_version()).split(separator: " ").last ?? ""
    let zlib = czlib_load() == nil ? "zlib \(String(cString: zlibVersion()))" : "without zlib"
    let zstd = czstd_load() == nil ? "libzstd \(String(cString: ZSTD_versionString()))" : "without libzstd"
    return "libarchive \(archive), \(zlib), \(zstd)"
  }
}
