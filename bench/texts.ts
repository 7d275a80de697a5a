import { setTimeout as pause } from "node:timers/promises";
import path from "node:path";
import pg from "pg";
import { withinLongest } from "#server/worker/within-longest.ts";
import { signInAs } from "../scripts/demo-person.ts";
import { addScript, columnValues, transcriptOf } from "./libraries.ts";
import { startThrowawayPostgres } from "./processes/throwaway-postgres.ts";
import { createCaller, withStore } from "./processes/start-program.ts";
import type { Needs } from "./report.ts";
import { type Service, startService } from "./services.ts";

/** Characters of a text; the longest is what a person may write by hand, and beyond it what a worker may store. */
const lengths = [10_000, 99_990, 950_000];
const mostCorrected = 100_000;
const kinds = {
  "ordinary words": "The dough rests for an hour, then we shape it. ",
  "one word": "漢",
  quotes: '"',
  "combining marks": "\u0323\u0301",
  emoji: "👨‍👩‍👧‍👦",
  "right to left": "مرحبا",
  ligatures: "ﷺ",
  "no spaces": "今天我们去北京看长城然后吃烤鸭喝茶東京都に住んでいますสวัสดีครับ",
  mixed: "今日は「天気」がいい。สวัสดี 👨‍👩‍👧‍👦 مرحبا بك, hello! e\u0301\u0323 ",
};
const columns = "store correct compare script words text srt vtt search list export share agent".split(" ");

interface Place {
  readonly service: Service;
  readonly databaseUrl: string;
}

/** For how long a text of any kind keeps a process from serving others. */
export async function benchTexts({ report, folder, quick, started }: Needs): Promise<void> {
  const rounds = quick ? 1 : 3;
  report.section(
    "Long texts",
    "The longest that the main thread computes before it serves somebody else, in milliseconds of its processor time,",
    `while it answers about one script. The least of ${rounds} rounds.`,
  );
  const postgres = await startThrowawayPostgres(folder);
  if (!postgres) return report.note("left out: no PostgreSQL is installed here");
  const { databaseUrl } = await started(postgres);
  const environment = { DATA_DIR: path.join(folder, "data"), DATABASE_URL: databaseUrl, ROLE: "api" };
  const place = { databaseUrl, service: await started(startService({ environment, isProbed: true })) };
  // The first round warms up.
  await holdsOf(place, `bread ${textOf(kinds["ordinary words"], 99_990)}`);
  const rows: [string, number, ...number[]][] = [];
  for (const [kind, unit] of Object.entries(kinds))
    for (const length of lengths) {
      const holds: number[][] = [];
      for (let round = 0; round < rounds; round += 1) holds.push(await holdsOf(place, `bread ${textOf(unit, length)}`));
      rows.push([kind, length, ...columns.map((_, column) => Math.min(...holds.map((each) => each[column]!)))]);
    }
  report.table(["text", "characters", ...columns], rows);
  const longest = Math.max(...rows.flatMap(([, , ...holds]) => holds));
  report.figures([{ what: "longest hold", value: longest, unit: "ms", atMost: 100 }]);
}

const textOf = (unit: string, length: number): string =>
  unit
    .repeat(Math.ceil(length / unit.length))
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, "");

let texts = 0;

/** Longest hold of the process in each column, in milliseconds, for a person who has no other script. */
async function holdsOf({ service, databaseUrl }: Place, text: string): Promise<number[]> {
  texts += 1;
  const person = await signInAs(`texts${texts}@example.com`, service.url);
  const { account } = await person.ask<{ account: { id: string } }>("/session");
  const { key } = await withStore({ databaseUrl }, (store) => createCaller(store, { accountId: account.id }));
  const ask = async (place: string, { headers, ...options }: RequestInit = {}): Promise<void> => {
    const answer = await fetch(`${service.url}${place}`, {
      ...options,
      headers: { authorization: `Bearer ${key}`, ...(headers as Record<string, string>) },
    });
    const body = await answer.text();
    if (answer.status !== 200) throw new Error(`${place} answered ${answer.status}: ${body.slice(0, 200)}`);
  };
  const holds: number[] = [];
  const note = async (work: () => Promise<unknown>): Promise<void> => {
    await service.ask("watchHolds");
    await work();
    await pause(20);
    holds.push(Math.round(await service.ask("longestHold")));
  };
  // A worker stores it, in a process of its own.
  const before = process.cpuUsage();
  const kept = withinLongest(transcriptOf(texts, text));
  columnValues(kept);
  const { user, system } = process.cpuUsage(before);
  holds.push(Math.round((user + system) / 1_000));
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const id = await addScript(client, account.id, kept).finally(() => client.end());

  const { version } = await person.ask<{ version: number }>(`/scripts/${id}/correction`);
  const corrected = { texts: [`${text.slice(0, -1)}.`] };
  await note(() =>
    person.ask(`/scripts/${id}/correction`, corrected, { "if-match": `"${version}"` }).catch((error: unknown) => {
      if (text.length <= mostCorrected) throw error;
    }),
  );
  await note(() => person.ask(`/scripts/${id}/correction`));
  const query = encodeURIComponent(`bread ${Array.from(text).slice(6, 8).join("")}`);
  const subtitles = ["srt", "vtt"].map((format) => `/${id}/subtitles?format=${format}`);
  for (const route of [
    `/${id}`,
    `/${id}?words=true`,
    `/${id}/text`,
    ...subtitles,
    `?query=${query}&limit=1`,
    "?limit=50",
  ])
    await note(() => ask(`/api/v1/scripts${route}`));
  await note(() => person.ask("/account/export"));
  const { link } = await person.ask<{ link: { url: string } }>(`/scripts/${id}/share-link`, {});
  await note(() => ask(new URL(link.url).pathname));
  const call = { name: "list_my_scripts", arguments: { ids: [id] } };
  await note(() =>
    ask("/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
    }),
  );
  return holds;
}
