import SluicePipeline
import SluiceReadings
import SluiceRecording

/// The channels that are drawn: `STREAM`, `STREAM.channel`, or `channel` for this channel of all streams.
struct PlotSelection {
  private let names: [String]
  private var found: Set<String> = []
  /// The known names, for a suggestion.
  private var known: [String] = []

  /// - Parameter names: The names; empty for all channels.
  init(_ names: [String]) { self.names = names }

  /// - Returns: Whether the channel is selected.
  mutating func takes(_ channel: StreamDescription.Channel, of stream: StreamDescription) -> Bool {
    guard !names.isEmpty else { return true }
    let short = channel.nameWithoutUnit
    let forms = [
      stream.name, "\(stream.name).\(short)", short, "\(stream.name).\(channel.name)", channel.name,
    ]
    // The number of names is limited, because the search for the nearest name is slow with thousands of channels.
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

  /// The error for a name without a channel; nil if each name has one.
  func unknown(_ trace: String) -> SluiceError? {
    guard let name = names.first(where: { !found.contains($0) }) else { return nil }
    let hint = nearest(to: name, among: known).map { "did you mean \(quoted($0, atMost: 64))? It has " } ?? "it has "
    let shown = known.filter { !$0.contains(".") || known.count <= 8 }.prefix(32)
    return SluiceError(
      .notFound, "plot", trace, because: "it has no stream or channel \(quoted(name, atMost: 64))",
      remedy: hint + shown.joined(separator: ", ") + (known.count > shown.count ? " and others" : ""))
  }
}
