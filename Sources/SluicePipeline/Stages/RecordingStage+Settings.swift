import SluiceReadings

extension RecordingStage {
  /// The first of its settings, which a station file may leave unnamed.
  static var firstKey: PlanKey? { settings.keys.first }

  /// Its settings, how they are written, and what they are. Those that it cannot be without come first.
  static var forms: [(key: String, form: ValueForm, words: String?)] {
    let words = Array(repeating: nil, count: requiredCount) + settings.optional.map(\.sentence)
    return zip(zip(settings.keys, settings.forms), words).map { ($0.0.text, $0.1, $1) }
  }
  static var requiredCount: Int { settings.requiredCount }
  /// Whether it has a total, which goes on in the next run. The number of a window is no total, because any larger
  /// number may follow it.
  static var isTotal: Bool { self is any TotalStage.Type && !(self is any WindowStage.Type) }

  /// Decodes the settings of an object of a plan.
  init(plan node: PlanNode) throws(Fault) {
    let object = try PlanObject(node, keys: Self.settings.keys)
    try object.checkKeys(besides: [StagePlan.key.text], "\(Self.name) has no such setting")
    self = try Self.settings.decode(object)
    if let conflict {
      throw object.error(
        at: [conflict.key].compactMap { $0.map { PlanKey($0) } }, conflict.sentence, about: .several)
    }
  }

  /// What is written of its settings in a plan.
  var members: [(String, JSON)] { Self.settings.members(self) }
}
