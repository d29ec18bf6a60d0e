import SluiceArguments
import SluicePipeline
import SluiceReadings

/// Stages that turn readings into results. Each stage says itself how it is written: see `StageWord`.
struct StageOptions: ArgumentGroup {
  private var given: [StageText.Word] = []
  var join: JoinArgument?

  static var rows: [ArgumentRow<Self>] {
    let others = OperatorOptions.names + [SelectStage.name]
    return StageText.words.filter { !others.contains($0.name) }.map { word in
      word.name == JoinStage.name ? joinRow : .stage(word, \.given)
    }
  }

  private static var joinRow: ArgumentRow<Self> {
    .option(
      "join", "hold|exact|T[:hold|linear|mean]",
      "Join all streams to one table with a row for each time. A channel without a value at this time holds its last one (hold) or is empty (exact). With T, a row per T: the last values, interpolated values, or means. (alone: hold)",
      \.join, alone: "hold", completion: .list(["hold", "exact"]), notice: RoundedRate.notices)
  }

  func validate() throws {
    let combines = given.contains { [ResampleStage.name, ReduceStage.name].contains($0.word.name) }
    if join?.interval != nil, combines {
      throw Fault(
        "--join=T combines readings, as --resample and --reduce do; with these, give --join without T")
    }
    _ = try stages()
  }

  /// The stages in the order in which readings pass through them. The order of the options does not matter.
  func stages() throws(Fault) -> [StagePlan] {
    var stages = try StageText.stages(given, dashes: "--")
    if let join {
      // The new names are those of the table.
      stages.insert(contentsOf: join.stages, at: stages.firstIndex { $0.stage is RenameStage } ?? stages.count)
    }
    return stages
  }
}

extension ArgumentRow {
  /// The option of a stage.
  static func stage(
    _ word: StageWord, _ place: @autoclosure @escaping () -> WritableKeyPath<Owner, [StageText.Word]>
  ) -> Self {
    // A time that is settled repeats nothing, so a rounded rate is as good.
    let hasPeriod = word.name != SettleStage.name
    let row = option(
      word.name, word.form, word.sentence + (word.isRepeated ? " Can be repeated." : ""), isRepeated: word.isRepeated,
      why: { word.why($0) }, notice: { hasPeriod ? RoundedRate.notices($0) : [] }
    ) { owner, text in
      guard word.form == nil || word.stage(text) != nil else { return false }
      owner[keyPath: place()].append((word, word.form == nil ? "true" : text))
      return true
    }
    let isCondition = word.form?.hasPrefix("CONDITION") ?? false
    return isCondition && !word.isRepeated
      ? row.insteadOfTwice("join the conditions with or, such as 'door == 1 or window == 1'") : row
  }
}
