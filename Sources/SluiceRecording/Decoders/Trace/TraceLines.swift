public import SluiceReadings
import SluiceSystem

/// Reads the lines of a text file in large chunks. One thread at a time reads it.
public final class TraceLines {
  /// The length of the longest allowed line. A file without line ends would fill the memory.
  static let longest = 16 << 20

  /// What is wrong with a number: `is not a number`.
  struct NumberFault: Error { let cause: String }

  /// The name of the file in errors.
  public let name: String
  private let source: ByteSource
  /// Whether text after the last line end is left out, because the file was cut off there.
  package var leavesOutTornLine = false
  /// Whether unreadable lines are left out.
  var skipsBad = false
  /// The lines that were left out.
  private var skipped = SkippedOfFile(nil)
  private var isTooLong = false
  /// Called with each message for the user.
  package var warn: (String) -> Void = { _ in }
  /// Whether the next rounded number is reported. Only the first one is.
  @exclusivity(unchecked) private var saysRounded = true
  // Swift's check of exclusive access takes a sixth of decoding. The class is not Sendable, so one thread at a time
  // reads.
  @exclusivity(unchecked) private var buffer: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var capacity = 256 << 10
  @exclusivity(unchecked) private var start = 0  // the start of the next line
  @exclusivity(unchecked) private var end = 0  // the end of the bytes that were read
  @exclusivity(unchecked) private var atEnd = false
  /// The error that ended the input. It is not the fault of a line, and nothing is read after it.
  private(set) var sourceFault: SluiceError?
  /// The number of the line read last, from 1.
  @exclusivity(unchecked) public private(set) var line = 0

  package init(_ file: TraceFile) {
    name = file.name
    source = file.source
    buffer = .allocate(capacity: capacity + DecimalDigits.slack)
  }

  /// Reads the lines of a file. Lines that cannot be read are left out if the options say so, and the text behind the
  /// last line end is left out if the recording was cut off.
  public convenience init(_ file: TraceFile, _ options: OpenTrace.Options, _ metadata: TraceMetadata?) {
    self.init(file)
    skipsBad = options.skipped != nil
    leavesOutTornLine = metadata?.state == .unfinished
    begin(options)
  }

  deinit { buffer.deallocate() }

  /// The error for the last line.
  /// - Parameter cause: What is wrong with it: `the time is not a number`.
  public func malformed(_ cause: String, remedy: String? = nil) -> SluiceError {
    SluiceError(.malformed, "read", name, because: "line \(line): \(cause)", remedy: remedy)
  }

  /// Whether a read may wait, as for a pipe.
  public var mayWait: Bool { source.mayWait }
  /// Whether another line can be read without waiting for the file.
  package var hasLine: Bool { atEnd || memchr(buffer + start, 0x0a, end - start) != nil }

  /// Parses a number of the last line. It reports the first number with more digits than a reading can hold.
  /// - Throws: The fault of a text that is not a number, in words that follow the number.
  func number(_ text: UnsafeBufferPointer<UInt8>) throws(NumberFault) -> ExactDecimal {
    if let exact = ExactDecimal(utf8: text) { return exact }
    guard let number = NearestDecimal(utf8: text) else { throw NumberFault(cause: "is not a number") }
    guard let value = number.value else { throw NumberFault(cause: "is too large a number") }
    if number.isRounded, saysRounded {
      saysRounded = false
      warn("\(name): line \(line): a number has more digits than fit in 64 bits; such numbers are rounded")
    }
    return value
  }

  /// Goes back to the first line.
  public func rewind() throws(SluiceError) {
    do throws(SystemErrno) { try source.rewind() } catch { throw SluiceError(reading: name, error) }
    (start, end, line, atEnd, isTooLong, sourceFault) = (0, 0, 0, false, false, nil)
    saysRounded = true
  }

  /// The next line without its end, valid until the next call; nil at the end.
  public func next() throws(SluiceError) -> UnsafeBufferPointer<UInt8>? {
    var searched = start
    while true {
      if searched < end, let found = memchr(buffer + searched, 0x0a, end - searched) {
        let feed = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - UnsafePointer(buffer)
        defer { start = feed + 1 }
        return text(start, feed)
      }
      if atEnd { return lastLine() }
      let offset = end - start
      try fill()
      searched = start + offset
    }
  }

  /// The next line, without moving past it.
  func peek() throws(SluiceError) -> UnsafeBufferPointer<UInt8>? {
    let (number, warn) = (line, warn)
    self.warn = { _ in }
    defer { (line, self.warn) = (number, warn) }
    guard let text = try next(), let base = text.baseAddress else { return nil }
    start = base - UnsafePointer(buffer)
    return text
  }

  private func text(_ from: Int, _ to: Int) -> UnsafeBufferPointer<UInt8> {
    line += 1
    let isReturn = to > from && buffer[to - 1] == UInt8(ascii: "\r")
    return UnsafeBufferPointer(start: buffer + from, count: (isReturn ? to - 1 : to) - from)
  }

  /// The text after the last line end.
  private func lastLine() -> UnsafeBufferPointer<UInt8>? {
    guard start < end else { return nil }
    let (from, to) = (start, end)
    start = end
    if leavesOutTornLine {
      let what = buffer[to - 1] == 0 ? "what it ends in, NUL bytes," : "its last line has no end and"
      warn("\(name): \(what) is left out, because the recording was cut off there")
      return nil
    }
    warn("\(name): its last line has no end and is taken as it stands")
    return text(from, to)
  }

  private func fill() throws(SluiceError) {
    if let sourceFault { throw sourceFault }
    if start > 0 {
      memmove(buffer, buffer + start, end - start)
      (start, end) = (0, end - start)
    }
    if end == capacity {
      line += 1
      guard capacity < Self.longest else {
        isTooLong = true
        throw malformed("it is longer than \(Self.longest >> 20) MiB")
      }
      line -= 1
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2 + DecimalDigits.slack)
      memcpy(larger, buffer, end)
      buffer.deallocate()
      buffer = larger
      capacity *= 2
    }
    defer { memset(buffer + end, 0, DecimalDigits.slack) }  // defined bytes after the last line
    do throws(SystemErrno) {
      let count = try source.fill(UnsafeMutableRawBufferPointer(start: buffer + end, count: capacity - end))
      atEnd = count == 0
      end += count
    } catch {
      let fault = SluiceError(reading: name, error)
      sourceFault = fault
      throw fault
    }
  }

  // MARK: Unreadable lines

  /// Begins to count unreadable lines and to print messages.
  func begin(_ options: OpenTrace.Options) {
    skipped = SkippedOfFile(options.skipped)
    warn = options.warn
  }

  /// Continues after an unreadable line, if these lines are left out.
  /// - Parameter error: The fault. It is thrown again if it is not about a line.
  func leaveOut(_ error: SluiceError) throws(SluiceError) {
    guard skipsBad, error.code == .malformed, error != sourceFault else { throw error }
    skipped.add(error)
    guard isTooLong else { return }
    isTooLong = false
    while true {
      if start < end, let found = memchr(buffer + start, 0x0a, end - start) {
        start = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - UnsafePointer(buffer) + 1
        return
      }
      start = end
      if atEnd { return }
      try fill()
    }
  }

  /// Reports once the lines that were left out.
  func saySkipped() {
    if let sentence = skipped.said(of: name) { warn(sentence) }
  }
}
