// A tour in the terminal: a service of its own on free ports, thrown away at the end.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { build } from "./build.mjs";
import { signInAs } from "./demo-person.mjs";

const failure = build();
if (failure !== undefined) {
  console.error(failure);
  process.exit(1);
}
const { createClient } = await import("../client/dist/index.js");
const { systemClock } = await import("../server/dist/start/system-clock.js");
const { readConfig } = await import("../server/dist/settings/config.js");
const { languageQualityOf } = await import("../server/dist/recognition/language-quality.js");
const { openOwnStore, openPorts } = await import("../server/dist/start/open-ports.js");
const { recognizerOf } = await import("../server/dist/recognition/recognizer-of.js");
const { startService } = await import("../server/dist/service.js");

const colors = process.stdout.isTTY && process.stdout.hasColors();
const paint = (code) => (text) => (colors ? `\u001B[${code}m${text}\u001B[0m` : text);
const bold = paint("1");
const dim = paint("2");
const accent = paint("38;5;209");
const say = (text = "") => console.log(text);
const step = (title) => say(`\n${accent("▐▌")} ${bold(title)}`);
const row = (name, value) => say(`   ${dim(name.padEnd(12))}${value}`);
const quote = (text) => {
  for (const line of wrap(text, 72)) say(`   ${accent("│")} ${line}`);
};

const closers = [];
try {
  await tour();
} finally {
  for (const close of closers.toReversed()) await close();
}
say(`\n   ${dim("Everything of this tour is gone again. npm start begins for real.")}\n`);

async function tour() {
  const directory = await mkdtemp(path.join(tmpdir(), "reelscript-demo-"));
  closers.push(() => rm(directory, { recursive: true, force: true }));
  const config = readConfig(
    {
      PATH: process.env.PATH,
      DATA_DIR: directory,
      PORT: "0",
      STANDIN: "1",
      STANDIN_PORT: "0",
      FFMPEG_PATH: process.env.FFMPEG_PATH,
    },
    directory,
  );

  step("A service starts");
  const started = performance.now();
  const [store, ports] = await Promise.all([
    openOwnStore(config, systemClock),
    openPorts(config, systemClock, directory, {
      onNotice: () => undefined,
      onDownload: () => undefined,
      onHint: () => undefined,
    }),
  ]);
  closers.push(
    () => store.close(),
    () => ports.close(),
  );
  let show = () => undefined;
  const transcriber = {
    ...ports.transcriber,
    transcribe: (file, options) =>
      ports.transcriber.transcribe(file, {
        ...options,
        onProgress: (done) => {
          show(done);
          options.onProgress(done);
        },
      }),
  };
  const faults = [];
  const service = await startService(
    {
      ...config,
      recognizer: recognizerOf(config),
      workDirectory: directory,
      languageQuality: languageQualityOf(config),
    },
    { ...ports, store, transcriber, clock: systemClock },
    { onFault: (error) => faults.push(error), onNotice: () => undefined },
  );
  closers.push(() => service.stop());
  const ready = await fetch(`${service.url}/readyz`);
  if (ready.status !== 200) throw new Error(`the service is not ready: ${await ready.text()}`);
  row("ready in", `${((performance.now() - started) / 1_000).toFixed(1)} s`);
  row("REST", `${service.url}/api/v1`);
  row("MCP", `${service.url}/mcp`);
  row("transcriber", ports.parts.transcriber);

  step("A person signs in and makes a key");
  const person = await signInAs("ada@example.com", service.url);
  const { account } = await person.ask("/session");
  const { secret: key } = await person.ask("/keys", { name: "Demo" });
  row("dashboard", `${service.url}/app`);
  row("person", `${account.name}, ${account.email}`);
  row("account", `${account.id}, ${account.plan} plan`);
  row("key", `${key.slice(0, 12)}…${key.slice(-4)}`);

  step("REST: a reel becomes text");
  const client = createClient({ baseUrl: service.url, apiKey: key });
  const url = ports.parts.standin.exampleUrl;
  const reel = await client.resolveReel({ url });
  row("reel", url);
  row("by", `@${reel.author.handle}, ${reel.likes} likes`);
  row("caption", reel.caption);
  const bar = progressBar();
  show = bar.show;
  const asked = performance.now();
  const fresh = await client.transcribeReel({ url });
  bar.end();
  row("took", `${((performance.now() - asked) / 1_000).toFixed(1)} s for ${reel.durationSeconds} s of video`);
  row("language", fresh.language);
  row("used", `${fresh.usage.used} of ${fresh.usage.limit}`);
  quote(fresh.transcript);

  step("MCP: the same reel comes from the cache, free");
  const agent = new Client({ name: "demo", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await agent.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  );
  closers.push(() => agent.close());
  const { tools } = await agent.listTools();
  row("tools", tools.map(({ name }) => name).join(", "));
  const cached = (await agent.callTool({ name: "transcribe_reel", arguments: { url } })).structuredContent;
  row("cached", String(cached.cached));
  row("used", `${cached.usage.used} of ${cached.usage.limit}`);

  step("A second reel, in Spanish, and a search over both");
  const spanish = ports.parts.standin.reels.find(({ language, kind }) => language === "es" && kind === "speech");
  const second = progressBar();
  show = second.show;
  const other = await client.transcribeReel({ url: spanish.url });
  second.end();
  quote(other.transcript);
  const word = other.transcript.match(/\p{L}{7,}/u)?.[0] ?? "";
  const { total, scripts } = await client.searchMyScripts({ query: word });
  row("search", `“${word}”: ${total} of 2 scripts`);
  for (const script of scripts) row("found", `${script.reelUrl}  ${dim(`@${script.account}, ${script.likes} likes`)}`);

  step("What was used, before and after paying for more");
  showUsage(await client.getUsage({}));
  const { url: payPage } = await person.ask("/billing/checkout", { plan: "creator" });
  await person.press(payPage, "pay");
  row("paid", dim(payPage));
  showUsage(await client.getUsage({}));
  row("the key", (await person.ask("/keys")).keys.map(({ name, lastFour }) => `“${name}”, …${lastFour}`).join(", "));
  if (faults.length > 0) throw faults[0];
}

function showUsage({ plan, transcriptions: { used, limit, resetsAt } }) {
  const reset = resetsAt === null ? "for a lifetime" : `until ${resetsAt.slice(0, 10)}`;
  row(plan, `${used} of ${limit} transcriptions, ${reset}`);
}

/** Drawn anew in place on a terminal, once elsewhere. */
function progressBar() {
  const draw = (done) => {
    const filled = Math.round(done * 32);
    return `   ${dim("transcribing")} ${accent("█".repeat(filled))}${dim("░".repeat(32 - filled))} ${String(Math.round(done * 100)).padStart(3)} %`;
  };
  return {
    show: (done) => void (process.stdout.isTTY && process.stdout.write(`\r${draw(done)}`)),
    end: () => say(`${process.stdout.isTTY ? "\r" : ""}${draw(1)}`),
  };
}

function wrap(text, width) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    if (lines.at(-1).length + word.length + 1 > width) lines.push("");
    lines[lines.length - 1] += `${lines.at(-1) === "" ? "" : " "}${word}`;
  }
  return lines;
}
