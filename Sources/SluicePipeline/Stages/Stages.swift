public import SluiceReadings
import SluiceRecording

/// The registry of all stages.
public enum Stages {
  static let own: [any RecordingStage.Type] = [
    BufferStage.self,
    SelectStage.self,
    SettleStage.self,
    PulseWidthStage.self,
    FrequencyStage.self,
    PulseCountStage.self,
    QuadratureStage.self,
    DHTStage.self,
    OneWireStage.self,
    ScaleStage.self,
    WhileStage.self,
    AroundStage.self,
    WhereStage.self,
    DedupeStage.self,
    OnChangeStage.self,
    ResampleStage.self,
    ReduceStage.self,
    JoinStage.self,
    RenameStage.self,
    EveryStage.self,
    ThrottleStage.self,
    CollectStage.self,
  ]

  private static let more = AddedKinds<any RecordingStage.Type>("stage")

  package static var all: [any RecordingStage.Type] { own + more.all }

  /// Whether there are stages of ``add(_:)``.
  static var hasAdded: Bool { !more.all.isEmpty }

  /// Whether it is a stage of ``add(_:)``.
  static func isAdded(_ name: String) -> Bool { more.names.contains(name) }

  package static var names: [String] { all.map { $0.name } }

  package static func named(_ name: String) -> (any RecordingStage.Type)? { all.first { $0.name == name } }

  /// Makes a stage known to plans. Call it before the first of them is read. Any thread may call it.
  ///
  /// ```swift
  /// try Stages.add(CelsiusStage.self)
  /// let plan = try RecordingPlan(json: text)  // has {"stage": "celsius", "channel": "temp"}
  /// ```
  /// - Throws: A `SluiceError` if a stage has this name already, or if the name has other characters than small letters,
  ///   digits and hyphens.
  public static func add(_ stage: any RecordingStage.Type) throws(SluiceError) {
    try more.add(stage, stage.name, besides: own.map { $0.name })
  }

  /// Removes a stage that ``add(_:)`` has added. For tests, which share one process.
  package static func remove(_ stage: any RecordingStage.Type) { more.remove(stage.name) }
}
