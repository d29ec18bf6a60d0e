import Foundation
import XCTest

/// Libraries of C that Sluice loads when it needs them. Without one of them, its tests are skipped.
public enum InstalledLibrary: String {
  case archive = "libarchive.so.13"
  case mosquitto = "libmosquitto.so.1"
  case websockets = "libwebsockets.so.19 libwebsockets.so.18 libwebsockets.so.17"
  case yaml = "libyaml-0.so.2"
  case zstd = "libzstd.so.1"

  /// Skips the test if the library is not installed.
  public func needed() throws {
    let names = rawValue.split(separator: " ").map(String.init)
    guard names.contains(where: { dlopen($0, RTLD_LAZY) != nil }) else {
      throw XCTSkip("\(names[0]) is not installed; see make demo")
    }
  }
}
