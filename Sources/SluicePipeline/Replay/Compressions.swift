package import SluiceRecording

/// All compressions of files.
package enum Compressions {
  package static var all: [any Compression.Type] { LinkedKinds.all.compressions }
}
