import SluicePipeline
import SluiceReadings
import SluiceRecording

/// A time range that is marked in a panel.
package struct PlotBand: Hashable {
  package enum Kind: Int, CaseIterable {
    /// Readings are missing.
    case gap
    /// The recording was paused.
    case pause
    /// Readings were lost within this time range.
    case loss
    /// A moment was marked. It has no length.
    case mark
  }

  package let kind: Kind
  /// The position on the axis, from 0, the start, to 1.
  package let from: Double
  package let to: Double

  /// Nil if the band is outside of the axis.
  init?(_ kind: Kind, from: Int64, to: Int64, on times: ClosedRange<Int64>) {
    guard from <= to, from <= times.upperBound, to >= times.lowerBound else { return nil }
    let length = Double(UInt64(bitPattern: times.upperBound &- times.lowerBound))
    func position(_ time: Int64) -> Double {
      let time = min(max(time, times.lowerBound), times.upperBound)
      return Double(UInt64(bitPattern: time &- times.lowerBound)) / length
    }
    (self.kind, self.from, self.to) = (kind, position(from), position(to))
  }
}

/// An entry of the legend: a kind of band with its text.
package struct PlotMark: Equatable {
  package let kind: PlotBand.Kind
  package let text: String
}

extension Plot {
  /// The bands of one stream.
  func bands(of stream: PlotStream, in trace: PlotTrace) -> [PlotBand] {
    let gaps = stream.gaps.compactMap { PlotBand(.gap, from: $0.from, to: $0.to, on: times) }
    let losses = losses(trace).filter { $0.streams.isEmpty || $0.streams.contains(stream.description.name) }
    return gaps + trace.pauses.compactMap(band) + losses.compactMap(band) + trace.marks.compactMap(band)
  }

  private func band(_ mark: Mark) -> PlotBand? { PlotBand(.mark, from: mark.time, to: mark.time, on: times) }

  private func band(_ pause: Pause) -> PlotBand? {
    PlotBand(.pause, from: pause.from, to: pause.to ?? .max, on: times)
  }

  /// The band of a loss; nil if it is outside of the axis, or if its time is unknown.
  private func band(_ loss: Loss) -> PlotBand? {
    loss.first.flatMap { PlotBand(.loss, from: $0, to: loss.last ?? $0, on: times) }
  }

  private func losses(_ trace: PlotTrace) -> [Loss] {
    // A restart is drawn as a gap of each stream.
    trace.losses.filter { $0.count > 0 && $0.reason != TraceMetadata.restartReason }
  }

  /// The legend names this number of marks; of more it has the number only.
  private static let namedMarks = 6

  /// The legend of the bands, with the numbers of missing readings.
  package var marks: [PlotMark] {
    var marks: [PlotMark] = []
    for trace in traces {
      let prefix = traces.count > 1 ? "\(trace.title): " : ""
      let drawn = trace.streams.filter(\.isDrawn)
      for stream in drawn where stream.missing.gaps > 0 {
        let (gaps, readings) = stream.missing
        let missing = readings.map { ", \(grouped($0)) reading\($0 == 1 ? "" : "s") missing" } ?? ""
        let name = drawn.count > 1 || traces.count > 1 ? " of \(stream.description.name)" : ""
        marks.append(
          PlotMark(kind: .gap, text: "\(prefix)\(grouped(gaps)) gap\(gaps == 1 ? "" : "s")\(name)\(missing)"))
      }
      let pauses = trace.pauses.filter { band($0) != nil }.count
      if pauses > 0 {
        marks.append(PlotMark(kind: .pause, text: prefix + (pauses == 1 ? "paused" : "\(pauses) pauses")))
      }
      for loss in losses(trace) where band(loss) != nil {
        marks.append(PlotMark(kind: .loss, text: "\(prefix)\(grouped(loss.count)) \(loss.reason)"))
      }
      let marked = trace.marks.filter { band($0) != nil }
      if marked.count > Self.namedMarks {
        marks.append(PlotMark(kind: .mark, text: "\(prefix)\(grouped(marked.count)) marks"))
      } else {
        marks += marked.map { PlotMark(kind: .mark, text: "\(prefix)\($0.text) (\(Self.text($0.time)))") }
      }
    }
    return marks
  }

  /// Sentences about losses and faults that no band shows.
  package var notes: [String] {
    var notes: [String] = []
    for trace in traces {
      let prefix = traces.count > 1 ? "\(trace.name): " : ""
      if let running = trace.running {
        notes.append("\(prefix)the recording is \(running.text)")
      } else if trace.metadata?.isCutOff ?? false {
        notes.append("\(prefix)the recording was cut off")
      }
      let steps = trace.streams.filter(\.isDrawn).reduce(0) { $0 + $1.stepsBack }
      if steps > 0 { notes.append("\(prefix)its times go back \(steps == 1 ? "once" : "\(grouped(steps)) times")") }
      if let text = trace.metadata?.restartText { notes.append("\(prefix)\(text)") }
      for loss in losses(trace) where loss.first == nil {
        notes.append("\(prefix)\(grouped(loss.count)) \(loss.reason)")
      }
    }
    return notes
  }
}
