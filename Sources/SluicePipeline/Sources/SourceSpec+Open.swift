package import SluiceDevices
package import SluiceReadings

extension SourceSpec {
  /// Opens all sources or none. Each stream has a different name.
  /// - Parameters:
  ///   - others: Sources that are open already. They follow those of the arguments.
  ///   - check: Called before each source; throws if no more sources may be opened.
  /// - Returns: The sources of each argument, and then each of the others.
  package static func open(
    _ arguments: [SourceSpec], _ context: SourceContext, besides others: [any ReadingSource] = [],
    check: () throws(SluiceError) -> Void = {}
  ) throws(SluiceError) -> [[Source]] {
    for source in others { try StreamNames.checkForeign(source.streams) }
    try StreamNames.check(arguments)
    var opened = arguments.map { _ in [any ReadingSource]() }
    let order =
      arguments.indices.filter { arguments[$0].kind.isOpenedFirst }
      + arguments.indices.filter { !arguments[$0].kind.isOpenedFirst }
    for index in order {
      try check()
      opened[index] = try arguments[index].source.open(arguments[index].settings, context)
      guard SourceKinds.isAdded(arguments[index].kind) else { continue }
      for source in opened[index] { try StreamNames.checkForeign(source.streams) }
    }
    return try named(
      zip(opened, arguments).map { ($0.map { Source($0) }, name: $1.name) }
        + others.map { ([Source($0)], name: nil) })
  }

  /// - Parameter opened: Sources with the name that the user gave to them.
  static func named(_ opened: [(sources: [Source], name: String?)]) throws(SluiceError) -> [[Source]] {
    var streams: [StreamDescription] = []
    var isGiven: [Bool] = []
    for (sources, name) in opened {
      let own = sources.flatMap(\.streams)
      streams += name.map { StreamNames.named(own, $0) } ?? own
      isGiven += own.map { _ in name != nil }
    }
    var names = try StreamNames.distinct(streams, isGiven: isGiven)[...]
    return opened.map { sources, _ in
      sources.map { source in
        var source = source
        source.streams = Array(names.prefix(source.streams.count))
        names = names.dropFirst(source.streams.count)
        return source
      }
    }
  }
}
