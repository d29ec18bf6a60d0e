import SluiceArguments
import SluiceDevices
import SluicePipeline

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
        "[NAME=]KIND:WHAT[,key=value...]: door=gpio:gpiochip0:3,edges=rising iio:bmi160:accel_x,sample-rate=400 poll:thermal:cpu-thermal@1s sim:imu@200 sim:meter. KIND is \(Self.kinds); some are an option too. A key is the name of an option in the group settings, or of a stage or operator for this source alone, such as throttle=1s; a flag needs no value.",
        \.sources, isNeeded: false, completion: .source, notice: RoundedRate.noticesOfSource),
      .option(
        "gpio", GPIOSource.form, "Edges of GPIO lines, by offset or name: gpiochip0:3,4. Can be repeated.", \.gpio,
        completion: .source(GPIOSource.self)),
      .option(
        "gpio-name", GPIONameSource.form,
        "Edges of GPIO lines by their names, on whichever chips they are. Can be repeated.", \.gpioName,
        completion: .source(GPIONameSource.self)),
      .option(
        "gpio-values", GPIOValuesSource.form,
        "Levels of GPIO lines, read every PERIOD: gpiochip0:3,4@10ms. Can be repeated.", \.gpioValues,
        completion: .source(GPIOValuesSource.self)),
      .option(
        "iio", IIOSource.form, "Scans of an IIO device, all channels or some: bmi160:accel_x,accel_y. Can be repeated.",
        \.iio, completion: .source(IIOSource.self)),
      .option(
        "iio-events", IIOEventsSource.form,
        "Events of an IIO device, all or some: adxl345:accel_x_thresh_rising=300. Can be repeated.", \.iioEvents,
        completion: .source(IIOEventsSource.self)),
      .option(
        "poll", PolledSource.form,
        "The number in a file, read every PERIOD such as 1s; also hwmon:CHIP:SENSOR, thermal:TYPE, iio:DEVICE:CHANNEL. Can be repeated.",
        \.poll, completion: .source(PolledSource.self), notice: RoundedRate.notices),
      .option(
        "timer", TimerSource.form,
        "The ticks of a timer of a PERIOD such as 10ms, for trying things out. Can be repeated.", \.timer,
        completion: .source(TimerSource.self), notice: RoundedRate.notices),
    ]
  }

  var isEmpty: Bool {
    [sources, gpio, gpioName, gpioValues, iio, iioEvents, poll, timer].allSatisfy(\.isEmpty)
  }

  /// The sources in the order of their streams: first those without an option, then by kind. A source has the common
  /// settings unless it has its own.
  func plans(_ settings: SettingOptions) throws -> [SourcePlan] {
    var arguments: [SourcePlan] = []
    func append(_ make: () throws -> SourcePlan) throws {
      do {
        arguments.append(try make())
      } catch let error as UsageError {
        throw ArgumentFault(error.description)
      }
    }
    for text in sources { try append { try SourcePlan(argument: text) } }
    for (kind, texts) in [
      (GPIOSource.self, gpio), (GPIONameSource.self, gpioName), (GPIOValuesSource.self, gpioValues),
      (IIOSource.self, iio), (IIOEventsSource.self, iioEvents), (PolledSource.self, poll), (TimerSource.self, timer),
    ] as [(any SourceKind.Type, [String])] {
      for text in texts { try append { try SourcePlan(text, of: kind) } }
    }
    if arguments.isEmpty {
      throw ArgumentFault(
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
