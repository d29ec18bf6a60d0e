#if SLUICE_MQTT
  import CMosquitto
  import SluiceReadings
  import SluiceSystem

  /// Why there is no connection, as the library says it.
  struct MQTTFailure: Equatable, Sendable {
    var code: Int
    /// The number of the system's error, with the library's error that there is one.
    var errno: Int32 = 0
    /// What the library has logged.
    var logged = ""
    /// What OpenSSL says about the certificate of the broker; 0 for nothing.
    var verification = 0

    static var tlsError: Int { Int(cmosquitto_tls_error) }

    func error(_ address: MQTTAddress) -> SluiceError {
      func error(_ code: SluiceError.Code, _ cause: String, _ remedy: String? = nil) -> SluiceError {
        SluiceError(code, "send to", address.text, because: cause, remedy: remedy)
      }
      let place = "\(address.host), port \(address.port)"
      switch Int32(clamping: code) {
      case cmosquitto_authorities_error:
        return error(.notFound, "the file of --server ca= cannot be used")
      case cmosquitto_certificate_error: return ownCertificate(address)
      case cmosquitto_name_error:
        return error(.notFound, "nobody knows the name \(address.host)", "see whether it is right, and DNS there")
      case cmosquitto_tls_error: return tls(address)
      case cmosquitto_keep_alive_error: return error(.disconnected, "\(place) does not answer any more")
      case cmosquitto_lost_error, cmosquitto_closed_error, cmosquitto_refused_error:
        // A broker that does not take the certificate of this board, or that speaks no TLS, ends the connection.
        return error(
          .disconnected, "\(place) has ended the connection",
          address.isEncrypted ? "see whether it takes the certificate of this board" : nil)
      case cmosquitto_protocol_error:
        return error(
          .malformed, "what \(place) says is not MQTT", "see whether the port is right, and whether it is one with TLS")
      case cmosquitto_system_error:
        return error(.disconnected, "there is no connection to \(place) (\(Self.text(errno)))")
      default:
        return error(
          .disconnected,
          "the connection to \(place) failed (\(String(cString: cmosquitto_words(Int32(clamping: code)))))")
      }
    }

    private static func text(_ errno: Int32) -> String { String(cString: strerror(errno)) }

    private func ownCertificate(_ address: MQTTAddress) -> SluiceError {
      SluiceError(
        .permissionDenied, "send to", address.text,
        because: "the certificate of this board cannot be used\(logged.isEmpty ? "" : " (\(logged))")",
        remedy: "see the files of --server cert= and key=")
    }

    // The numbers are those of OpenSSL's x509_vfy.h.
    private func tls(_ address: MQTTAddress) -> SluiceError {
      func certificate(_ cause: String, _ remedy: String) -> SluiceError {
        SluiceError(.permissionDenied, "send to", address.text, because: cause, remedy: remedy)
      }
      let said = logged.lowercased()
      if said.contains("ca certificates") || said.contains("ca_file") || said.contains("cafile") {
        return SluiceError(
          .notFound, "send to", address.text, because: "the file of --server ca= cannot be used (\(logged))")
      }
      if said.contains("client certificate") || said.contains("client key") || said.contains("client private key") {
        return ownCertificate(address)
      }
      if said.contains("host name verification") || verification == 62 {
        return certificate(
          "the certificate of the server is for another name than \(address.host)",
          "write the name that is in the certificate")
      }
      switch verification {
      case 10:
        return certificate("the certificate of the server has expired", "get the server a new one")
      case 9:
        return certificate(
          "the certificate of the server is not valid yet", "see whether the clock of this board is right")
      case 18, 19, 20, 21:
        return certificate(
          "no authority that this board knows has signed the certificate of the server",
          "give the certificate of its authority: --server ca=FILE")
      case 0:
        return SluiceError(
          .disconnected, "send to", address.text,
          because: "TLS does not begin\(logged.isEmpty ? "" : " (\(logged))")",
          remedy: "see whether the server speaks TLS 1.2 or newer there, and takes the certificate of this board")
      default:
        return certificate(
          "the certificate of the server is not right (\(logged.isEmpty ? "\(verification)" : logged))",
          "get the server a new one")
      }
    }
  }
#endif
