import SluiceArguments

/// `--size 960x400`, or `--size 960` for a height that fits.
struct PictureSize: ArgumentValue {
  /// A larger picture would take more memory than a plot should.
  static let limit = 10_000

  let width: Int
  let height: Int?

  init?(argument: String) {
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...2).contains(parts.count), parts.allSatisfy({ $0.map { (1...Self.limit).contains($0) } ?? false }),
      let width = parts[0]
    else { return nil }
    (self.width, height) = (width, parts.count == 2 ? parts[1] : nil)
  }
}
