import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { webhooksPerAccount } from "@reelscript/contract";
import { signInAs } from "../scripts/demo-person.ts";
import pg from "pg";
import { addLongScript, copyScript } from "../bench/long-scripts.ts";
import type { Account, KnownReel } from "./ledger.ts";
import type { Fault, Round } from "./run-round.ts";
import { until, within } from "./waiting.ts";

const batches = 10;
const linksOfBatch = 100;
const eventsOfGreedy = 20;
const followers = 200;
const heardAgain = 40;
const longScripts = 300;
const exportsAtATime = 20;
/** How many times as long as a reel anything else of a quiet account may take. */
const probesLong = 3;

/** One account has more work of a kind than anybody can do, and another one has a little of it. */
export const greedyFaults: Fault[] = [
  { name: "greedy share links", seconds: 200, run: (round) => sendShareLinks(round) },
  { name: "greedy webhooks", seconds: 200, run: (round) => hangWebhooks(round) },
  { name: "greedy followers", seconds: 200, run: (round) => followOften(round) },
  { name: "greedy retranscriptions", seconds: 300, run: (round) => hearAgain(round) },
  { name: "greedy exports", seconds: 200, run: (round) => exportAll(round) },
];

/** Waits for something of the quiet account. */
const soon = ({ world }: Round, what: string, isSo: () => boolean | Promise<boolean>): Promise<unknown> =>
  until(probesLong * world.probeSeconds, what, isSo, { every: 200 });

async function post({ world, callers }: Round, { key }: Account, where: string, body: object) {
  const answer = await callers.send(world.apis()[0]!, `/api/v1${where}`, { method: "POST", key, body });
  if (!(answer.status! < 300)) throw new Error(`${where} was answered with ${answer.status}`);
  return answer.body;
}

const sendBatch = async (round: Round, account: Account, urls: readonly string[]): Promise<string> =>
  String((await post(round, account, "/transcriptions", { urls })).id);

/** The platform answers no share link, and one account has a thousand in its batches. */
async function sendShareLinks(round: Round): Promise<void> {
  const { world, callers } = round;
  const { greedy, quiet } = world.accounts;
  const api = world.apis()[0]!;
  const shares = world.standin.holdShares();
  round.undo(() => shares.release());
  const reels = await Promise.all([1, 2, 3].map(() => world.addReel("shortest")));
  const { origin } = new URL(reels[0]!.url);
  for (let batch = 0; batch < batches; batch += 1) {
    const codes = Array.from({ length: linksOfBatch }, (_, position) => String(batch * linksOfBatch + position));
    const urls = codes.map((code) => `${origin}/share/reel/BAnobody${code.padStart(4, "0")}/`);
    const id = await sendBatch(round, greedy, urls);
    round.undo(() => callers.send(api, `/api/v1/batches/${id}`, { method: "DELETE", key: greedy.key }));
  }
  await soon(round, "the platform is asked for a share link", () => shares.waiting > 0);
  const id = await sendBatch(
    round,
    quiet,
    reels.map(({ url }) => url),
  );
  const read = async () => (await callers.send(api, `/api/v1/batches/${id}`, { key: quiet.key })).body;
  await soon(round, "a batch of three reels is finished", async () => (await read()).status === "finished");
  if ((await read()).counts.done !== reels.length) round.broken("a batch of three reels was not transcribed");
}

/** The endpoints of one account accept events and never answer. */
async function hangWebhooks(round: Round): Promise<void> {
  const { world } = round;
  const { greedy, quiet } = world.accounts;
  const hanging = await startReceiver(round, { answers: false });
  const well = await startReceiver(round, { answers: true });
  for (let count = 0; count < webhooksPerAccount; count += 1)
    await addWebhook(round, greedy, `${hanging.url}/${count}`);
  await addWebhook(round, quiet, well.url);
  const reels = await Promise.all(Array.from({ length: eventsOfGreedy }, () => world.addReel("shortest")));
  const batch = await sendBatch(
    round,
    greedy,
    reels.map(({ url }) => url),
  );
  await until(world.probeSeconds * eventsOfGreedy, "the greedy account's endpoints hang", () => hanging.count() > 0);
  const reel = await world.addReel("shortest");
  await sendBatch(round, quiet, [reel.url]);
  await soon(round, "the quiet account's endpoint has its events", () => well.count() >= 2);
  round.note(`${hanging.count()} events hung of batch ${batch}`);
}

async function addWebhook(round: Round, account: Account, url: string): Promise<void> {
  const { callers, world } = round;
  const { webhook } = await post(round, account, "/webhooks", { url });
  round.undo(() =>
    callers.send(world.apis()[0]!, `/api/v1/webhooks/${webhook.id}`, { method: "DELETE", key: account.key }),
  );
}

async function startReceiver(round: Round, { answers }: { readonly answers: boolean }) {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    request.resume();
    if (answers) response.writeHead(204).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  round.undo(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, count: () => count };
}

/** Hundreds of streams and calls of one account wait for a reel whose media hardly move. */
async function followOften(round: Round): Promise<void> {
  const { world, callers } = round;
  const { greedy, quiet } = world.accounts;
  const api = world.apis()[0]!;
  const slow = await world.addReel("short");
  const doors = world.workers().map(({ door }) => door);
  for (const door of doors) door.hold("media", slow);
  const release = (): void => doors.forEach((door) => door.release());
  round.undo(release);
  const { id } = (await callers.transcribe(api, greedy, slow, { asynchronous: true })).body;
  const end = new AbortController();
  const follow = ({ key }: Account, transcriptionId: string): Promise<string> =>
    fetch(`${api.url}/api/v1/transcriptions/${transcriptionId}`, {
      headers: { authorization: `Bearer ${key}`, accept: "text/event-stream" },
      signal: end.signal,
    }).then((answer) => answer.text());
  const streams = Array.from({ length: followers }, () => follow(greedy, id).catch(() => undefined));
  const calls = Array.from({ length: followers }, () => callers.transcribe(api, greedy, slow).catch(() => undefined));
  for (let probes = 0; probes < probesLong; probes += 1) await round.probe();
  const reel = await world.addReel("shortest");
  const quietId = (await callers.transcribe(api, quiet, reel, { asynchronous: true })).body.id;
  const events = await within(
    probesLong * world.probeSeconds,
    "the quiet account's stream ends",
    follow(quiet, quietId),
  );
  if (!events.includes("event: finished")) round.broken("the quiet account's stream did not finish");
  end.abort();
  release();
  await Promise.all([...streams, ...calls]);
  await round.served({ reel: slow, account: greedy });
}

/** One account has all its scripts heard again, as after a new recognizer. */
async function hearAgain(round: Round): Promise<void> {
  const { world, callers } = round;
  const { greedy } = world.accounts;
  const api = world.apis()[0]!;
  const reels = await Promise.all(Array.from({ length: heardAgain }, () => world.addReel("shortest")));
  const batch = await sendBatch(
    round,
    greedy,
    reels.map(({ url }) => url),
  );
  const read = async () => (await callers.send(api, `/api/v1/batches/${batch}`, { key: greedy.key })).body;
  const isFinished = async (): Promise<boolean> => (await read()).status === "finished";
  await until(world.probeSeconds * heardAgain, "the greedy account has scripts", isFinished, { every: 500 });
  const scripts = await world.query<{ id: string }>(
    `with older as (
       update transcript set revision = 0, heard_by = '{}' where media_id = any($1) returning id)
     select script.id from script join older on older.id = transcript_id where account_id = $2`,
    [reels.map(({ mediaId }: KnownReel) => mediaId), greedy.id],
  );
  const answers = await Promise.all(
    scripts.map(({ id }) =>
      callers.send(api, `/api/v1/scripts/${id}/retranscribe`, {
        method: "POST",
        key: greedy.key,
        body: {},
        asynchronous: true,
      }),
    ),
  );
  const begun = answers.filter(({ status }) => status === 202).length;
  round.note(`${begun} of ${heardAgain} scripts wait to be heard again`);
  if (begun < heardAgain / 2) round.broken(`only ${begun} of ${heardAgain} scripts wait to be heard again`);
  for (let probes = 0; probes < probesLong; probes += 1) await round.probe();
}

/** Gives the greedy account a large library, unless an earlier round did. */
async function addLongScripts({ world }: Round): Promise<void> {
  const { id } = world.accounts.greedy;
  const client = new pg.Client(world.postgres.databaseUrl);
  await client.connect();
  try {
    const { rowCount } = await client.query("select from transcript where media_id like 'copy%' limit 1");
    if (rowCount === 0) await copyScript(client, await addLongScript(client, id), [{ id, scripts: longScripts }]);
  } finally {
    await client.end();
  }
}

/** One account exports a large library many times over. */
async function exportAll(round: Round): Promise<void> {
  const { world } = round;
  const api = world.apis()[0]!;
  await addLongScripts(round);
  const [greedy, quiet] = await Promise.all(
    ["greedy", "quiet"].map((name) => signInAs(`${name}@example.com`, api.url!)),
  );
  const end = new AbortController();
  round.undo(() => end.abort());
  const tally = new Map<number, number>();
  const lanes = Array.from({ length: exportsAtATime }, async () => {
    while (!end.signal.aborted) {
      const status = await greedy!
        .open("/account/export?format=json", { signal: end.signal })
        .then(async (answer) => {
          for await (const _ of answer.body ?? []);
          return answer.status;
        })
        .catch(() => 0);
      tally.set(status, (tally.get(status) ?? 0) + 1);
    }
  });
  for (let probes = 0; probes < probesLong; probes += 1) await round.probe();
  const { status } = await within(
    probesLong * world.probeSeconds,
    "the quiet account's export is answered",
    quiet!.open("/account/export?format=json", {}),
  );
  if (status !== 200) round.broken(`the quiet account's export was answered with ${status}`);
  end.abort();
  await Promise.all(lanes);
  round.note(`exports of the greedy account: ${[...tally].map(([code, count]) => `${code}: ${count}`).join(", ")}`);
}
