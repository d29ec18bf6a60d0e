/// What the installed libgpiod can do.
enum LibraryCheck {
  static let name = "libgpiod"

  /// - Parameter version: Nil where this was built without it.
  static func findings(version: String?) -> [Finding] {
    guard let version else {
      return [
        .warning(
          name, "this sluice was built without libgpiod: no --gpio", "install libgpiod-dev and build it anew")
      ]
    }
    if version.hasPrefix("1.") {
      return [
        .warning(
          name, "version \(version): no debounce, event clock, FIFO size or sequence numbers, 16 edges a line are kept",
          "Debian 13 has version 2")
      ]
    }
    return [.ok(name, "version \(version): debounce, event clock, FIFO size, sequence numbers")]
  }
}
