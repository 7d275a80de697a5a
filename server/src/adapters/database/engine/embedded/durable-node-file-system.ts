import { fsyncSync } from "node:fs";
import type { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

interface OpenStream {
  /** The descriptor of the file on disk. */
  readonly nfd?: number;
}

interface NodeFileSystemModule {
  readonly NODEFS: { readonly stream_ops: { fsync?: (stream: OpenStream) => number } };
}

type Options = Parameters<NodeFS["init"]>[1];

/** Makes the database's fsync reach the disk: the emulated file system drops it, and a power cut would lose commits. */
export class DurableNodeFileSystem extends NodeFS {
  override async init(database: PGlite, options: Options): ReturnType<NodeFS["init"]> {
    const prepared = await super.init(database, options);
    const flush = (module: NodeFileSystemModule) => {
      module.NODEFS.stream_ops.fsync = ({ nfd }) => {
        if (nfd !== undefined) fsyncSync(nfd);
        return 0;
      };
    };
    prepared.emscriptenOpts.preRun = [
      ...(prepared.emscriptenOpts.preRun ?? []),
      (module) => flush(module as unknown as NodeFileSystemModule),
    ];
    return prepared;
  }
}
