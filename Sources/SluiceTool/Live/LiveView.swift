import SluiceAnalysis
import SluicePipeline
import SluiceReadings
import SluiceRecording

/// The lines of the view of a running recording. It is a function of what is known: nothing here touches a terminal.
enum LiveView {
  /// In a lower window there is room for a line of progress only.
  static let lowest = 6
  private static let mostOutputs = 3
  private static let mostLosses = 3

  /// - Parameters:
  ///   - keys: Nil if there are no keys.
  ///   - happened: What a chart shows besides the readings.
  static func lines(
    _ streams: LiveStreams, _ status: RecordingStatus, _ keys: LiveKeys?, _ window: TerminalWindow,
    happened: @autoclosure () -> PlotFeed.Happened = PlotFeed.Happened()
  ) -> [TerminalLine] {
    // The cursor has the last line.
    let rows = (window.rows ?? 24) - 1
    let first = standing(status, window)
    let last = keys.map { prompt($0, status, window) }
    guard rows + 1 >= lowest else { return keys?.entry == nil ? [first] : [last ?? first] }
    let ends = last.map { [$0] } ?? []
    if let keys, keys.isOpen, streams.streams.indices.contains(keys.selection) {
      let stream = streams.streams[keys.selection]
      return [first] + chart(stream, happened(), rows: rows - 1 - ends.count, window) + ends
    }
    var below = losses(status, streams, window) + outputs(status, window)
    if let line = clock(status, window) { below.append(line) }
    // The streams come first: at least two of them have room.
    below = Array(below.prefix(max(0, rows - 1 - ends.count - 4)))
    let table = LiveTable.lines(
      streams, selection: keys.map(\.selection), rows: rows - 1 - below.count - ends.count, window)
    return [first] + table + below + ends
  }

  private static func line(_ window: TerminalWindow) -> TerminalLine {
    TerminalLine(window, limit: max(1, window.columns - 1))
  }

  // MARK: Lines

  private static func standing(_ status: RecordingStatus, _ window: TerminalWindow) -> TerminalLine {
    var line = line(window)
    line.add(
      status.standing.text(rate: status.rate, columns: window.columns),
      status.standing.isPaused ? .yellow : status.standing.lost > 0 ? .red : .bold)
    return line
  }

  private static func losses(
    _ status: RecordingStatus, _ streams: LiveStreams, _ window: TerminalWindow
  ) -> [TerminalLine] {
    var lines = status.losses.prefix(mostLosses).map { text in
      var line = line(window)
      line.add(text, .red)
      return line
    }
    if status.losses.count > mostLosses { lines.append(more(status.losses.count - mostLosses, "cause", window)) }
    if streams.missed > 0 {
      var line = line(window)
      line.add("this view missed \(grouped(streams.missed)) readings; the recording did not", .yellow)
      lines.append(line)
    }
    return lines
  }

  private static func outputs(_ status: RecordingStatus, _ window: TerminalWindow) -> [TerminalLine] {
    let shown = status.outputs.prefix(mostOutputs)
    var lines = shown.map { output in
      var line = line(window)
      line.add("\(output.name): ", .faint)
      line.add("\(grouped(output.written)) written")
      if let safe = output.safe { line.add(", \(grouped(safe)) safe") }
      if let waiting = output.waiting { line.add(", \(grouped(waiting)) wait for the disk", .yellow) }
      if let held = output.held { line.add(", \(grouped(held)) in its spill", .yellow) }
      if let queued = output.queued { line.add(", \(grouped(queued)) wait for the server") }
      if output.dropped > 0 { line.add(", \(grouped(output.dropped)) dropped", .red) }
      if let free = output.free { line.add(", \(byteText(free)) free") }
      if let fault = output.fault { line.add(", \(fault)", .red) }
      return line
    }
    if status.outputs.count > mostOutputs { lines.append(more(status.outputs.count - mostOutputs, "output", window)) }
    return lines
  }

  private static func more(_ count: Int, _ what: String, _ window: TerminalWindow) -> TerminalLine {
    var line = line(window)
    line.add("and \(count) more \(what)\(count == 1 ? "" : "s")", .faint)
    return line
  }

  private static func clock(_ status: RecordingStatus, _ window: TerminalWindow) -> TerminalLine? {
    var parts = status.clock.isEmpty ? [] : [status.clock]
    if let marks = status.markText { parts.append(marks) }
    guard !parts.isEmpty else { return nil }
    var line = line(window)
    line.add(parts.joined(separator: "; "), .faint)
    return line
  }

  private static func prompt(_ keys: LiveKeys, _ status: RecordingStatus, _ window: TerminalWindow) -> TerminalLine {
    var line = line(window)
    if let entry = keys.entry {
      line.add(promptText(entry, window), .bold)
    } else {
      line.add(keys.text(isPaused: status.standing.isPaused), .faint)
    }
    return line
  }

  /// What is typed for a mark: the end of it, if it is too long for the window.
  static func promptText(_ entry: String, _ window: TerminalWindow) -> String {
    let head = "mark: "
    let room = max(1, window.columns - 1 - head.count - 1)
    var shown = TerminalText.safe(entry, window.glyphs)
    while TerminalText.width(shown) > room { shown.removeFirst() }
    return head + shown + "_"
  }

  // MARK: A chart

  private static func chart(
    _ stream: LiveStream, _ happened: PlotFeed.Happened, rows: Int, _ window: TerminalWindow
  ) -> [TerminalLine] {
    func sentence(_ text: String) -> [TerminalLine] {
      var line = line(window)
      line.add(text)
      return [line]
    }
    guard let feed = stream.feed else { return sentence("\(stream.description.name) has no readings yet") }
    do throws(SluiceError) {
      var options = TerminalPlot.Options()
      (options.title, options.width, options.height) = (stream.description.name, window.columns, rows + 3)
      (options.glyphs, options.isColoured) = (window.glyphs, window.isColoured)
      let plot = try TerminalPlot(feed.plot(happened), options)
      return plot.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().prefix(rows).map {
        TerminalLine(drawn: String($0), window)
      }
    } catch {
      return sentence("\(error.cause)")
    }
  }
}
