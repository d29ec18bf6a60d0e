public import SluiceReadings

/// Decodes a text with one reading per line.
public final class LineDecoder<Readings: LineReadings>: TraceDecoder {
  private let lines: TraceLines
  private var readings: Readings
  private var marks: TraceMarks
  private var failure: SluiceError?  // an error after the readings returned last

  /// Makes a decoder that sets the flags of `marks`.
  public init(_ lines: TraceLines, _ readings: Readings, _ marks: TraceMarks) {
    self.lines = lines
    self.readings = readings
    self.marks = marks
    list = readings.list
  }

  public var unusedMarks: TraceMarks { marks }
  public let list: StreamList
  public var hasNext: Bool { lines.hasLine }
  public var mayWait: Bool { lines.mayWait }

  /// Reads all lines to find the streams and channels.
  /// - Returns: Whether all lines could be read.
  @discardableResult
  public static func survey(_ lines: TraceLines, _ readings: inout Readings) throws(SluiceError) -> Bool {
    // The fault of a line is reported when its values are read.
    while true {
      do throws(SluiceError) {
        guard let line = try lines.next() else { return true }
        _ = try readings.reading(line, of: lines)
      } catch {
        if error.code == .malformed, !lines.skipsBad || error == lines.sourceFault { return false }
        try lines.leaveOut(error)
      }
    }
  }

  public func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    if let failure { throw failure }
    var count = 0
    while count < target.count, count == 0 || hasNext {
      do throws(SluiceError) {
        guard let line = try lines.next() else {
          list.close()
          lines.saySkipped()
          break
        }
        if let reading = try readings.reading(line, of: lines) {
          target[count] = reading
          count += 1
        }
      } catch {
        do throws(SluiceError) {
          try lines.leaveOut(error)
        } catch {
          failure = error
          break
        }
      }
    }
    if count == 0, let failure { throw failure }
    marks.flag(UnsafeMutableBufferPointer(rebasing: target[..<count]))
    return count
  }
}
