package import SluiceReadings
package import SluiceRecording

/// A session of sigrok-cli or PulseView.
package enum SigrokTraceKind: TraceKind {
  package static let form = "a sigrok session"
  package static let extensions = ["sr"]

  /// The signature of a ZIP archive: of its first entry, or of the end of an archive without entries.
  private static let magics = [Array("PK\u{3}\u{4}".utf8), Array("PK\u{5}\u{6}".utf8)]

  package static func recognizes(_ beginning: [UInt8]) -> Bool { magics.contains { beginning.starts(with: $0) } }

  package static func open(_ file: TraceFile, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace {
    try file.checkPath("a ZIP archive")
    let input = file.input
    // The lines and each analog channel need a descriptor of their own.
    file.close()
    let trace = try SigrokTrace(path: file.path)
    for notice in trace.notices { options.warn(notice) }
    return OpenTrace(decoder: SigrokDecoder(trace), metadata: nil, inputs: [input], hasFlags: true)
  }
}

/// Decodes a session.
private final class SigrokDecoder: TraceDecoder {
  private let trace: SigrokTrace

  init(_ trace: SigrokTrace) {
    self.trace = trace
    list = StreamList(trace.streams)
  }

  let list: StreamList
  var hasNext: Bool { true }
  var mayWait: Bool { false }

  func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    try trace.read(into: target)
  }
}
