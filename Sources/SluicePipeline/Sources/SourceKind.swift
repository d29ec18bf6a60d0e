/// What kind of source readings come from, as it is written in `KIND:WHAT` and as an option of the same name.
package enum SourceKind: String, CaseIterable {
  case gpio
  case gpioName = "gpio-name"
  case gpioValues = "gpio-values"
  case iio
  case iioEvents = "iio-events"
  case poll
  case timer

  /// What WHAT looks like.
  package var form: String {
    switch self {
    case .gpio: "CHIP:LINE[,LINE...]"
    case .gpioName: "NAME[,NAME...]"
    case .gpioValues: "CHIP:LINE[,LINE...]@PERIOD"
    case .iio: "DEVICE[:CHANNEL,...]"
    case .iioEvents: "DEVICE[:EVENT[=VALUE],...]"
    case .poll: "FILE@PERIOD"
    case .timer: "PERIOD"
    }
  }

  package var example: String {
    switch self {
    case .gpio: "gpiochip0:3,4"
    case .gpioName: "METER,DOOR"
    case .gpioValues: "gpiochip0:3,4@10ms"
    case .iio: "bmi160:accel_x,accel_y"
    case .iioEvents: "adxl345:accel_x_thresh_rising=300"
    case .poll: "thermal:cpu-thermal@1s"
    case .timer: "10ms"
    }
  }

  /// What can be set for one source of this kind.
  package var keys: [SourceSettings.Key] {
    switch self {
    case .gpio, .gpioName:
      [.edges, .bias, .activeLow, .debounce, .fifo, .eventClock, .initialLevel, .consumer, .reconnect]
    case .gpioValues: [.bias, .activeLow, .consumer, .reconnect]
    case .iio: [.sampleRate, .trigger, .watermark, .latency, .length, .reconnect, .si]
    case .iioEvents: [.reconnect]
    case .poll: [.si]
    case .timer: []
    }
  }
}
