import Sluice
import SluiceDevices
import SluiceReadings

extension Source {
  /// The number in a file, read again and again.
  package static func polled(
    _ file: PolledFile, _ settings: SourceSettings, _ context: SourceContext
  ) throws(SluiceError) -> Source {
    let path = try PolledAttributes.path(of: file.path, roots: context.roots)
    var attribute = try Publishers.PolledAttribute(
      path: path, every: .nanoseconds(Int(file.period.nanoseconds)), inSI: settings.si ?? false)
    attribute.whenFailed = { [say = context.say] in say("\($0); trying again") }
    return Source(
      streams: [attribute.description],
      // A file may hold any decimal.
      isWhole: false,
      publisher: { [attribute] in attribute.stream($0, clock: $1).eraseToAnyPublisher() }
    ).accounting(for: attribute.losses)
  }
}
