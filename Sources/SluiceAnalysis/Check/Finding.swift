/// The result of one check of a machine or a recording: its severity, its meaning, and the remedy.
package struct Finding: Equatable, Sendable {
  package enum Verdict: String, Sendable {
    case ok
    /// A feature is missing, or a recording may go wrong.
    case warning
    /// A recording on this machine would fail, or an existing recording is damaged.
    case problem
  }

  package var check: String
  package var verdict: Verdict
  package var meaning: String
  package var remedy: String?

  package static func ok(_ check: String, _ meaning: String, _ remedy: String? = nil) -> Finding {
    Finding(check: check, verdict: .ok, meaning: meaning, remedy: remedy)
  }

  package static func warning(_ check: String, _ meaning: String, _ remedy: String? = nil) -> Finding {
    Finding(check: check, verdict: .warning, meaning: meaning, remedy: remedy)
  }

  package static func problem(_ check: String, _ meaning: String, _ remedy: String? = nil) -> Finding {
    Finding(check: check, verdict: .problem, meaning: meaning, remedy: remedy)
  }
}
