import SluiceCAN
import SluiceReadings

/// The settings of an interface of a CAN bus.
public struct CANOptions: Hashable, Sendable {
  /// The clock for the times of frames: that of the kernel, or of a controller that has one.
  public enum Clock: String, CaseIterable, Sendable { case kernel, hardware }

  /// Frames whose identifiers are equal in the bits of the mask. The kernel leaves the others out.
  public struct Filter: Hashable, Sendable {
    /// 11 bits, or 29 if it is extended.
    public var id: UInt32
    /// The bits that are compared.
    public var mask: UInt32
    /// Whether it is an identifier of 29 bits. Frames whose identifiers have the other length do not pass.
    public var isExtended: Bool

    /// Parses `123`, `18FEF100` or `18FF0000/1FFF0000`: an identifier, with or without a mask, in hexadecimal digits.
    /// More than three digits are an extended identifier. Nil if it is malformed.
    public init?(_ text: some StringProtocol) {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      guard let first = parts.first, parts.count <= 2, (1...8).contains(first.utf8.count) else { return nil }
      isExtended = first.utf8.count > 3
      let most = isExtended ? CANFrame.extendedMask : CANFrame.standardMask
      let numbers = parts.map { $0.first?.isHexDigit == true ? UInt32($0, radix: 16) : nil }
      guard let id = numbers[0], id <= most, let mask = parts.count == 1 ? most : numbers[1], mask <= most else {
        return nil
      }
      (self.id, self.mask) = (id, mask)
    }

    func passes(_ message: CANMessage) -> Bool {
      message.isExtended == isExtended && message.id & mask == id & mask
    }
  }

  /// The path of a DBC file, whose messages become streams.
  public var dbc: String?
  /// The frames that pass; empty for all. Error frames always pass. The kernel takes at most 512.
  public var filters: [Filter] = []
  /// Whether frames of CAN FD are received. If a message of the DBC file has more than 8 bytes, they always
  /// are.
  public var hasFD = false
  /// The clock for the times of frames. Times of the controller are converted to the kernel's clock. A frame without a
  /// time of the controller has the kernel's time.
  public var clock: Clock = .kernel

  /// Makes options with the defaults.
  public init() {}

  /// Reads the DBC file.
  /// - Returns: The messages that can come.
  func messages() throws(SluiceError) -> [CANMessage] {
    guard let dbc else { return [] }
    let messages = try DBC(path: dbc).messages.filter { message in
      filters.isEmpty || filters.contains { $0.passes(message) }
    }
    try CANStreams.check(messages, of: dbc, remedy: "choose messages with id=, or delete some from the file")
    return messages
  }

  /// These options, with frames of CAN FD if one of the messages cannot come without them.
  func receiving(_ messages: [CANMessage]) -> CANOptions {
    var options = self
    if messages.contains(where: { $0.length > 8 }) { options.hasFD = true }
    return options
  }
}
