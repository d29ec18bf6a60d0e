import CYAML
import SluicePipeline
import SluiceReadings

/// The events of libyaml: the values of a document, and the beginnings and ends of its maps and lists, in order.
///
/// The memory that libyaml has allocated for an event is freed before the event is returned.
final class YAMLEvents {
  struct Event {
    enum Kind {
      case text(String, isPlain: Bool)
      case alias(String)
      case listBegin, listEnd, mapBegin, mapEnd
      case documentBegin(hasTags: Bool)
      case documentEnd
      /// The beginning of the stream, or a kind of event that is not known here.
      case other
      case streamEnd
    }

    var kind: Kind
    var place: TextPlace
    var anchor: String?
    var tag: String?
  }

  // libyaml keeps addresses within the parser, so the parser must not move.
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private let bytes: UnsafeBufferPointer<UInt8>
  private let isReady: Bool

  static var libraryVersion: String? {
    cyaml_load() == nil ? "libyaml \(String(cString: yaml_get_version_string()))" : nil
  }

  /// - Parameter bytes: The document. The bytes must not move while these events are used.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    parser.initialize(to: yaml_parser_t())
    isReady = cyaml_load() == nil && yaml_parser_initialize(parser) == 1
    guard isReady else { return }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    if isReady { yaml_parser_delete(parser) }
    parser.deinitialize(count: 1)
    parser.deallocate()
  }

  func next() throws(Fault) -> Event {
    var event = yaml_event_t()
    guard isReady, yaml_parser_parse(parser, &event) == 1 else { throw fault }
    defer { yaml_event_delete(&event) }
    return Self.event(event)
  }

  private static func event(_ event: yaml_event_t) -> Event {
    let place = place(event.start_mark)
    switch event.type {
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      return Event(
        kind: .text(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE), place: place,
        anchor: string(scalar.anchor), tag: string(scalar.tag))
    case YAML_ALIAS_EVENT: return Event(kind: .alias(string(event.data.alias.anchor) ?? ""), place: place)
    case YAML_SEQUENCE_START_EVENT:
      let start = event.data.sequence_start
      return Event(kind: .listBegin, place: place, anchor: string(start.anchor), tag: string(start.tag))
    case YAML_MAPPING_START_EVENT:
      let start = event.data.mapping_start
      return Event(kind: .mapBegin, place: place, anchor: string(start.anchor), tag: string(start.tag))
    case YAML_SEQUENCE_END_EVENT: return Event(kind: .listEnd, place: place)
    case YAML_MAPPING_END_EVENT: return Event(kind: .mapEnd, place: place)
    case YAML_DOCUMENT_START_EVENT:
      let tags = event.data.document_start.tag_directives
      return Event(kind: .documentBegin(hasTags: tags.start != tags.end), place: place)
    case YAML_DOCUMENT_END_EVENT: return Event(kind: .documentEnd, place: place)
    case YAML_STREAM_END_EVENT: return Event(kind: .streamEnd, place: place)
    default: return Event(kind: .other, place: place)
    }
  }

  private static func string(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    text.map { String(cString: $0) }
  }

  private static func place(_ mark: yaml_mark_t) -> TextPlace {
    TextPlace(line: mark.line + 1, column: mark.column + 1)
  }

  // MARK: Faults

  /// A fault of the syntax, after which libyaml cannot go on.
  private var fault: Fault {
    guard isReady, parser.pointee.error != YAML_MEMORY_ERROR else {
      return Fault("there is no memory to read it", at: TextPlace(line: 1, column: 1))
    }
    let problem = parser.pointee.problem.map { String(cString: $0) } ?? "it cannot be read"
    // Bytes that are no character have an offset instead of a mark.
    if parser.pointee.error == YAML_READER_ERROR {
      return Fault("this is no text in UTF-8: \(problem)", at: place(ofByte: parser.pointee.problem_offset))
    }
    let mark = parser.pointee.problem_mark
    if byte(at: mark.index) == UInt8(ascii: "\t") {
      return Fault("a tab stands where YAML takes spaces only: write spaces", at: Self.place(mark))
    }
    if problem.hasPrefix("block sequence entries are not allowed"), byte(at: mark.index) == UInt8(ascii: "-") {
      return Fault(
        "a hyphen begins an element of a list, which cannot be here; \"-\" is a text", at: Self.place(mark))
    }
    let context = parser.pointee.context.map { context in
      " (\(String(cString: context)), which began in line \(parser.pointee.context_mark.line + 1))"
    }
    return Fault("this is no YAML: \(problem)\(context ?? "")", at: Self.place(mark))
  }

  /// - Parameter index: The number of a character, from 0.
  private func byte(at index: Int) -> UInt8? {
    var characters = 0
    for byte in bytes where byte & 0xC0 != 0x80 {
      if characters == index { return byte }
      characters += 1
    }
    return nil
  }

  private func place(ofByte offset: Int) -> TextPlace {
    let before = bytes.prefix(max(0, offset))
    let line = before.reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    // Only the first byte of a character counts.
    let column = before[start...].reduce(1) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
    return TextPlace(line: line, column: column)
  }
}
