import SluiceAnalysis
import SluicePipeline

/// Finds the user of this process, and its groups.
enum GroupCheck {
  static let name = "groups"

  static func findings(_ surroundings: Surroundings) -> [Finding] {
    let (user, accounts) = (surroundings.user, surroundings.accounts)
    let groups = user.groups.sorted().map(accounts.group).joined(separator: ", ")
    let pending = accounts.pending(user).map(\.name).sorted()
    var findings: [Finding] = [.ok(name, "\(accounts.name(user)) is in \(groups)")]
    if !pending.isEmpty {
      findings.append(
        .warning(
          name, "this login is older than \(accounts.name(user))'s membership of \(pending.joined(separator: ", "))",
          "log in again"))
    }
    return findings
  }
}
