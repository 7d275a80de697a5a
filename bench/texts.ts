import { signInAs } from "../scripts/demo-person.ts";
import { type Service, startService, startStandin } from "./processes/services.ts";
import { startThrowawayPostgres } from "./processes/throwaway-postgres.ts";
import type { Needs } from "./report.ts";

/** Of what is heard, 100,000 characters are kept, and a correction of more is refused. Ten are left for a word. */
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

/** For how long a text of any kind keeps a process from serving others. */
export async function benchTexts({ report, folder, quick, started }: Needs): Promise<void> {
  const rounds = quick ? 1 : 3;
  const postgres = await startThrowawayPostgres(folder);
  if (postgres) await started(postgres);
  report.section(
    "Long texts",
    "The longest that the main thread computes before it serves somebody else, in milliseconds of its processor time,",
    "while it answers about one script.",
    `The least of ${rounds} rounds. ${postgres ? `PostgreSQL ${postgres.version}` : "Embedded database, which computes in the main thread"}.`,
  );
  const standin = await started(startStandin());
  const service = await started(startService({ folder, standin, databaseUrl: postgres?.databaseUrl }));
  // The first round warms up.
  await holdsOf(service, `bread ${textOf(kinds["ordinary words"], 99_990)}`);
  const rows: [string, number, ...number[]][] = [];
  for (const [kind, unit] of Object.entries(kinds))
    for (const length of lengths) {
      const holds: number[][] = [];
      for (let round = 0; round < rounds; round += 1)
        holds.push(await holdsOf(service, `bread ${textOf(unit, length)}`));
      rows.push([kind, length, ...holds[0]!.map((_, place) => Math.min(...holds.map((each) => each[place]!)))]);
    }
  report.table(["text", "characters", ...columns.split(" ")], rows);
  const longest = Math.max(...rows.flatMap(([, , ...holds]) => holds));
  report.figures([{ what: "longest hold", value: longest, unit: "ms", atMost: 100 }]);
}

const textOf = (unit: string, length: number): string =>
  unit
    .repeat(Math.ceil(length / unit.length))
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, "");

const columns = "store correct compare script text srt vtt search list export share agent";
let people = 0;

type Asked = Omit<RequestInit, "headers"> & { readonly headers?: Record<string, string> };

/** Of each column, by somebody who has no other script. */
async function holdsOf(service: Service, text: string): Promise<number[]> {
  const { url } = service;
  people += 1;
  const person = await signInAs(`texts${people}@example.com`, url);
  const { account } = await person.ask<{ account: { id: string } }>("/session");
  const { key, accountId } = await service.call("createKey", account.id);
  const ask = async (path: string, { headers, ...options }: Asked = {}): Promise<void> => {
    const answer = await fetch(`${url}${path}`, {
      ...options,
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
    const body = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${body.slice(0, 200)}`);
  };
  const holds: number[] = [];
  const note = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await service.call("watchHolds");
    const result = await work();
    holds.push(Math.round(await service.call("longestHold")));
    return result;
  };
  const id = await note(() => service.call("addScript", { accountId, text }));
  const { version } = await person.ask<{ version: number }>(`/scripts/${id}/correction`);
  const texts = [`${text.slice(0, -1)}.`];
  const isTooLong = text.length > mostCorrected;
  await note(() =>
    person.ask(`/scripts/${id}/correction`, { texts }, { "if-match": `"${version}"` }).catch((error: unknown) => {
      if (!isTooLong) throw error;
    }),
  );
  await note(() => person.ask(`/scripts/${id}/correction`));
  const query = encodeURIComponent(`bread ${Array.from(text).slice(6, 8).join("")}`);
  for (const path of [
    `/${id}`,
    `/${id}/text`,
    `/${id}/subtitles?format=srt`,
    `/${id}/subtitles?format=vtt`,
    `?query=${query}&limit=1`,
    "?limit=50",
  ])
    await note(() => ask(`/api/v1/scripts${path}`));
  await note(() => person.ask("/account/export"));
  const { link } = await person.ask<{ link: { url: string } }>(`/scripts/${id}/share-link`, {});
  await note(() => ask(new URL(link.url).pathname));
  await note(() =>
    ask("/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "list_my_scripts", arguments: { ids: [id] } },
      }),
    }),
  );
  return holds;
}
