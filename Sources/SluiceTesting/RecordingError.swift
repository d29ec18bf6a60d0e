/// The awaited event and the events so far, in a sentence.
///
/// ```text
/// awaited value 3 within 1.0 seconds; 2 values (7, 8) came until then
/// awaited value 3; the stream finished before, after 2 values (7, 8)
/// awaited that the stream finishes; it failed with NoSignal(), after 2 values (7, 8)
/// ```
public struct RecordingError: Error, CustomStringConvertible, Sendable {
  public let description: String
}
