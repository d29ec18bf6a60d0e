import SluiceMCAP
import SluicePipeline
import SluiceRecording

#if SLUICE_ARCHIVE
  import SluiceArchive
#endif
#if SLUICE_CURL
  import SluiceSend
#endif
#if SLUICE_SQLITE
  import SluiceSQLite
#endif

/// Gives `SluicePipeline` the kinds that are in other modules, if this build has those modules.
@_cdecl("sluice_formats_kinds")
package func addKinds(_ kinds: UnsafeMutableRawPointer) {
  kinds.assumingMemoryBound(to: LinkedKinds.self).pointee = .ofThisBuild
}

extension LinkedKinds {
  fileprivate static var ofThisBuild: Self {
    var kinds = Self()
    kinds.formats = [MCAPFormat.self]
    kinds.repairs = [MCAPRepair.self]
    kinds.indexes = [MCAPIndex.self]
    #if SLUICE_SQLITE
      kinds.formats.append(SQLiteFormat.self)
      kinds.traces.append(SQLiteTraceKind.self)
    #endif
    #if SLUICE_ARCHIVE
      kinds.traces.append(SigrokTraceKind.self)
      kinds.compressions = [GzipCompression.self, ZstdCompression.self]
      kinds.sendingCompressor = { GzipCompression.fastCompressor() }
    #else
      kinds.traces.append(LeftOutArchives.self)
    #endif
    kinds.traces.append(MCAPTraceKind.self)
    #if SLUICE_CURL
      kinds.outputs.append(HTTPOutput.self)
    #endif
    #if SLUICE_MQTT
      kinds.outputs.append(MQTTOutput.self)
    #endif
    return kinds
  }
}

/// The versions of the libraries behind the kinds.
package enum FormatLibraries {
  /// That of SQLite; nil if this build does not have it.
  package static var database: String? {
    #if SLUICE_SQLITE
      SQLiteFormat.libraryVersion
    #else
      nil
    #endif
  }

  /// Those of libarchive, zlib and libzstd; nil if this build does not have them.
  package static var archives: String? {
    #if SLUICE_ARCHIVE
      ArchiveLibraries.version
    #else
      nil
    #endif
  }
}
