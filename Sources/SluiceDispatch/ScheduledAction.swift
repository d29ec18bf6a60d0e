/// Wraps an action, because Combine's actions are not `@Sendable`, though most schedulers run them on other threads.
package struct ScheduledAction: @unchecked Sendable {
  // What an operator schedules reaches its state through the operator's lock.
  package let run: () -> Void

  package init(run: @escaping () -> Void) { self.run = run }
}
