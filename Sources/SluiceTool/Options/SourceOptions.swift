import SluiceArguments
import SluiceDevices
import SluicePipeline
import SluiceReadings

/// The sources to record.
struct SourceOptions: ArgumentGroup {
  /// The names of the kinds. Those that a program has added are on no page, so they have their forms too.
  private static var kinds: String {
    SourceKinds.all.map { kind in SourceKinds.isAdded(kind) ? "\(kind.name):\(kind.form)" : kind.name }
      .joined(separator: ", ")
  }

  var sources: [String] = []
  var gpio: [String] = []
  var gpioName: [String] = []
  var gpioValues: [String] = []
  var iio: [String] = []
  var iioEvents: [String] = []
  var poll: [String] = []
  var timer: [String] = []

  static var rows: [ArgumentRow<Self>] {
    [
      .argument(
        "source",
        "[NAME=]KIND:WHAT[,key=value...]: door=gpio:gpiochip0:3,edges=rising iio:bmi160:accel_x,sample-rate=400 poll:thermal:cpu-thermal@1s sim:imu@200 sim:meter. KIND is \(Self.kinds). A key is one of the group keys, or a stage or operator for this source alone, such as throttle=1s; a flag needs no value.",
        \.sources, isNeeded: false, completion: .source, notice: RoundedRate.noticesOfSource)
    ]
      + old.map { kind, place in
        .old(kind, place)
      }
  }

  /// The kinds that have an option too, as all had in the beginning.
  private static var old: [(any SourceKind.Type, WritableKeyPath<Self, [String]>)] {
    [
      (GPIOSource.self, \.gpio), (GPIONameSource.self, \.gpioName), (GPIOValuesSource.self, \.gpioValues),
      (IIOSource.self, \.iio), (IIOEventsSource.self, \.iioEvents), (PolledSource.self, \.poll),
      (TimerSource.self, \.timer),
    ]
  }

  /// The sources in the order of their streams: first those without an option, then by kind. A source has the common
  /// settings unless it has its own.
  func plans(_ settings: SettingOptions) throws -> [SourcePlan] {
    var arguments: [SourcePlan] = []
    for text in sources { arguments.append(try SourcePlan(argument: text)) }
    for (kind, place) in Self.old {
      for text in self[keyPath: place] { arguments.append(try SourcePlan(text, of: kind)) }
    }
    if arguments.isEmpty {
      throw Fault(
        "say what to record, such as gpio:gpiochip0:3, iio:bmi160 or timer:10ms; 'sluice list' shows the devices")
    }
    try settings.check(for: arguments.map(\.spec))
    let defaults = settings.settings
    for index in arguments.indices {
      let kind = arguments[index].spec.kind
      arguments[index].spec.settings = arguments[index].spec.settings.or(defaults.only(kind.keys))
    }
    return arguments
  }
}

extension ArgumentRow {
  /// An option that was the same as a source of a kind.
  static func old(
    _ kind: any SourceKind.Type, _ place: @autoclosure @escaping () -> WritableKeyPath<Owner, [String]>
  ) -> Self {
    ArgumentRow.option(
      kind.name, kind.form, "The source \(kind.name):\(kind.form).", place(), completion: .source(kind),
      notice: RoundedRate.notices
    )
    .written { text in
      let name = text.prefix { ![":", ",", "="].contains($0) }
      guard text[name.endIndex...].hasPrefix("=") else { return "\(kind.name):\(text)" }
      return "\(name)=\(kind.name):\(text[text.index(after: name.endIndex)...])"
    }
  }
}
