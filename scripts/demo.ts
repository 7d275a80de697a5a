// A tour in the terminal, with its own service on free ports, which is deleted at the end.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createClient, type Output } from "@reelscript/client";
import { startPlatformStandin } from "@reelscript/platform-standin";
import { startProgram } from "./processes/start-program.ts";
import { signInAs } from "./demo-person.ts";

const colors = process.stdout.isTTY && process.stdout.hasColors();
const paint = (code: string) => (text: string) => (colors ? `\u001B[${code}m${text}\u001B[0m` : text);
const bold = paint("1");
const dim = paint("2");
const accent = paint("38;5;209");
const say = (text = ""): void => console.log(text);
const step = (title: string): void => say(`\n${accent("▐▌")} ${bold(title)}`);
const row = (name: string, value: string | null): void => say(`   ${dim(name.padEnd(12))}${value}`);
const quote = (text: string): void => {
  for (const line of wrap(text, 72)) say(`   ${accent("│")} ${line}`);
};

const closers: (() => unknown)[] = [];
try {
  await tour();
} finally {
  for (const close of closers.toReversed()) await close();
}
say(`\n   ${dim("Everything of this tour is gone again. npm start begins for real.")}\n`);

async function tour(): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), "reelscript-demo-"));
  closers.push(() => rm(directory, { recursive: true, force: true }));
  const standin = await startPlatformStandin();
  closers.push(() => standin.close());

  step("A service starts");
  const started = performance.now();
  const { FFMPEG_PATH = "" } = process.env;
  const service = await startProgram({
    environment: { DATA_DIR: directory, FFMPEG_PATH, LOG_LEVEL: "error" },
    standin: { page: standin.origin, media: standin.mediaOrigin },
  });
  closers.push(() => {
    service.child.kill("SIGINT");
    return service.ended;
  });
  const address = service.url!;
  row("ready in", `${((performance.now() - started) / 1_000).toFixed(1)} s`);
  row("REST", `${address}/api/v1`);
  row("MCP", `${address}/mcp`);
  row("transcriber", /transcriber\s+(.+)/.exec(service.printed())?.[1] ?? "");

  step("A person signs in and makes a key");
  const person = await signInAs("ada@example.com", address);
  const { account } = await person.ask<Record<"account", Record<"name" | "email" | "id" | "plan", string>>>("/session");
  const { secret: key } = await person.ask<{ secret: string }>("/keys", { name: "Demo" });
  row("dashboard", `${address}/app`);
  row("person", `${account.name}, ${account.email}`);
  row("account", `${account.id}, ${account.plan} plan`);
  row("key", `${key.slice(0, 12)}…${key.slice(-4)}`);

  step("REST: a reel becomes text");
  const client = createClient({ baseUrl: address, apiKey: key });
  const spoken = (language: string): string =>
    standin.urlOf(standin.reels.find((one) => one.kind === "speech" && one.language === language)!.code);
  const url = spoken("en");
  const reel = await client.resolveReel({ url });
  row("reel", url);
  row("by", `@${reel.author.handle}, ${reel.likes} likes`);
  row("caption", reel.caption);
  const bar = progressBar();
  const startedAt = performance.now();
  const fresh = await client.transcribeAndFollow({ url }, { onProgress: bar.show });
  bar.end();
  row("took", `${((performance.now() - startedAt) / 1_000).toFixed(1)} s for ${reel.durationSeconds} s of video`);
  row("language", fresh.language);
  row("used", `${fresh.usage.used} of ${fresh.usage.limit}`);
  quote(fresh.transcript);

  step("MCP: the same reel comes from the cache, free");
  const agent = new Client({ name: "demo", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await agent.connect(
    new StreamableHTTPClientTransport(new URL(`${address}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  );
  closers.push(() => agent.close());
  const { tools } = await agent.listTools();
  row("tools", tools.map(({ name }) => name).join(", "));
  const called = await agent.callTool({ name: "transcribe_reel", arguments: { url } });
  const cached = called.structuredContent as { cached: boolean; usage: { used: number; limit: number } };
  row("cached", String(cached.cached));
  row("used", `${cached.usage.used} of ${cached.usage.limit}`);

  step("A second reel, in Spanish, and a search over both");
  const second = progressBar();
  const other = await client.transcribeAndFollow({ url: spoken("es") }, { onProgress: second.show });
  second.end();
  quote(other.transcript);
  const word = other.transcript.match(/\p{L}{7,}/u)?.[0] ?? "";
  const { total, scripts } = await client.searchMyScripts({ query: word });
  row("search", `“${word}”: ${total} of 2 scripts`);
  for (const script of scripts) row("found", `${script.reelUrl}  ${dim(`@${script.account}, ${script.likes} likes`)}`);

  step("What was used, before and after paying for more");
  showUsage(await client.getUsage({}));
  const { url: payPage } = await person.ask<{ url: string }>("/billing/checkout", { plan: "creator" });
  await person.press(payPage, "pay");
  row("paid", dim(payPage));
  showUsage(await client.getUsage({}));
  const { keys } = await person.ask<{ keys: Record<"name" | "lastFour", string>[] }>("/keys");
  row("the key", keys.map(({ name, lastFour }) => `“${name}”, …${lastFour}`).join(", "));
  const complaints = service.printed().split("Ctrl-C stops.")[1]!.trim();
  if (complaints !== "") throw new Error(complaints);
}

function showUsage({ plan, transcriptions: { used, limit, resetsAt } }: Output<"getUsage">): void {
  const reset = resetsAt === null ? "for a lifetime" : `until ${resetsAt.slice(0, 10)}`;
  row(plan, `${used} of ${limit} transcriptions, ${reset}`);
}

/** Redrawn in place on a terminal, otherwise printed once. */
function progressBar(): { readonly show: (state: { readonly progress: number }) => void; readonly end: () => void } {
  const draw = (done: number): string => {
    const filled = Math.round(done * 32);
    return `   ${dim("transcribing")} ${accent("█".repeat(filled))}${dim("░".repeat(32 - filled))} ${String(Math.round(done * 100)).padStart(3)} %`;
  };
  return {
    show: ({ progress }) => void (process.stdout.isTTY && process.stdout.write(`\r${draw(progress)}`)),
    end: () => say(`${process.stdout.isTTY ? "\r" : ""}${draw(1)}`),
  };
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
