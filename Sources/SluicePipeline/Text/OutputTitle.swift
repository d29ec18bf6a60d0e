/// The path of an output, for people.
package func outputTitle(_ path: String) -> String { path == "-" ? "standard output" : path }
