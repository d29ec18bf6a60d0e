import SluicePipeline
import SluiceReadings
import SluiceRecording

/// Random outputs of one command: their plans, and the words that mean them.
struct RandomOutputs {
  var plans: [OutputPlan] = []
  var words: [String] = []
  var sync: SyncPolicy?

  /// - Parameters:
  ///   - name: The beginning of the names of its files.
  ///   - span: The length of the trace, of which the periods of parts are a part.
  ///   - count: The number of its readings: a part has some of them, since thousands of parts take minutes.
  ///   - mayBeRaw: Whether the values of the trace are raw.
  init(_ random: inout Randomness, named name: String, span: Int64, count: Int, mayBeRaw: Bool) {
    let paths = (0..<random.pick([1, 1, 1, 2, 3])).map { Self.path("\(name)\($0)", &random) }
    let format = random.chance(8) ? random.pick(RecordingFormats.names) : nil
    let types = paths.map { RecordingFormats.type(of: $0, format) }
    func any(_ has: (any RecordingFormat.Type) -> Bool) -> Bool { types.contains(where: has) }
    let hasCSV = any { $0 == CSVFormat.self }
    let isInParts =
      random.chance(20) && types.allSatisfy { $0.hasParts }
      && !paths.contains { RecordingFormats.compression(of: $0) != nil }
    let layout = hasCSV && random.chance(50) ? random.pick(CSVLayout.allCases) : nil
    let time = any { $0.takesTimes } && random.chance(30) ? random.pick(RowTime.allCases) : .nanoseconds
    let isRaw = mayBeRaw && random.chance(30)
    let decimals = !isRaw && any { $0.takesDecimals } && random.chance(20) ? random.number(0...18) : nil
    let headerUnits = !isRaw && hasCSV && layout != .long && random.chance(15)
    let tags = any { $0.hasTags } && random.chance(30) ? Self.tags(&random) : []
    let rotation = isInParts ? Self.rotation(&random, span, count) : nil
    sync = random.chance(10) ? random.pick([SyncPolicy("none"), SyncPolicy("batch"), SyncPolicy("10ms")]) : nil

    plans = zip(paths, types).map { path, type in
      var plan = OutputPlan(
        path, format: format, layout: type == CSVFormat.self ? layout : nil, raw: isRaw,
        time: type.takesTimes ? time : .nanoseconds, decimals: type.takesDecimals ? decimals : nil,
        headerUnits: headerUnits && type == CSVFormat.self, rotation: rotation)
      plan.tags = type.hasTags ? tags : []
      return plan
    }
    words = paths.flatMap { ["-o", $0] }
    if isRaw { words.append("--raw") }
    if let format { words += ["--format", format] }
    if let layout { words += ["--layout", layout.rawValue] }
    if time != .nanoseconds { words += ["--time", time.rawValue] }
    if let decimals { words += ["--decimals", "\(decimals)"] }
    if headerUnits { words.append("--header-units") }
    for tag in tags { words += ["--tag", "\(tag)"] }
    if let rotation { words += ["--rotate", rotation.description] }
    if let sync { words += ["--sync", "\(sync)"] }
  }

  private static func tags(_ random: inout Randomness) -> [RowTag] {
    // No name is that of a channel.
    let names = ["site name", "tag,ü=", "\"tag\""].prefix(random.number(1...3))
    return names.map { name in
      let value = (0..<random.number(1...6)).map { _ in random.pick(["a", " ", ",", "=", "\\", "\"", "ü", "\n", "-"]) }
      return RowTag(name: name.replacing("=", with: ""), value: value.joined())
    }
  }

  private static func path(_ name: String, _ random: inout Randomness) -> String {
    if random.chance(12) { return "\(name)/" }
    let endings = RecordingFormats.all.map { $0.extensions[0] }
    let path = "\(name).\(random.pick(endings))"
    guard !path.hasSuffix(".db"), !path.hasSuffix(".mcap"), random.chance(12), !Compressions.all.isEmpty else {
      return path
    }
    return "\(path).\(random.pick(Compressions.all.map { $0.ending }))"
  }

  private static func rotation(_ random: inout Randomness, _ span: Int64, _ count: Int) -> Rotation {
    var rotation = Rotation()
    if random.chance(60) { rotation.period = .nanoseconds(max(1, span / random.number(1...6))) }
    if rotation.period == nil || random.chance(20) { rotation.size = random.number(40...6_000) + 20 * count }
    return rotation
  }

  /// Gives an output stages and a buffer of its own.
  /// - Returns: Whether that can be written behind its path. A name with a comma or an equals sign may look like a key.
  mutating func give(_ chosen: [RandomStages.Choice], buffer: Int?, to index: Int) -> Bool {
    let path = plans[index].path
    // `--where` and its condition are two words; the others are one.
    var pieces: [String] = []
    for word in chosen.flatMap(\.words) {
      if word.hasPrefix("--") {
        pieces.append(String(word.dropFirst(2)))
      } else {
        pieces[pieces.count - 1] += "=\(word)"
      }
    }
    if let buffer { pieces.append("buffer=\(buffer)") }
    let text = ([path] + pieces).joined(separator: ",")
    var plan = plans[index]
    plan.stages = chosen.map(\.stage)
    plan.buffer = buffer.map { OutputPlan.Buffer($0) }
    guard !pieces.isEmpty, let place = words.firstIndex(of: path), let parsed = try? OutputText(text),
      parsed.path == path, parsed.adding(to: plans[index]) == plan
    else { return false }
    plans[index] = plan
    words[place] = text
    return true
  }

  /// The same with `--append`.
  var appending: RandomOutputs {
    var outputs = self
    outputs.words.append("--append")
    for index in plans.indices { outputs.plans[index].existing = .append }
    return outputs
  }

  /// Whether a further run may go on with all of them.
  var canAppend: Bool {
    plans.allSatisfy { plan in
      (RecordingFormats.type(of: plan.path, plan.format).canAppend || plan.rotation != nil)
        && RecordingFormats.compression(of: plan.path) == nil && plan.time != .relative
    }
  }
}

extension OutputPlan {
  var formatName: String { RecordingFormats.type(of: path, format).name }
  var isFolder: Bool { path.hasSuffix("/") }
}
