import Sluice
package import SluiceDevices
import SluiceExtras
import SluiceReadings
import SluiceRecording

/// The marks of the recording itself: `marks:number`. Each reading has the time of a mark, and its number from 1 on, which is
/// its place in the list of the metadata. So the rows of a file show where a mark is, and the text stands beside them.
package struct MarkSource: SourceKind {
  package static let name = "marks"
  package static let form = "number"
  package static let example = "number"
  package static let keys: [SourceSettings.Key] = []
  package static let hasRoot = false
  package static let isOfEvents = true
  package static let usual = ["number"]

  package init?(_ what: String) { guard what == "number" else { return nil } }

  package var streamName: String? { "marks" }

  package func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast {
    var forecast = SourceForecast(streams: MarkReadings.described)
    forecast.certainty = .always
    return forecast
  }

  package func open(_ settings: SourceSettings, _ context: SourceContext) -> [any ReadingSource] {
    [MarkReadings(context.events?.keepMarks() ?? ReplaySubject(bufferSize: 0))]
  }
}

/// The readings of a ``MarkSource``.
private struct MarkReadings: ReadingSource {
  static let finishes = true

  /// It keeps what there is no demand for, because a recording has no more marks than it keeps.
  let marks: ReplaySubject<NumberedMark, Never>
  static let described = [StreamDescription(name: "marks", channels: [StreamDescription.Channel(name: "number")])]
  let streams = MarkReadings.described
  let isWhole = true
  let waits = true

  init(_ marks: ReplaySubject<NumberedMark, Never>) { self.marks = marks }

  var lossReport: LossReport { LossReport([], coverage: .all) }

  func readings(from first: StreamID, clock: EpochClock) -> AnyPublisher<Reading, SluiceError> {
    marks.map { Reading(time: $0.time, stream: first, values: Values(Int64($0.number))) }
      .setFailureType(to: SluiceError.self)
      .eraseToAnyPublisher()
  }

  func finish() { marks.send(completion: .finished) }
}
