import SluiceArguments
import SluicePipeline
import SluiceReadings

#if SLUICE_HTTP
  import SluiceHTTP
#endif

/// The options that show a recording while it runs: in the terminal, and to browsers and other viewers.
struct ViewerOptions: ArgumentGroup {
  var live: Bool?

  static var rows: [ArgumentRow<Self>] {
    let rows: [ArgumentRow<Self>] = [
      .toggle(
        "live",
        "On a terminal: show the streams while it runs, or only a line of progress. (default: --live for record, and for replay with --rate)",
        \.live)
    ]
    return rows + httpRows
  }

  private static var httpRows: [ArgumentRow<Self>] {
    #if SLUICE_HTTP
      [
        .option(
          "http", "[ADDR:]PORT|unix:PATH",
          "Show the recording to browsers, Foxglove, PlotJuggler and Prometheus at this address: 127.0.0.1 unless said, or a socket in the file system.",
          \.http),
        .option(
          "http-token", "FILE",
          "The file with the token that viewers have to know; an address that others reach needs one.", \.httpToken,
          completion: .file),
        .option(
          "http-origin", "URL", "Let viewers of this site look too, such as https://app.example; can be repeated.",
          \.httpOrigin),
        .flag("http-control", "Let viewers pause, resume and mark the recording; needs --http-token.", \.httpControl),
      ]
    #else
      []
    #endif
  }

  #if SLUICE_HTTP
    var http: String?
    var httpToken: String?
    var httpOrigin: [String] = []
    var httpControl = false

    func validate() throws {
      guard let http else {
        for (isGiven, option) in [
          (httpToken != nil, "--http-token"), (!httpOrigin.isEmpty, "--http-origin"), (httpControl, "--http-control"),
        ] where isGiven {
          throw Fault("\(option) is for --http; give --http too")
        }
        return
      }
      guard HTTPAddress(http) != nil else {
        throw Fault(
          "--http takes a port, an address with a port, or unix:PATH, such as 8080 or 192.168.1.5:8080; \(http) is none"
        )
      }
    }

    var isServed: Bool { http != nil }

    /// The server for a recording, which listens already; nil without `--http`.
    func server(_ recording: Recording) throws(SluiceError) -> RecordingServer? {
      guard let http, let address = HTTPAddress(http) else { return nil }
      var token: HTTPToken?
      if let httpToken { token = try HTTPToken(file: httpToken) }
      let settings = try RecordingServer.Settings(
        address: address, token: token, origins: httpOrigin, isControlled: httpControl)
      return try RecordingServer(recording, settings)
    }
  #else
    var isServed: Bool { false }
  #endif
}
