import SluiceDevices
package import SluiceReadings

extension SourceSpec {
  /// Opens all sources or none. Each stream has a different name.
  /// - Parameter check: Called before each source; throws if no more sources may be opened.
  /// - Returns: The sources of each argument.
  package static func open(
    _ arguments: [SourceSpec], _ context: SourceContext, check: () throws(SluiceError) -> Void = {}
  ) throws(SluiceError) -> [[Source]] {
    try StreamNames.check(arguments)
    var opened = arguments.map { _ in [Source]() }
    let order =
      arguments.indices.filter { arguments[$0].kind.isOpenedFirst }
      + arguments.indices.filter { !arguments[$0].kind.isOpenedFirst }
    for index in order {
      try check()
      opened[index] = try arguments[index].source.open(arguments[index].settings, context)
    }
    return try named(opened, arguments)
  }

  private static func named(_ opened: [[Source]], _ arguments: [SourceSpec]) throws(SluiceError) -> [[Source]] {
    var streams: [StreamDescription] = []
    var isGiven: [Bool] = []
    for (sources, argument) in zip(opened, arguments) {
      let own = sources.flatMap(\.streams)
      streams += argument.name.map { StreamNames.named(own, $0) } ?? own
      isGiven += own.map { _ in argument.name != nil }
    }
    var names = try StreamNames.distinct(streams, isGiven: isGiven)[...]
    return opened.map { sources in
      sources.map { source in
        var source = source
        source.streams = Array(names.prefix(source.streams.count))
        names = names.dropFirst(source.streams.count)
        return source
      }
    }
  }
}
