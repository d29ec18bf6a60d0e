import Foundation
import XCTest

/// Libraries of C that Sluice loads when it needs them. Without one of them, its tests are skipped.
public enum InstalledLibrary: String {
  case archive = "libarchive.so.13"
  case mosquitto = "libmosquitto.so.1"
  case yaml = "libyaml-0.so.2"
  case zstd = "libzstd.so.1"

  /// Skips the test if the library is not installed.
  public func needed() throws {
    guard dlopen(rawValue, RTLD_LAZY) != nil else { throw XCTSkip("\(rawValue) is not installed; see make demo") }
  }
}
