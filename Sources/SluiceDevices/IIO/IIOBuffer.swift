import Sluice
package import SluiceReadings

/// The sizes of the kernel's buffer of scans: those that a recording asks for, and what the kernel makes of them.
enum IIOBuffer {
  /// - Parameter rate: Scans per second; nil if it is not known.
  static func limited(_ rate: Double?) -> Double { min(rate ?? 0, 1_048_576) }

  /// The length that is asked for: two seconds of scans, and at least 1,024.
  static func length(at rate: Double) -> Int { max(1_024, Int(rate.rounded()) * 2) }

  /// The longest time in nanoseconds that a scan may wait in the buffer.
  static func latency(_ options: IIOOptions) -> Int64 {
    options.latency ?? (options.watermark == nil ? 50_000_000 : ScanGathering.longest)
  }

  /// The watermark that is asked for.
  static func watermark(at rate: Double, latency: Int64, length: Int) -> Int {
    max(1, min(Int((rate * Double(latency) / 1e9).rounded(.down)), length / 2))
  }

  /// The number of scans that are kept: the next power of two (`__iio_allocate_kfifo` in
  /// drivers/iio/buffer/kfifo_buf.c).
  static func capacity(length: Int) -> Int {
    // No memory is large enough for a longer buffer.
    length < 2 || length > 1 << 40 ? length : 1 << (Int.bitWidth - (length - 1).leadingZeroBitCount)
  }
}

/// What the scans of a device will be, as sysfs has it before anything is set.
package struct IIOForecast {
  package let stream: StreamDescription
  /// Scans per second; nil if nothing says it.
  package let rate: Double?
  package let queue: KernelQueue

  /// Reads sysfs, and changes nothing.
  package init(
    device name: String, channels: [String], options: IIOOptions, roots: DeviceRoots
  ) throws(SluiceError) {
    let device = try IIODevice.find(name, roots: roots)
    stream = Publishers.IIOScans.describe(device, try device.channels(named: channels), roots, inSI: options.inSI)
    let now = device.samplingRate(trigger: options.trigger, roots: roots)?.current
    rate = (options.samplingFrequency ?? now).flatMap { Double($0) }.flatMap { $0 > 0 ? $0 : nil }
    queue = Self.queue(at: rate, options, device.buffer)
  }

  /// The queue of a device that is not known.
  package static func queue(at rate: Double?, _ options: IIOOptions) -> KernelQueue { queue(at: rate, options, nil) }

  private static func queue(at rate: Double?, _ options: IIOOptions, _ buffer: SysfsFolder?) -> KernelQueue {
    let rate = IIOBuffer.limited(rate)
    let fixed = buffer.flatMap { $0.isReadOnly("length") ? $0.readIfPresent("length").flatMap { Int($0) } : nil }
    let length = options.length ?? fixed ?? IIOBuffer.length(at: rate)
    let watermark =
      options.watermark ?? IIOBuffer.watermark(at: rate, latency: IIOBuffer.latency(options), length: length)
    // A DMA engine fills its buffer block by block.
    let isSoftware = buffer.map { !$0.isReadOnly("watermark") } ?? true
    let capacity = isSoftware ? IIOBuffer.capacity(length: length) : length
    return .readings(capacity: capacity, waiting: min(watermark, capacity))
  }
}
