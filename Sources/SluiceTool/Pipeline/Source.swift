import Sluice
import SluiceDevices
import SluiceRecording

/// Something that readings come from: a device, a timer, a trace.
struct Source {
  var streams: [StreamDescription]
  /// Values are whole numbers before offset and scale.
  var isWhole = false
  /// A trace waits until it is asked; a device does not, so that what is not asked for is lost.
  var waits = false
  /// Makes the publisher; its readings' streams are numbered from the given one, and timed by the clock of the recording.
  var publisher: (StreamID, EpochClock) -> AnyPublisher<Reading, SluiceError>
  /// Ends the stream where it begins; nil where the pipeline is to cut it off.
  var finish: (() -> Void)?
  /// Makes a publisher of the same readings in blocks, for a pipeline that does nothing with each of them.
  var blocks: ((StreamID, EpochClock) -> AnyPublisher<ArraySlice<Reading>, SluiceError>)?
  /// What was lost before it came, and how that is known.
  var losses: () -> [Loss] = { [] }
  /// How much of what was lost shows.
  var lossCoverage = DeviceLosses.Coverage.all
  /// The kernel's buffer of the device.
  var fifo: FIFOLevel?
  /// Waits until the device is as it was before; to be called after the stream has ended.
  var closed: () -> Void = {}
}
