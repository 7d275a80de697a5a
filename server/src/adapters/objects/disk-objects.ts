import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm, stat, readFile } from "node:fs/promises";
import path from "node:path";
import { largestObjectBytes, objectName, ObjectsAway, ObjectTooLarge, type Objects } from "../../ports/objects.ts";

/** In a folder of one machine. */
export function createDiskObjects(directory: string): Objects {
  const fileOf = (name: string): string => {
    if (!objectName.test(name)) throw new Error("not a name of an object");
    return path.join(directory, name);
  };

  return {
    async put(name, bytes) {
      if (bytes.length > largestObjectBytes) throw new ObjectTooLarge();
      const filePath = fileOf(name);
      const fresh = `${filePath}.${randomUUID()}.part`;
      await away(async () => {
        await mkdir(path.dirname(filePath), { recursive: true, mode: 0o700 });
        try {
          const file = await open(fresh, "wx", 0o600);
          try {
            await file.writeFile(bytes);
            await file.sync();
          } finally {
            await file.close();
          }
          await rename(fresh, filePath);
        } catch (error) {
          await rm(fresh, { force: true });
          throw error;
        }
      });
    },
    async get(name) {
      const filePath = fileOf(name);
      const size = await away(() => sizeOf(filePath));
      if (size !== undefined && size > largestObjectBytes) throw new ObjectTooLarge();
      return away(async () => {
        try {
          return size === undefined ? undefined : new Uint8Array(await readFile(filePath));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
          throw error;
        }
      });
    },
    async remove(name) {
      const filePath = fileOf(name);
      await away(() => rm(filePath, { force: true }));
    },
  };
}

const sizeOf = (file: string): Promise<number | undefined> =>
  stat(file).then(
    ({ size }) => size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    },
  );

async function away<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new ObjectsAway("The folder of objects cannot be used.", { cause: error });
  }
}
