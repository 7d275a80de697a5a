import net from "node:net";
import type { Person } from "../scripts/demo-person.ts";

/** The target of an attack, and its accounts. */
export interface Attacker {
  readonly url: string;
  readonly key: string;
  readonly person: Person;
  /** Id of a script of 96,000 characters. */
  readonly longScript: string;
  /** People who have 900 scripts of that length each, the last only nine; those of the first and the last are corrected. */
  readonly collectors: readonly Person[];
  /** The origin of a platform whose share links lead nowhere. */
  readonly platform: string;
  /** Aborted when the attack's time is over. */
  readonly over: AbortSignal;
}

/** Number of responses by status; 0 for incomplete ones. */
export type Answers = Map<number, number>;

export interface Attack {
  readonly name: string;
  readonly longestSeconds: number;
  readonly make: (attacker: Attacker) => Promise<Answers>;
}

const usualSeconds = 8;
const exportSeconds = 90;
const reports = 100;
const connections = 4_000;
const streams = 1_000;

export const attacks: readonly Attack[] = [
  {
    name: "8 subtitles at a time of 96,000 characters",
    longestSeconds: usualSeconds,
    make: (attacker) =>
      inLanes(attacker, 8, (turn) =>
        get(
          attacker,
          `/api/v1/scripts/${attacker.longScript}/subtitles?format=${["srt", "vtt", "vtt-words"][turn % 3]!}`,
        ),
      ),
  },
  {
    name: "64 scripts with words at a time",
    longestSeconds: usualSeconds,
    make: (attacker) => inLanes(attacker, 64, () => get(attacker, `/api/v1/scripts/${attacker.longScript}?words=true`)),
  },
  {
    name: "8 searches at a time in 900 corrected scripts",
    longestSeconds: usualSeconds,
    make: (attacker) => search(attacker, attacker.collectors[0]!),
  },
  {
    name: "8 searches at a time in 9 corrected scripts",
    longestSeconds: usualSeconds,
    make: (attacker) => search(attacker, attacker.collectors.at(-1)!),
  },
  {
    name: "128 uncompressed OpenAPI documents at a time",
    longestSeconds: usualSeconds,
    make: (attacker) =>
      inLanes(attacker, 128, () =>
        statusOf(
          fetch(`${attacker.url}/openapi.json`, {
            headers: { "accept-encoding": "identity" },
            signal: attacker.over,
          }),
        ),
      ),
  },
  {
    name: "10 exports of 900 corrected scripts",
    longestSeconds: exportSeconds,
    make: ({ collectors: [collector], over }) =>
      exportsOf(
        Array.from({ length: 10 }, () => collector!),
        over,
      ),
  },
  {
    name: "an export of 900 scripts by each of 5 accounts",
    longestSeconds: exportSeconds,
    make: ({ collectors, over }) => exportsOf(collectors.slice(1, -1), over),
  },
  {
    name: `${reports} refused reports of 1,000 reels`,
    longestSeconds: 60,
    async make({ person, over }) {
      const answers: Answers = new Map();
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify(largestReport());
      let left = reports;
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          while (left > 0 && !over.aborted) {
            left -= 1;
            note(
              answers,
              await statusOf(person.open("/competitor-reports", { method: "POST", headers, body, signal: over })),
            );
          }
        }),
      );
      return answers;
    },
  },
  {
    name: "32 refused reports of 7.8 MB at a time",
    longestSeconds: usualSeconds,
    async make({ person, over }) {
      const headers = { "content-type": "application/json" };
      const body = Buffer.from(JSON.stringify(largestReport(3_600)));
      return inLanes({ over }, 32, () =>
        statusOf(person.open("/competitor-reports", { method: "POST", headers, body, signal: over })),
      );
    },
  },
  {
    name: `${streams} event streams of one account`,
    longestSeconds: usualSeconds,
    async make(attacker) {
      const id = await queueReel(attacker);
      return inLanes(attacker, streams, () =>
        get(attacker, `/api/v1/transcriptions/${id}`, { accept: "text/event-stream" }),
      );
    },
  },
  {
    name: "16 lists of tools at a time, with a valid key",
    longestSeconds: usualSeconds,
    make: (attacker) =>
      inLanes(attacker, 16, (turn) =>
        statusOf(
          fetch(`${attacker.url}/mcp`, {
            method: "POST",
            headers: {
              authorization: `Bearer ${attacker.key}`,
              "content-type": "application/json",
              accept: "application/json, text/event-stream",
            },
            body: JSON.stringify({ jsonrpc: "2.0", id: turn, method: "tools/list", params: {} }),
            signal: attacker.over,
          }),
        ),
      ),
  },
  {
    name: "32 share links at a time, looked up in the library",
    longestSeconds: usualSeconds,
    make: (attacker) =>
      inLanes(attacker, 32, (turn) => {
        const link = encodeURIComponent(`${attacker.platform}/share/reel/BA${String(turn).padStart(8, "0")}/`);
        return get(attacker, `/api/v1/scripts?url=${link}`);
      }),
  },
  { name: `${connections} unfinished connections`, longestSeconds: usualSeconds, make: leaveUnfinished },
];

/** Lanes that each work through one task after another until the time is over. */
async function inLanes(
  { over }: Pick<Attacker, "over">,
  lanes: number,
  work: (turn: number) => Promise<number>,
): Promise<Answers> {
  const answers: Answers = new Map();
  let turns = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (!over.aborted) {
        turns += 1;
        note(answers, await work(turns));
      }
    }),
  );
  return answers;
}

const note = (answers: Answers, status: number): void => void answers.set(status, (answers.get(status) ?? 0) + 1);

const search = (attacker: Attacker, collector: Person): Promise<Answers> =>
  inLanes(attacker, 8, () =>
    statusOf(collector.open("/scripts?query=dough%20hour&limit=50", { signal: attacker.over })),
  );

const exportsOf = async (people: readonly Person[], over: AbortSignal): Promise<Answers> => {
  const answers: Answers = new Map();
  await Promise.all(
    people.map(async (person) =>
      note(answers, await statusOf(person.open("/account/export?format=json", { signal: over }))),
    ),
  );
  return answers;
};

/** Reads the whole response, but keeps none of it. */
async function statusOf(request: Promise<Response>): Promise<number> {
  try {
    const { status, body } = await request;
    for await (const _ of body ?? []);
    return status;
  } catch {
    return 0;
  }
}

const get = (
  { url, key, over }: Attacker,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> =>
  statusOf(fetch(`${url}${path}`, { headers: { ...headers, authorization: `Bearer ${key}` }, signal: over }));

/** The id of a transcription that stays in the queue, because the process has no worker. */
async function queueReel({ url, key, platform }: Attacker): Promise<string> {
  const answer = await fetch(`${url}/api/v1/transcribe`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", prefer: "respond-async" },
    body: JSON.stringify({ url: `${platform}/reel/CqueuedReel/` }),
  });
  const body = (await answer.json()) as { readonly id?: string };
  if (body.id === undefined) throw new Error(`transcribe answered ${answer.status}: ${JSON.stringify(body)}`);
  return body.id;
}

/** More than a free plan takes, with the longest captions that the platform has. */
function largestReport(reels = 1_000) {
  const caption = "The dough rests for an hour, then we shape it. ".repeat(46);
  return {
    handle: "cook.daily",
    timezone: "Europe/Berlin",
    collectedAt: new Date().toISOString(),
    reels: Array.from({ length: reels }, (_, index) => ({
      url: `https://www.instagram.com/reel/C${String(index).padStart(10, "0")}/`,
      caption,
      views: 1_000 + index,
      likes: index,
      comments: index % 7,
      postedAt: new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString(),
      durationSeconds: 20 + (index % 30),
    })),
  };
}

/** Requests that begin and never end, over connections that are replaced when the service closes them. */
async function leaveUnfinished({ url, over }: Attacker): Promise<Answers> {
  const answers: Answers = new Map();
  const { hostname, port } = new URL(url);
  const open = new Set<net.Socket>();
  const connect = (): void => {
    const socket = net.connect(Number(port), hostname, () => socket.write("GET /api/v1/usage HTTP/1.1\r\nhost: x\r\n"));
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (data) => note(answers, Number(data.toString("latin1", 9, 12))));
    socket.on("close", () => {
      open.delete(socket);
      if (!over.aborted) connect();
    });
  };
  for (let count = 0; count < connections; count += 1) connect();
  await new Promise((resolve) => over.addEventListener("abort", resolve));
  for (const socket of open) socket.destroy();
  return answers;
}
