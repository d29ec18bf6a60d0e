import SluiceReadings

/// Channels on one axis: values with one unit, or levels of lines, one line below the other.
package struct PlotPanel {
  package enum Kind: Equatable {
    /// - Parameter unit: The unit; empty if it is not known.
    case values(unit: String)
    case levels
  }

  package let kind: Kind
  package private(set) var series: [PlotSeries] = []
  package private(set) var bands: [[PlotBand]] = []

  package var isLevels: Bool { kind == .levels }

  /// The bands of all channels, without duplicates.
  package var allBands: [PlotBand] {
    var seen: Set<PlotBand> = []
    return bands.joined().filter { seen.insert($0).inserted }
  }

  /// The minimum and the maximum of all channels.
  package var values: ClosedRange<Double>? {
    let ranges = series.compactMap(\.values)
    guard let smallest = ranges.map(\.lowerBound).min(), let largest = ranges.map(\.upperBound).max() else {
      return nil
    }
    return smallest...largest
  }

  mutating func add(_ series: PlotSeries, _ bands: [PlotBand]) {
    self.series.append(series)
    self.bands.append(bands)
  }

  init(_ kind: Kind) { self.kind = kind }
}

extension Plot {
  /// Panels in the order of their first channels.
  /// - Parameter isSeparate: Whether each channel has its own panel.
  package func panels(isSeparate: Bool = false) -> [PlotPanel] {
    var panels: [PlotPanel] = []
    let names = seriesNames
    var next = 0
    for trace in traces {
      for stream in trace.streams where stream.isDrawn {
        let bands = bands(of: stream, in: trace)
        for place in stream.channels.indices {
          var series = PlotSeries(
            stream, place: place, name: names[next], times: times, end: trace.times?.upperBound ?? times.upperBound,
            isStepped: isStepped)
          let unit = stream.description.channels[stream.channels[place]].unit ?? ""
          let kind = series.isLevel ? PlotPanel.Kind.levels : .values(unit: unit)
          var index = panels.firstIndex { $0.kind == kind }
          if index == nil || isSeparate && !series.isLevel {
            index = panels.count
            panels.append(PlotPanel(kind))
          }
          guard let index else { continue }
          series.colour = panels[index].series.count
          panels[index].add(series, bands)
          next += 1
        }
      }
    }
    return panels
  }

  /// The shortest names that are different.
  private var seriesNames: [String] {
    func names(_ form: (PlotTrace, StreamDescription, StreamDescription.Channel) -> String) -> [String] {
      traces.flatMap { trace in
        trace.streams.flatMap { stream in
          stream.channels.map { form(trace, stream.description, stream.description.channels[$0]) }
        }
      }
    }
    let isOne = traces.allSatisfy { $0.streams.filter(\.isDrawn).count <= 1 }
    let short = names { trace, stream, channel in
      if stream.channels.count == 1, !stream.hasForeignColumns { return stream.name }
      return isOne || stream.hasForeignColumns ? channel.nameWithoutUnit : "\(stream.name).\(channel.name)"
    }
    if Set(short).count == short.count { return short }
    let long = names { trace, stream, channel in
      let name = stream.channels.count == 1 ? stream.name : "\(stream.name).\(channel.name)"
      return traces.count > 1 ? "\(trace.name): \(name)" : name
    }
    return long
  }
}
