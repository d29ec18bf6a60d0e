import SluiceReadings

/// The channel of each variable of a value change dump.
struct VCDStreams {
  struct Place { let stream, channel: Int }

  private(set) var streams: [StreamDescription] = []
  /// The place of each variable; nil if it is left out.
  private(set) var places: [Place?] = []
  /// A message that names the left out variables; nil if there are none.
  private(set) var leftOut: String?

  /// All streams share a device, because values of one time may be in one row.
  private static let file = StreamDescription.Device()

  /// Follows the metadata: the scopes are the streams, and their variables are the channels, in the same order.
  init?(_ described: [StreamDescription], of header: VCDHeader) {
    guard described.count == header.scopes.count, described.count <= TraceMetadata.mostStreams,
      Set(described.map { ExactName($0.name) }).count == described.count
    else { return nil }
    var counts = Array(repeating: 0, count: described.count)
    for variable in header.variables {
      guard let scope = variable.scope, header.scopes[scope].parent == nil,
        counts[scope] < min(described[scope].channels.count, Values.capacity)
      else { return nil }
      // A scaled level is a real. Only a level is ever a line.
      let isLevel = described[scope].channels[counts[scope]].format == StreamDescription.Channel.level
      guard variable.kind == .real || (variable.kind == .level && isLevel) else { return nil }
      places.append(Place(stream: scope, channel: counts[scope]))
      counts[scope] += 1
    }
    guard counts == described.map(\.channels.count) else { return nil }
    streams = described
  }

  /// Follows the names of the variables.
  init(_ header: VCDHeader, _ file: TraceFile) throws(SluiceError) {
    let names = ScopeNames(header)
    /// The stream of each scope that accepts more channels. -1 stands for variables without a scope.
    var open: [Int: Int] = [:]
    /// By stream, the variable whose scopes can make the name different from others.
    var variables: [VCDHeader.Variable?] = []
    var others: [String] = []
    var left = 0
    for (number, variable) in header.variables.enumerated() {
      switch variable.kind {
      case .unreadable:
        places.append(nil)
        left += 1
        if others.count < 64 { others.append(names.whole(variable)) }
        continue
      case .level:
        let isAlone = names.isLevelAlone(number)
        let path = isAlone ? variable.scope.map { names.path($0) } ?? "" : ""
        let name = path.isEmpty ? variable.name : path
        places.append(Place(stream: streams.count, channel: 0))
        streams.append(
          StreamDescription(
            name: name, channels: [.init(name: "level", format: StreamDescription.Channel.level)], device: Self.file))
        variables.append(isAlone ? nil : variable)
      case .vector, .real:
        var stream = open[variable.scope ?? -1] ?? streams.count
        if stream < streams.count, streams[stream].channels.count == Values.capacity { stream = streams.count }
        if stream == streams.count {
          open[variable.scope ?? -1] = stream
          let path = variable.scope.map { names.path($0) } ?? ""
          let name = path.isEmpty ? file.stem : path
          streams.append(StreamDescription(name: name, channels: [], device: Self.file))
          variables.append(nil)
        }
        places.append(Place(stream: stream, channel: streams[stream].channels.count))
        streams[stream].channels.append(.init(name: variable.name))
      }
      guard streams.count <= TraceMetadata.mostStreams else {
        throw SluiceError(
          .unsupported, "read", file.name,
          because: "it has more than \(TraceMetadata.mostStreams) streams: each variable of one bit is one")
      }
    }
    guard !streams.isEmpty else {
      throw SluiceError(
        .unsupported, "read", file.name, because: "it declares no variable that is a number of at most 63 bits")
    }
    setNames(variables, names)
    if left > 0 {
      let shown = others.joined(separator: ", ") + (left > others.count ? " and \(left - others.count) more" : "")
      leftOut = "variables that are not numbers of at most 63 bits are left out: \(shown)"
    }
  }

  /// Makes names different: by the scopes around a variable, or else by a number after the name.
  private mutating func setNames(_ variables: [VCDHeader.Variable?], _ names: ScopeNames) {
    var uses: [String: Int] = [:]
    for stream in streams { uses[stream.name, default: 0] += 1 }
    var distinct = DistinctNames()
    for (index, variable) in variables.enumerated() {
      let name = streams[index].name
      let isOnly = uses[name] == 1
      streams[index].name = distinct.distinct(isOnly ? name : variable.map(names.whole) ?? name)
    }
    for index in streams.indices where streams[index].channels.count > 1 {
      var distinct = DistinctNames()
      for channel in streams[index].channels.indices {
        streams[index].channels[channel].name = distinct.distinct(streams[index].channels[channel].name)
      }
    }
  }
}

/// The names of scopes and variables, with the scopes around them.
private struct ScopeNames {
  private let header: VCDHeader
  /// The number of variables in each scope.
  private var counts: [Int]
  /// A single outermost scope. It is not part of names, unless it has variables itself.
  private let top: Int?

  init(_ header: VCDHeader) {
    self.header = header
    counts = Array(repeating: 0, count: header.scopes.count)
    for scope in header.variables.lazy.compactMap(\.scope) { counts[scope] += 1 }
    let outermost = header.scopes.indices.filter { header.scopes[$0].parent == nil }
    let isOnly = outermost.count == 1 && header.variables.allSatisfy { $0.scope != nil && $0.scope != outermost[0] }
    top = isOnly ? outermost[0] : nil
  }

  func path(_ scope: Int) -> String {
    var names: [String] = []
    var next: Int? = scope
    while let scope = next, scope != top {
      if !header.scopes[scope].name.isEmpty { names.append(header.scopes[scope].name) }
      next = header.scopes[scope].parent
    }
    return names.reversed().joined(separator: ".")
  }

  func whole(_ variable: VCDHeader.Variable) -> String {
    let scopes = variable.scope.map { path($0) } ?? ""
    return scopes.isEmpty ? variable.name : "\(scopes).\(variable.name)"
  }

  /// Whether a variable is a level, and the only variable of its scope.
  func isLevelAlone(_ number: Int) -> Bool {
    let variable = header.variables[number]
    return variable.name == "level" && variable.scope.map { counts[$0] } == 1
  }
}

/// Makes names different: `a`, `a.2`, `a.3`.
private struct DistinctNames {
  private var next: [String: Int] = [:]

  mutating func distinct(_ name: String) -> String {
    guard var number = next[name] else {
      next[name] = 2
      return name
    }
    while next["\(name).\(number)"] != nil { number += 1 }
    next[name] = number + 1
    let distinct = "\(name).\(number)"
    next[distinct] = 2
    return distinct
  }
}
