import CSVG
package import SluiceReadings

/// A picture as PNG or PDF, for programs that do not show SVG.
///
/// librsvg draws it. It is loaded when the first picture is made.
package enum DrawnPicture {
  case pdf
  /// The pixels per inch. A unit of the picture is 1/96 of an inch.
  case png(resolution: Double)

  /// The pixels per inch of a screen, at which a unit of a picture is a pixel.
  package static let screen = 96.0

  /// Checks before the work that a picture can be drawn.
  package static func check(_ path: String) throws(SluiceError) {
    guard let failure = csvg_load() else { return }
    throw SluiceError(
      .unsupported, "write", path, because: "PNG and PDF need librsvg: \(String(cString: failure))",
      remedy: "install it (Debian: librsvg2-2), or give a name that ends in .svg")
  }

  /// Draws an SVG.
  /// - Parameter path: The file, for an error.
  package func bytes(of svg: String, _ path: String) throws(SluiceError) -> [UInt8] {
    try Self.check(path)
    let scale =
      switch self {
      case .pdf: 0.0
      case .png(let resolution): resolution / Self.screen
      }
    var (svg, bytes, text) = (svg, [UInt8](), [CChar](repeating: 0, count: 256))
    let isDrawn = svg.withUTF8 { svg in
      withUnsafeMutablePointer(to: &bytes) { bytes in
        csvg_draw(
          svg.baseAddress, svg.count, scale,
          { context, found, count in
            guard let context, let found else { return 0 }
            context.assumingMemoryBound(to: [UInt8].self).pointee += UnsafeBufferPointer(
              start: found, count: Int(count))
            return 1
          }, bytes, &text)
      }
    }
    guard isDrawn != 0 else {
      let reason = text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
      // A PDF has no limit.
      throw SluiceError(
        .failed, "draw", path, because: reason, remedy: scale > 0 ? "give a smaller --dpi or --size" : nil)
    }
    return bytes
  }
}
