package import SluiceReadings

extension RecordingEvent {
  /// The event for a program: `{"time_ns": 1795272907506849878, "kind": "marked", "text": "door opened"}`.
  package var json: JSON {
    var text = kind.text ?? ""
    if case .marked(let mark) = kind { text = mark }
    return .object([("time_ns", .number("\(time)")), ("kind", .string(kind.name)), ("text", .string(text))])
  }
}

extension RecordingEvent.Kind {
  /// Its name, such as `outputAway`.
  package var name: String { String("\(self)".prefix { $0 != "(" }) }
}
