import SluiceReadings
import SluiceRecording

/// Which channels of the traces are drawn: `STREAM`, `STREAM.channel`, or `channel` of every stream that has it.
struct PlotSelection {
  private let names: [String]
  private var found: Set<String> = []
  /// What could have been meant.
  private var known: [String] = []

  /// - Parameter names: Empty for all.
  init(_ names: [String]) { self.names = names }

  /// - Returns: Whether a channel is wanted.
  mutating func takes(_ channel: StreamDescription.Channel, of stream: StreamDescription) -> Bool {
    guard !names.isEmpty else { return true }
    let short = channel.nameWithoutUnit
    let forms = [
      stream.name, "\(stream.name).\(short)", short, "\(stream.name).\(channel.name)", channel.name,
    ]
    // With thousands of channels the nearest takes a while, and nobody reads the list.
    if known.count < 1_024 {
      let usual = stream.channels.count == 1 ? [stream.name] : [stream.name, short, forms[1]]
      for form in stream.hasForeignColumns ? [short] : usual
      where !known.contains(form) {
        known.append(form)
      }
    }
    let wanted = names.filter { forms.contains($0) }
    found.formUnion(wanted)
    return !wanted.isEmpty
  }

  /// A name for which there is no channel; nil if there is one for each.
  func unknown(_ trace: String) -> SluiceError? {
    guard let name = names.first(where: { !found.contains($0) }) else { return nil }
    let hint = nearest(to: name, among: known).map { "did you mean \(PlanValue.text($0))? It has " } ?? "it has "
    let shown = known.filter { !$0.contains(".") || known.count <= 8 }.prefix(32)
    return SluiceError(
      .notFound, "plot", trace, because: "it has no stream or channel \(PlanValue.text(name))",
      remedy: hint + shown.joined(separator: ", ") + (known.count > shown.count ? " and others" : ""))
  }
}
