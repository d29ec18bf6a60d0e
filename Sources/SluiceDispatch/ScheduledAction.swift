/// Wraps an action, because Combine's actions are not `@Sendable`, although most schedulers run them on other threads.
package struct ScheduledAction: @unchecked Sendable {
  // The action of an operator uses the operator's state only under its lock.
  package let run: () -> Void

  package init(run: @escaping () -> Void) { self.run = run }
}
