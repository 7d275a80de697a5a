import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import net from "node:net";
import path from "node:path";

export interface KernelName {
  release(): Promise<void>;
}

/**
 * Takes the file's name at the kernel, which frees it when the process ends, however it ends; `undefined` where there are
 * no such names. Of processes in other containers the kernel says nothing.
 */
export async function takeKernelName(file: string): Promise<KernelName | "taken" | undefined> {
  const place = path.join(await realpath(path.dirname(file)), path.basename(file));
  const address = addressOf(`reelscript-${createHash("sha256").update(place).digest("hex").slice(0, 32)}`);
  if (address === undefined) return undefined;
  return new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.destroy());
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve("taken") : reject(error),
    );
    server.listen(address, () => {
      server.unref();
      resolve({ release: () => new Promise((resolve) => server.close(() => resolve())) });
    });
  });
}

function addressOf(name: string): string | undefined {
  if (process.platform === "linux") return `\0${name}`;
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : undefined;
}
