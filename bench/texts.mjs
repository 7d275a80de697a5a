import { startService, startStandin } from "./processes/services.mjs";
import { atMost } from "./report.mjs";

const aim = 100;
/** 100,000 characters are the most that a script can be corrected to; ten are left for a word that is searched. */
const lengths = [10_000, 99_990];
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
export async function benchTexts({ report, folder, quick }) {
  const rounds = quick ? 1 : 5;
  report.section(
    "Long texts",
    "The longest time, in milliseconds, for which the process serves nobody else while it answers about one script.",
    `The least of ${rounds} rounds, so that what other processes of the machine do counts little. Embedded database.`,
  );
  const standin = await startStandin();
  const service = await startService({ folder, standin });
  try {
    const rows = [];
    for (const [kind, unit] of Object.entries(kinds))
      for (const length of lengths) {
        const text = unit
          .repeat(Math.ceil(length / unit.length))
          .slice(0, length)
          .replace(/[\uD800-\uDBFF]$/, "");
        rows.push([kind, length, ...(await holdsOf(service, `bread ${text}`, rounds))]);
      }
    report.table(["text", "characters", ...columns], rows);
    const longest = Math.max(...rows.flatMap(([, , ...holds]) => holds));
    report.figures([{ what: "longest hold", figure: `${longest} ms`, aim: atMost(longest, aim, " ms") }]);
  } finally {
    await service.stop();
    await standin.stop();
  }
}

const columns = ["correct", "script", "text", "srt", "vtt", "search"];

async function holdsOf({ url, key, accountId, call }, text, rounds) {
  const least = columns.map(() => Infinity);
  for (let round = 0; round < rounds; round += 1) {
    let place = 0;
    const note = async (work) => {
      await call("longestHold");
      const result = await work();
      least[place] = Math.min(least[place], Math.round(await call("longestHold")));
      place += 1;
      return result;
    };
    const id = await note(() => call("addScript", { accountId, text }));
    const query = encodeURIComponent(`bread ${Array.from(text).slice(6, 8).join("")}`);
    for (const path of [
      `/${id}`,
      `/${id}/text`,
      `/${id}/subtitles?format=srt`,
      `/${id}/subtitles?format=vtt`,
      `?query=${query}&limit=1`,
    ])
      await note(async () => {
        const answer = await fetch(`${url}/api/v1/scripts${path}`, { headers: { authorization: `Bearer ${key}` } });
        if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
        await answer.text();
      });
  }
  return least;
}
