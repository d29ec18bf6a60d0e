import SluiceDevices
import SluiceReadings

extension SourceSpec {
  /// Opens all sources or none, each stream with a name of its own.
  /// - Parameter check: Called before each; throws if no more are to be opened.
  /// - Returns: The sources, those of one argument together, in the order of the arguments.
  package static func open(
    _ arguments: [SourceSpec], _ context: SourceContext, check: () throws -> Void = {}
  ) throws -> [Source] {
    try StreamNames.check(arguments)
    var opened = arguments.map { _ in [Source]() }
    var madeTriggers: Set<String> = []
    // Events before scans, since they open the device for a moment, which only one program may do at a time.
    let order =
      arguments.indices.filter { arguments[$0].kind == .iioEvents }
      + arguments.indices.filter {
        arguments[$0].kind != .iioEvents
      }
    for index in order {
      try check()
      let (trigger, isNew) = arguments[index].settings.triggerName
      let makesTrigger = isNew && arguments[index].kind == .iio && madeTriggers.insert(trigger ?? "").inserted
      opened[index] = try arguments[index].open(makesTrigger: makesTrigger, context)
    }
    return try named(opened, arguments)
  }

  /// A source for each device.
  private func open(makesTrigger: Bool, _ context: SourceContext) throws(SluiceError) -> [Source] {
    switch (kind, what) {
    case (.iio, .device(let device)):
      return [try .scans(of: device, settings, makesTrigger: makesTrigger, context)]
    case (.iioEvents, .device(let device)): return [try .events(of: device, settings, context)]
    case (_, .device(let device)):
      return [try .edges(of: GPIOLines(chip: device.device, lines: device.parts), settings, context)]
    case (_, .names(let names)):
      var sources: [Source] = []
      for lines in try GPIOLines.named(names, root: context.roots.dev) {
        sources.append(try .edges(of: lines, settings, context))
      }
      return sources
    case (_, .polledLines(let lines)): return [try .values(of: lines, settings, context)]
    case (_, .file(let file)): return [try .polled(file, settings, context)]
    case (_, .period(let period)): return [.timer(period)]
    }
  }

  private static func named(_ opened: [[Source]], _ arguments: [SourceSpec]) throws(SluiceError) -> [Source] {
    var streams: [StreamDescription] = []
    var isGiven: [Bool] = []
    for (sources, argument) in zip(opened, arguments) {
      let own = sources.flatMap(\.streams)
      streams += argument.name.map { StreamNames.named(own, $0) } ?? own
      isGiven += own.map { _ in argument.name != nil }
    }
    var names = try StreamNames.distinct(streams, isGiven: isGiven)[...]
    return opened.flatMap { $0 }.map { source in
      var source = source
      source.streams = Array(names.prefix(source.streams.count))
      names = names.dropFirst(source.streams.count)
      return source
    }
  }
}
