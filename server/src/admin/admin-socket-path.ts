import { createHash } from "node:crypto";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";

/** Bytes that every Unix has room for in the address of a socket (macOS: 104 with the closing zero). */
const longestPath = 103;

/**
 * The service of a data directory listens for its operator at `admin/socket` inside it. If that path is too long for a
 * socket, it uses a folder of the user's under the temporary directory, named after the data directory; on Windows, a named
 * pipe.
 */
export function adminSocketPath(dataDirectory: string, platform: NodeJS.Platform = process.platform): string {
  const home = path.resolve(dataDirectory);
  const name = createHash("sha256").update(home).digest("hex").slice(0, 16);
  if (platform === "win32") return `\\\\.\\pipe\\reelscript-${name}`;
  const inside = path.join(home, "admin", "socket");
  return Buffer.byteLength(inside) <= longestPath
    ? inside
    : path.join(tmpdir(), `reelscript-${userInfo().uid}-${name}`, "socket");
}
