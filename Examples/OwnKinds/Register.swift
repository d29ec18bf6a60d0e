import Foundation

/// The register of a thermometer, as a file.
struct Register: Sendable {
  let path: String

  /// Sets the temperature in sixteenths of a degree: 12 bits, high byte first, and then four bits of 0.
  func set(_ sixteenths: UInt16) throws {
    let bytes = Data([UInt8(sixteenths >> 4), UInt8(sixteenths << 4 & 255)])
    try bytes.write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}
