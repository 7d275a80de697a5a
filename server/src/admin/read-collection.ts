import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { ReelCollection } from "@reelscript/contract";
import { AdminError } from "./admin-error.ts";
import { issueText, type CommandAccess } from "./command.ts";

/** Bytes; the largest collection that a browser makes is far smaller. */
const largestFile = 8_000_000;
const shownMistakes = 5;

/** The collected reels in a JSON file, or in `stdin` if the file is `-`. Throws `AdminError`. */
export async function readCollection(
  file: string,
  { workingDirectory, stdin }: CommandAccess,
): Promise<ReelCollection> {
  const name = file === "-" ? "standard input" : path.resolve(workingDirectory, file);
  const bytes = file === "-" ? await readStream(stdin, name) : await readFile(name);
  const read = ReelCollection.safeParse(parseJson(bytes, name));
  if (read.success) return read.data;
  const { issues } = read.error;
  const mistakes = issues.slice(0, shownMistakes).map(issueText);
  const more = issues.length > shownMistakes ? `; and ${issues.length - shownMistakes} more` : "";
  throw new AdminError("refused", `${name} holds no collected reels: ${mistakes.join("; ")}${more}`);
}

const readFile = (name: string): Promise<Buffer> =>
  readStream(createReadStream(name), name).catch((error: unknown) => explain(error, name));

/** Throws `AdminError` if the file is missing or unreadable. */
export async function checkFile(name: string): Promise<void> {
  const handle = await open(name).catch((error: unknown) => explain(error, name));
  try {
    if (!(await handle.stat()).isFile()) throw new AdminError("refused", `${name} is not a file`);
  } finally {
    await handle.close();
  }
}

function explain(error: unknown, name: string): never {
  if (error instanceof AdminError || !(error instanceof Error && "code" in error)) throw error;
  const missing = error.code === "ENOENT" || error.code === "ENOTDIR";
  throw new AdminError(
    "refused",
    missing ? `cannot find the file ${name}` : `${name} cannot be read (${String(error.code)})`,
    error,
  );
}

async function readStream(stream: AsyncIterable<Uint8Array>, name: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > largestFile) throw new AdminError("refused", `${name} is larger than ${largestFile} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseJson(bytes: Buffer, name: string): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new AdminError("refused", `${name} is not JSON in UTF-8`, error);
  }
}
