import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { keysPerAccount, type Language, languageCodes, operations, plans, type Operation } from "@reelscript/contract";
import { embeddedModelErrors, embeddedModelQuality } from "@reelscript/whisper";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/settings/config.ts";
import { languageQualityOf } from "../../src/recognition/recognizer-of.ts";
import { connectMcp } from "../harness/connect-mcp.ts";
import { rest } from "../harness/rest.ts";
import { root } from "../harness/start-program.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const rateLimits = { default: 61, transcribe: 11, bioWrite: 21, address: 601 };

const service = serviceOfTests({ transcriber: null, rateLimits, quotaScope: "account" });

describe("the plans", () => {
  test("are those that are enforced, with the limits in force", async () => {
    const { body } = await rest(service.url, "/plans");
    expect(body.plans.map(({ id }: { id: string }) => id)).toEqual(Object.keys(plans));
    for (const { id, transcriptions, posts, dollarsPerMonth } of body.plans) {
      const { key } = await service.createCaller({ plan: id });
      const usage = (await rest(service.url, "/usage", { key })).body;
      expect(usage.transcriptions.limit, id).toBe(transcriptions.limit);
      expect(usage.transcriptions.resetsAt === null, id).toBe(transcriptions.period === "lifetime");
      expect(posts, id).toEqual({ limit: plans[id as keyof typeof plans].posts, period: transcriptions.period });
      expect(dollarsPerMonth, id).toBe(plans[id as keyof typeof plans].dollarsPerMonth);
    }
    expect(body).toMatchObject({
      keysPerAccount,
      transcriptionsCountedPer: "account",
      requestsPerHour: { perKey: 61, transcriptionsPerKey: 11, bioChangesPerKey: 21, perAddressWithoutKey: 601 },
    });
  });
});

describe("the overview", () => {
  test("says of each language how well the running model reads it", async () => {
    const { body } = await rest(service.url, "/overview");
    expect(
      Object.fromEntries(body.languages.map(({ code, quality }: Record<string, string>) => [code, quality])),
    ).toEqual(embeddedModelQuality);
    for (const { code, wordErrorPercent, recordings } of body.languages)
      expect({ wordErrorPercent, clips: recordings }, code).toEqual({
        wordErrorPercent: embeddedModelErrors[code as Language].wordErrorPercent,
        clips: embeddedModelErrors[code as Language].clips,
      });
    expect(body.languages.map(({ code }: { code: string }) => code)).toEqual(languageCodes);
  });

  test("agrees with what agents read", async () => {
    const { languages: rows } = (await rest(service.url, "/overview")).body;
    const text = await (await fetch(`${service.url}/llms.txt`)).text();
    for (const { code, name, quality } of rows)
      expect(text.split("\n").find((line) => line.startsWith(`- ${quality} `))).toContain(`${name} (${code})`);
  });

  test("calls available what has operations, and nothing else", async () => {
    const { body } = await rest(service.url, "/overview");
    const statusOf = (title: string) =>
      body.features.find((feature: { title: string }) => feature.title === title)?.status;
    const paths = (Object.values(operations) as Operation[]).map(({ http }) => http.path as string);
    for (const [title, path] of [
      ["Transcripts", "/transcribe"],
      ["Library", "/scripts"],
      ["Guides", "/guides"],
      ["Competitor reports", "/competitor-reports"],
      ["Bio page", "/bio"],
      ["Bio analytics", "/bio/analytics"],
    ])
      expect(statusOf(title!), title).toBe(paths.includes(path!) ? "available" : "coming");
    expect([statusOf("Browser extension"), statusOf("Dashboard")]).toEqual(["available", "available"]);
  });

  test("leads to places that answer without a key", async () => {
    const { links } = (await rest(service.url, "/overview")).body;
    for (const name of ["openApi", "dashboard", "guides", "plans"])
      expect((await fetch(links[name])).status, name).toBe(200);
    expect(links.rest).toBe(`${service.url}/api/v1`);
    const client = await connectMcp(links.mcp.replace(/\/mcp$/, ""), "modern");
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await client.close();
  });
});

describe("the quality of languages", () => {
  test("is written in the README as the bench measured it", async () => {
    const check = promisify(execFile)(process.execPath, ["dist/bench/language-quality.js", "--check"], { cwd: root });
    expect((await check).stderr.replaceAll(/^.*Warning.*$/gm, "")).toBe("");
  });

  const qualityWith = (environment: Record<string, string>) => languageQualityOf(readConfig(environment, "/"));

  test("is the embedded model's as long as that model runs", () => {
    expect(qualityWith({})).toEqual(embeddedModelQuality);
    expect(qualityWith({ WHISPER_MODEL_HI: "/models/large" })).toEqual({ ...embeddedModelQuality, hi: "unmeasured" });
    const large = { WHISPER_MODEL: "owner/large", WHISPER_MODEL_EN: "whisper-base" };
    expect(qualityWith(large)).toMatchObject({ en: embeddedModelQuality.en, es: "unmeasured", hi: "unmeasured" });
  });

  test("is what its training measured for a head of the operator's own", () => {
    const { transcriber } = readConfig({}, "/");
    if (transcriber.kind !== "embedded") throw new TypeError("the embedded model runs unless another is named");
    const head = (wordErrorPercent: number, clips: number, refused = 0) => ({
      directory: "/data/heads",
      name: "own",
      errors: { wordErrorPercent, clips, refused, speakers: null },
    });
    const heads = {
      hi: head(14.9, 20),
      ta: head(65, 20),
      te: head(44.9, 400, 3),
      ar: head(1, 19),
      id: head(30, 50, 26),
      en: { directory: "/data/heads", name: "own", errors: undefined },
    };
    expect(languageQualityOf({ transcriber: { ...transcriber, heads } })).toMatchObject({
      hi: "good",
      ta: "unreliable",
      te: "fair",
      ar: "unmeasured",
      id: "unusable",
      en: "unmeasured",
      fr: embeddedModelQuality.fr,
    });
  });

  test.each([
    [{ WHISPER_MODEL: "/models/whisper-base" }],
    [{ WHISPER_MODEL: "owner/whisper-small", WHISPER_MODEL_EN: "owner/whisper-base" }],
    [{ TRANSCRIBER: "openai", OPENAI_BASE_URL: "https://api.example/v1", OPENAI_API_KEY: "x" }],
  ])("is unmeasured for every language with %j", (environment) => {
    expect(new Set(Object.values(qualityWith(environment)))).toEqual(new Set(["unmeasured"]));
  });
});
