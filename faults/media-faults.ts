import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { root } from "../scripts/root.ts";
import type { Account } from "./ledger.ts";
import type { World } from "./open-world.ts";
import type { Fault, Round } from "./run-round.ts";
import type { Member } from "./start-member.ts";
import { Broken, Impossible, until } from "./waiting.ts";

/** One less than an account may have at a time. */
const filesWaiting = 3;
/** Longer than a failed storage is given a rest. */
const outageSeconds = 8;
const seconds = 60;

/** The object storage fails while media that people sent wait in it. */
export const mediaFaults: Fault[] = (["cut", "silence"] as const).map((trouble) => ({
  name: `media wait while the storage is ${trouble === "cut" ? "cut off" : "silent"}`,
  seconds: 300,
  run: (round) => loseMedia(round, trouble),
}));

async function loseMedia(round: Round, trouble: "cut" | "silence"): Promise<void> {
  const { world, undo, note } = round;
  if (!world.isFleet) throw new Impossible("with the embedded database the queue can't be held");
  const account = world.accounts.cleo;
  const before = await usedBy(world, account);
  const claim = await holdQueue(round);
  const files: string[] = [];
  for (let index = 0; index < filesWaiting; index += 1) files.push(await sendFile(round, account, 200));
  await until(seconds, "all files are in the queue", async () => (await statesOf(round, files)).every(isTranscribing));

  world.storage.way[trouble]();
  undo(() => world.storage.way.open());
  await claim();
  await until(seconds * world.patience, "every file waits for the storage", async () => {
    const [row] = await world.query<{ count: number }>(
      "select count(*)::integer as count from transcription where account_id = $1 and state = 'queued' and waiting_for = 'storage'",
      [account.id],
    );
    return row?.count === filesWaiting;
  });
  // A file that is sent meanwhile is refused; reels of the platform are served.
  await sendFile(round, account, 503);
  await round.probe();
  await pause(outageSeconds * 1_000);
  const states = await statesOf(round, files);
  if (!states.every(isTranscribing)) throw new Broken(`files didn't wait for their media: ${states.join(", ")}`);

  world.storage.way.open();
  await until(seconds * world.patience, "every file is transcribed", async () =>
    (await statesOf(round, files)).every((state) => state === "done"),
  );
  const used = (await usedBy(world, account)) - before;
  note(`${filesWaiting} files waited, ${filesWaiting} transcribed, ${used} units used`);
  if (used !== filesWaiting) throw new Broken(`${filesWaiting} files used ${used} units`);
}

const isTranscribing = (state: string): boolean => state === "transcribing";

/** Lets workers claim nothing; returns the function that ends it. */
async function holdQueue({ world, undo }: Round): Promise<() => Promise<unknown>> {
  await world.query("insert into queue_drain (since) values (now()) on conflict do nothing");
  const resume = () => world.query("delete from queue_drain");
  undo(resume);
  return resume;
}

async function usedBy(world: World, { id }: Account): Promise<number> {
  const [row] = await world.query<{ used: number }>(
    "select coalesce(sum(used), 0)::integer as used from allowance where account_id = $1",
    [id],
  );
  return row?.used ?? 0;
}

const apiOf = (world: World): Member => world.apis()[0]!; // safe: there is one at least

async function statesOf({ world, callers }: Round, ids: readonly string[]): Promise<string[]> {
  const { key } = world.accounts.cleo;
  const answers = await Promise.all(ids.map((id) => callers.send(apiOf(world), `/api/v1/files/${id}`, { key })));
  return answers.map(({ body }) => String(body?.status));
}

/** Sends a file by tus, and returns its id; throws `Broken` if it is accepted or refused against `expected`. */
async function sendFile({ world, callers }: Round, { key }: Account, expected: 200 | 503): Promise<string> {
  const bytes = await someVideo();
  const { body } = await callers.send(apiOf(world), "/api/v1/files", {
    method: "POST",
    key,
    body: { name: "draft.mp4", bytes: bytes.length },
  });
  if (body?.uploadUrl === undefined) throw new Broken(`a file is refused: ${JSON.stringify(body).slice(0, 200)}`);
  const { pathname } = new URL(String(body.uploadUrl));
  const { status } = await fetch(`${apiOf(world).url}${pathname}`, {
    method: "PATCH",
    headers: {
      "tus-resumable": "1.0.0",
      "upload-offset": "0",
      "content-type": "application/offset+octet-stream",
    },
    body: new Uint8Array(bytes),
  });
  const isTaken = status === 204 || status === 200;
  if (isTaken !== (expected === 200)) throw new Broken(`a file that is sent is answered with ${status}`);
  if (!isTaken) await callers.send(apiOf(world), `/api/v1/files/${body.id}`, { method: "DELETE", key });
  return String(body.id);
}

/** A second of speech that no account has sent before: at its end are bytes that players skip. */
async function someVideo(): Promise<Buffer> {
  const video = await readFile(path.join(root, "platform-standin/reels/en-one-second.mp4"));
  const chance = randomBytes(16);
  const box = Buffer.alloc(8);
  box.writeUInt32BE(box.length + chance.length);
  box.write("free", 4, "latin1");
  return Buffer.concat([video, box, chance]);
}
