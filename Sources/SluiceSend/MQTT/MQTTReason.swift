#if SLUICE_MQTT
  package import SluiceReadings

  /// The reason of a broker, a byte of MQTT 5 (section 2.4): below 0x80 is success.
  package struct MQTTReason: Equatable, Sendable {
    package let code: Int
    /// What the broker says about it; empty for nothing.
    package let words: String

    package init(_ code: Int, _ words: String = "") { (self.code, self.words) = (code, words) }

    package var isSuccess: Bool { code < 0x80 }
    /// The message was taken, and nobody has subscribed to its topic.
    package var isUnheard: Bool { code == 0x10 }

    /// Of the answers to a connection.
    static let notRetained = 0x9a
    static let tooLarge = 0x95

    /// What the answer to a message means for its readings.
    package func meaning(for topic: String, of address: MQTTAddress) -> SendAnswer {
      func error(_ code: SluiceError.Code, _ cause: String, _ remedy: String? = nil) -> SluiceError {
        SluiceError(code, "send to", address.text, because: cause + said, remedy: remedy)
      }
      switch code {
      case ..<0x80: return .acknowledged()
      case 0x87:
        return .wait(
          error(
            .permissionDenied, "the broker does not let this board publish to \(topic) (0x87)",
            "let its user write there, in the access list of the broker"))
      case 0x90:
        return .wait(
          error(
            .usage, "the broker does not take the topic \(topic) (0x90)", "give another topic behind \(address.host)"))
      case 0x91: return .wait(error(.failed, "the broker has a message with this number already (0x91)"))
      case Self.tooLarge: return .tooLarge(error(.malformed, "so many readings are too large a message for it (0x95)"))
      case 0x97: return .wait(error(.busy, "the broker asks to wait: its quota is used up (0x97)"))
      case 0x99: return .refused(error(.malformed, "the broker refuses the form of the message (0x99)"))
      case 0x83: return .wait(error(.failed, "the broker cannot process the message (0x83)"))
      default: return .wait(error(.failed, "the broker does not take the message (\(text))"))
      }
    }

    /// The error of an answer to a connection, or of an end of it by the broker.
    package func connectionError(for address: MQTTAddress) -> SluiceError {
      func error(_ code: SluiceError.Code, _ cause: String, _ remedy: String? = nil) -> SluiceError {
        SluiceError(code, "send to", address.text, because: cause + said, remedy: remedy)
      }
      // 1 to 5 are the codes of MQTT 3.1.1.
      switch code {
      case 0x84, 1:
        return error(
          .unsupported, "the broker does not speak MQTT 5, and in 3.1.1 it acknowledges even what it throws away",
          "take a broker with MQTT 5; or, if nothing else can be had, give --server mqtt=3.1.1")
      case 0x85, 2: return error(.failed, "the broker does not take the name of this client (\(text))")
      case 0x86, 4:
        return error(
          .permissionDenied, "the broker does not know this user, or the password is wrong (\(text))", Self.loginRemedy)
      case 0x87, 5:
        return error(.permissionDenied, "the broker does not let this board in (\(text))", Self.loginRemedy)
      case 0x88, 3: return error(.busy, "the broker is not available now (\(text))")
      case 0x89: return error(.busy, "the broker is busy (0x89)")
      case 0x8a: return error(.permissionDenied, "the broker has banned this client (0x8a)")
      case 0x8b: return error(.disconnected, "the broker ends (0x8b)")
      case 0x8d: return error(.disconnected, "the broker has not heard of this board in time (0x8d)")
      case 0x8e:
        return error(
          .busy, "another recording has connected with the same epoch (0x8e)",
          "see whether another machine has a copy of the spool")
      case 0x90: return error(.usage, "the broker does not take the topic of the will (0x90)", "give another topic")
      case 0x93: return error(.failed, "the broker says that too many messages are without an answer (0x93)")
      case Self.tooLarge: return error(.malformed, "a message is too large for the broker (0x95)")
      case 0x97: return error(.busy, "the broker asks to wait: its quota is used up (0x97)")
      case 0x98: return error(.disconnected, "the broker has ended the connection (0x98)")
      case Self.notRetained: return error(.unsupported, "the broker keeps no messages (0x9a)")
      case 0x9b: return error(.unsupported, "the broker does not acknowledge messages (0x9b)", "take another broker")
      case 0x9c, 0x9d: return error(.failed, "the broker says that another server is to be used (\(text))")
      case 0x9f: return error(.busy, "the broker takes no more connections now (0x9f)")
      default: return error(.failed, "the broker refuses the connection (\(text))")
      }
    }

    private static let loginRemedy =
      "give --server login-file=FILE with USER:PASSWORD, or the variable SLUICE_LOGIN, or see whether they are right"

    private var text: String { "0x" + (code < 16 ? "0" : "") + String(code, radix: 16) }

    /// What the broker says, as a part of a sentence.
    private var said: String {
      let shown = String(
        words.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }.prefix(200).map(Character.init))
      return shown.isEmpty ? "" : ": \(shown)"
    }
  }
#endif
