import { constants } from "node:fs";
import { chmod, copyFile, mkdir, readdir } from "node:fs/promises";
import path from "node:path";

/** Copies a folder of files and folders to `to`, which only the owner may read and write. Throws when all of it has ended. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o700);
  const entries = await readdir(from, { withFileTypes: true });
  const copies = await Promise.allSettled(
    entries.map(async (entry) => {
      const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
      if (entry.isDirectory()) return copyFolder(source, target);
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      await chmod(target, 0o600);
    }),
  );
  const failed = copies.find((copy) => copy.status === "rejected");
  if (failed) throw failed.reason;
}
