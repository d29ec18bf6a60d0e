package import SluicePipeline
package import SluiceReadings

/// Reads a YAML document into a tree of nodes.
///
/// It reads maps, lists, and scalars, which stay texts. Anchors, aliases, tags, merge keys, a second document, and keys
/// that occur twice in a map are refused, each with its place, because their meaning depends on other parts of the
/// document. A document has at most ``longest`` bytes and ``mostNodes`` values, and its maps and lists are nested at
/// most ``deepest`` deep.
package struct YAMLTree {
  /// The root; nil if the document is empty, or could not be read to its end.
  package private(set) var root: StationNode?
  package private(set) var faults: [Fault] = []
  private var nodes = 0

  package static let longest = 1 << 20
  package static let deepest = 32
  package static let mostNodes = 10_000

  /// `libyaml 0.2.5`; nil if it is not installed.
  package static var libraryVersion: String? { YAMLEvents.libraryVersion }

  package init(_ bytes: [UInt8]) {
    guard bytes.count <= Self.longest else {
      refuse("it is larger than \(Self.longest >> 20) MiB", at: TextPlace(line: 1, column: 1))
      return
    }
    // Some editors begin a file with a mark of UTF-8. The library takes it for a character if it is told the encoding.
    let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
    text.withUnsafeBufferPointer { bytes in
      do throws(Fault) {
        root = try document(YAMLEvents(bytes))
      } catch {
        faults.append(error)
      }
    }
  }

  private mutating func refuse(_ sentence: String, at place: TextPlace) {
    faults.append(Fault(sentence, at: place))
  }

  private mutating func document(_ events: YAMLEvents) throws(Fault) -> StationNode? {
    var root: StationNode?
    while true {
      let event = try events.next()
      switch event.kind {
      case .documentBegin(let hasTags):
        if root != nil {
          throw Fault("a second document begins: a station file has one", at: event.place)
        }
        if hasTags { refuse("a %TAG line: a station file has no tags; leave it out", at: event.place) }
        root = try node(events.next(), events, depth: 0)
      case .streamEnd: return root
      default: continue
      }
    }
  }

  // MARK: Nodes

  /// - Parameter depth: The number of maps and lists around it.
  private mutating func node(
    _ event: YAMLEvents.Event, _ events: YAMLEvents, depth: Int
  ) throws(Fault) -> StationNode {
    nodes += 1
    guard nodes <= Self.mostNodes else {
      throw Fault("it has more than \(Self.mostNodes) values", at: event.place)
    }
    if let anchor = event.anchor {
      refuse("the anchor &\(anchor): a station file has none; write out what it stands for", at: event.place)
    }
    if let tag = event.tag {
      refuse(
        "the tag \(tag): a station file has none, since its keys say what a value is; leave it out", at: event.place)
    }
    switch event.kind {
    case .text(let text, let isPlain):
      return StationNode(isPlain && text.isEmpty ? .nothing : .text(text), at: event.place)
    case .alias(let name):
      refuse("the alias *\(name): a station file has none; write out what it stands for", at: event.place)
      return StationNode(.refused, at: event.place)
    case .listBegin:
      try checkDepth(depth, event)
      return StationNode(.list(try list(events, depth: depth + 1)), at: event.place)
    case .mapBegin:
      try checkDepth(depth, event)
      var node = StationNode(.map([]), at: event.place)
      try map(events, into: &node, depth: depth + 1)
      return node
    case .listEnd, .mapEnd, .documentBegin, .documentEnd, .other, .streamEnd:
      return StationNode(.nothing, at: event.place)
    }
  }

  private func checkDepth(_ depth: Int, _ event: YAMLEvents.Event) throws(Fault) {
    guard depth < Self.deepest else {
      throw Fault("it has more than \(Self.deepest) maps and lists within each other", at: event.place)
    }
  }

  private mutating func list(_ events: YAMLEvents, depth: Int) throws(Fault) -> [StationNode] {
    var elements: [StationNode] = []
    while true {
      let event = try events.next()
      if case .listEnd = event.kind { return elements }
      elements.append(try node(event, events, depth: depth))
    }
  }

  private mutating func map(
    _ events: YAMLEvents, into node: inout StationNode, depth: Int
  ) throws(Fault) {
    var members: [StationNode.Member] = []
    // Two texts that Swift considers equal may differ in their bytes. Then they are two names.
    var lines: [[UInt8]: Int] = [:]
    while true {
      let event = try events.next()
      if case .mapEnd = event.kind {
        node.content = .map(members)
        return
      }
      let isMerge = if case .text("<<", true) = event.kind { true } else { false }
      let key = try self.node(event, events, depth: depth)
      let value = try self.node(events.next(), events, depth: depth)
      let count = members.count
      defer { if members.count == count { node.hasLost = true } }
      switch key.content {
      case .text where isMerge:
        refuse("the merge key <<: a station file has none; write the keys out", at: key.place)
      case .text(let name):
        if let first = lines[Array(name.utf8)] {
          refuse("the key \(name) stands here for the second time: it is in line \(first) too", at: key.place)
        } else {
          lines[Array(name.utf8)] = key.place.line
          members.append(StationNode.Member(name, at: key.place, value))
        }
      case .nothing: refuse("there is no key before the colon", at: key.place)
      case .list, .map: refuse("a key is a text, and no list or map", at: key.place)
      case .refused: break
      }
    }
  }
}
