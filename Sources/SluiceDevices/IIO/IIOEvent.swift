import SluiceReadings

/// An event of a device: a crossed threshold, a tap, a step.
public struct IIOEvent: Hashable, Sendable {
  /// The kernel's name without its direction: `voltage0_thresh_rising`.
  public var name: String
  /// Whether the event is enabled.
  public var isEnabled: Bool
  /// The threshold in the unit of the channel's raw values; nil if there is none.
  public var value: String?
}

extension IIODevice {
  var eventFolder: SysfsFolder { folder.folder("events") }

  /// The possible events; empty if there are none.
  public func events() -> [IIOEvent] {
    eventFolder.entries.filter { $0.hasPrefix("in_") && $0.hasSuffix("_en") }.map { file in
      let name = file.dropFirst("in_".count).dropLast("_en".count)
      return IIOEvent(
        name: String(name), isEnabled: eventFolder.readIfPresent(file) == "1",
        value: eventFolder.readIfPresent("in_\(name)_value"))
    }
  }

  /// The events with these names, or all events. A name may be followed by `=` and a new threshold.
  func events(named names: [String]) throws(SluiceError) -> [IIOEvent] {
    let known = events()
    guard !known.isEmpty else {
      throw SluiceError(.unsupported, "watch", title, because: "it sends no events", remedy: "record its scans instead")
    }
    if names.isEmpty { return known }
    var found: [IIOEvent] = []
    for name in names {
      let parts = name.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let first = parts.first, var event = known.first(where: { $0.name == first || "in_\($0.name)" == first })
      else {
        throw SluiceError(
          .notFound, "watch", "event \(name) of \(self.name)", because: "there is no such event",
          remedy: "its events are \(known.map(\.name).joined(separator: ", "))")
      }
      guard !found.contains(where: { $0.name == event.name }) else {
        throw SluiceError(
          .usage, "watch", "event \(event.name) of \(self.name)", because: "it is named twice",
          remedy: "name it once")
      }
      if parts.count == 2 {
        guard event.value != nil else {
          throw SluiceError(
            .unsupported, "set", "the threshold of \(event.name)", because: "it has none", remedy: "leave out the =")
        }
        guard ExactDecimal(parts[1]) != nil else {
          throw SluiceError(
            .usage, "set", "the threshold of \(event.name)", because: "\"\(parts[1])\" is no number",
            remedy: "give it in the unit of the channel's raw values")
        }
        event.value = String(parts[1])
      }
      found.append(event)
    }
    return found
  }
}
