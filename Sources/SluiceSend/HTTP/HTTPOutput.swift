import Sluice
import SluiceLog
package import SluiceReadings
package import SluiceRecording
import SluiceSystem

/// An output that is a server of line protocol: `http://HOST/write?db=NAME`.
package struct HTTPOutput: OutputKind {
  package let address: String
  package var format: String? { InfluxFormat.name }

  package init?(_ address: String) {
    guard HTTPServerAddress.isAddress(address) else { return nil }
    self.address = address
  }

  package func check() throws(SluiceError) { _ = try HTTPServerAddress(address) }

  package func claim(
    _ output: RecordingOutput, number: Int, for streams: [StreamDescription], _ claims: inout OutputClaims
  ) throws(SluiceError) -> [ClaimedStore] {
    let server = try HTTPServerAddress(address)
    try output.format.check(streams, of: address, output.style)
    let surroundings = claims.servers
    try check(output.style.tags)
    // A missing library is known before the first reading.
    _ = try HTTPClient(server, surroundings.settings)
    _ = try Credentials(surroundings.settings, for: server)
    let changed: @Sendable (OutputEvent) -> Void = { surroundings.changed(number, $0) }
    let sending = try ServerSending(
      to: address, streams, raw: output.raw, decimals: output.style.decimals, tags: output.style.tags, surroundings,
      claims.disk, identity: .current
    ) { described, numbers in
      Self.transport(to: server, surroundings.settings, described, board: numbers.board, surroundings.compressor)
    }
    let sender = sending.sender
    sender.happened = changed
    let store = ServerStore(
      sender, to: address, folder: sending.folder, waits: !surroundings.isLive, faults: sending.faults, changed)
    let claim = ServerClaim(name: address) { sender.stop() }
    claims.add(claim)
    return [ClaimedStore(store, claim)]
  }

  /// The tags that a sender has itself.
  private func check(_ tags: [RowTag]) throws(SluiceError) {
    guard let tag = tags.first(where: { [HTTPTransport.boardTag, InfluxEncoder.ordinal].contains($0.name) }) else {
      return
    }
    let isBoard = tag.name == HTTPTransport.boardTag
    throw SluiceError(
      .usage, "send to", address,
      because: isBoard
        ? "the tag board is the name of this board" : "the tag n tells readings of one stream and one time apart",
      remedy: isBoard ? "give the name with --server board=NAME" : "give your tag another name")
  }

  static func transport(
    to address: HTTPServerAddress, _ settings: ServerSettings, _ streams: EncoderStreams, board: String,
    _ compressor: (@Sendable () -> any Compressor)?
  ) -> HTTPTransport {
    HTTPTransport(
      address, settings, streams, board: board, compressor: compressor?(), DispatchWorkQueue("sluice.http"))
  }
}
