// Program of the child process that decodes one file with the embedded ffmpeg. It is started before there is a file,
// compiles and instantiates, then sleeps on its standard input. There it gets the length of a JSON header (4 bytes,
// little-endian), the header, and the file. It may neither write files nor start processes nor load native code.
import { readFileSync, readSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { exitCrashed, exitOutOfMemory, type EmbeddedJobHeader } from "./embedded-ffmpeg-protocol.ts";

/** The part that is used here of what the language's own type library leaves to the browser's. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow: (this: WasmMemory, pages: number) => number;
}
interface WasmInstance {
  readonly exports: object;
}
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => WasmInstance;
  readonly Memory: { readonly prototype: WasmMemory };
};

interface DeviceOperations {
  open(): void;
  close(): void;
  write(stream: unknown, buffer: Int8Array, offset: number, length: number): number;
}

interface FfmpegCore {
  readonly FS: {
    writeFile(path: string, bytes: Uint8Array, options: { canOwn: boolean }): void;
    makedev(major: number, minor: number): number;
    registerDevice(device: number, operations: DeviceOperations): void;
    mkdev(path: string, device: number): void;
  };
  setLogger(logger: (line: { readonly type: string; readonly message: string }) => void): void;
  exec(...parameters: string[]): number;
}

interface FfmpegCoreModule {
  readonly default: (options: {
    readonly instantiateWasm: (imports: object, receive: (instance: WasmInstance) => void) => object;
  }) => Promise<FfmpegCore>;
}

const standardInput = 0;
const standardOutput = 1;
const standardError = 2;

const [, , loaderPath = "", wasmPath = "", heapBytes = ""] = process.argv;
const heapLimit = limitHeap(Number(heapBytes));
const core = await load(loaderPath, wasmPath);
core.setLogger(({ message }) => {
  writeAll(standardError, Buffer.from(`${message}\n`));
});
const { FS: fs } = core;
let hasSamples = false;
const samplesDevice = fs.makedev(64, 0);
fs.registerDevice(samplesDevice, {
  open: () => undefined,
  close: () => undefined,
  write(_stream, buffer, offset, length) {
    writeAll(standardOutput, buffer.subarray(offset, offset + length));
    hasSamples ||= length > 0;
    return length;
  },
});
fs.mkdev("/samples", samplesDevice);

const headerLength = Buffer.from(readExactly(4)).readUInt32LE();
const header = JSON.parse(Buffer.from(readExactly(headerLength)).toString("utf8")) as EmbeddedJobHeader;
fs.writeFile("/media", readExactly(header.bytes), { canOwn: true });
process.exit(decode(header.parameters));

function decode(parameters: readonly string[]): number {
  try {
    const status = Math.min(Math.abs(core.exec(...parameters)), exitCrashed - 1);
    // After a failed allocation ffmpeg may take the file to have ended.
    return heapLimit.wasReached && !hasSamples ? exitOutOfMemory : status;
  } catch (error) {
    writeAll(standardError, Buffer.from(`[fatal] ${String(error).replaceAll("\n", " ")}\n`));
    return heapLimit.wasReached ? exitOutOfMemory : exitCrashed;
  }
}

/** The loader takes itself to be in a web worker and asks for little of one. */
async function load(loader: string, wasm: string): Promise<FfmpegCore> {
  Object.assign(globalThis, { self: { location: { href: pathToFileURL(loader).href } } });
  const { default: create } = (await import(pathToFileURL(loader).href)) as FfmpegCoreModule;
  return create({
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(wasm)), imports);
      receive(instance);
      return instance.exports;
    },
  });
}

/** The module's own limit is 2 GiB; a failed growth is an allocation that fails inside ffmpeg. */
function limitHeap(bytes: number): { readonly wasReached: boolean } {
  const limit = { wasReached: false };
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function growWithinLimit(this: WasmMemory, pages: number): number {
    if (this.buffer.byteLength + pages * 65_536 > bytes) {
      limit.wasReached = true;
      throw new RangeError("the heap has reached its limit");
    }
    return grow.call(this, pages);
  };
  return limit;
}

/** An end of input before the last byte means that the parent is gone. */
function readExactly(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const count = retry(() => readSync(standardInput, bytes, filled, length - filled, null));
    if (count === 0) process.exit(0);
    filled += count;
  }
  return bytes;
}

function writeAll(descriptor: number, bytes: Uint8Array | Int8Array): void {
  let written = 0;
  while (written < bytes.length) written += retry(() => writeSync(descriptor, bytes, written, bytes.length - written));
}

/** Standard streams may have been set to not block; any other failure means that the parent is gone. */
function retry(operation: () => number): number {
  for (;;)
    try {
      return operation();
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) process.exit(0);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
}
