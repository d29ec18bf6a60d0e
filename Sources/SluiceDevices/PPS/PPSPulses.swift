public import Sluice
public import SluiceReadings
import SluiceSystem

extension Publishers {
  /// Publishes the pulses per second of a PPS device, such as a GPS receiver. One stream has the assert edges (`pps0`).
  /// Another one has the clear edges (`pps0:clear`), if the device captures them.
  ///
  /// ```swift
  /// let pulses = try Publishers.PPSPulses(device: "0")
  /// let cancellable = pulses.sink(receiveCompletion: { print($0) }, receiveValue: { print($0.time, $0.values) })
  /// ```
  ///
  /// `sequence` is the kernel's number of the edge. `offset` says how many nanoseconds the wall clock was past a full
  /// second; it is negative before one. If a pulse begins a second, `offset` is the error of the wall clock. The kernel
  /// gives the times by the wall clock. They are converted to the clock of the recording, and flagged as uncertain if
  /// the wall clock was set at about that time.
  ///
  /// There may be one subscriber. Pulses come on a thread of the publisher, which reads only while there is demand. The
  /// kernel keeps only the last edge; missing numbers are counted exactly (``DeviceLosses/Sign/skipped``). If the
  /// device is removed, the publisher fails with `SluiceError.Code.disconnected`.
  public struct PPSPulses: DevicePublisher {
    /// One per edge.
    public let streams: [StreamDescription]
    public let losses = DeviceLosses(coverage: .all)
    public var thread: DeviceThread

    /// - Parameters:
    ///   - device: The number of the device, `pps0` or the path of its file.
    ///   - stream: The number of the first stream.
    public init(
      device: String, stream: StreamID = StreamID(0), roots: DeviceRoots = DeviceRoots()
    ) throws(SluiceError) {
      try self.init(device, stream, roots) { ioctl($0, $1, $2) }
    }

    init(
      _ device: String, _ stream: StreamID, _ roots: DeviceRoots, _ request: @escaping DeviceRequest
    ) throws(SluiceError) {
      let session = try PPSSession(try PPSDevice.find(device, roots: roots), roots, request)
      streams = session.edges.map { edge in
        StreamDescription(
          name: session.device.id + (edge == .clear ? ":clear" : ""),
          channels: [
            StreamDescription.Channel(name: "sequence"), StreamDescription.Channel(name: "offset", unit: "ns"),
          ], device: session.device.identity(roots))
      }
      thread = try DeviceThread("PPSPulses", from: stream) { [losses] in PPSReader(session, losses, $0, $1) }
    }
  }
}

extension Publishers.PPSPulses: ReadingSource {}
