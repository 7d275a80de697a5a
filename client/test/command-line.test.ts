import type { ServerResponse } from "node:http";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { operations } from "@reelscript/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { commands } from "../src/cli/command.ts";
import { clientFolder } from "./build-client.ts";
import { createProgram } from "./run-program.ts";
import { refusal, useToldService, transcribed, usage } from "./told-service.ts";

const reel = "https://www.instagram.com/reel/DLlGZiCOBQ0/";

const service = useToldService();
let program: ReturnType<typeof createProgram>;
beforeAll(() => void (program = createProgram(service.url)));

type Run = ReturnType<typeof createProgram>;
const start: Run["start"] = (...args) => program.start(...args);
const run: Run["run"] = (...args) => program.run(...args);

describe("help", () => {
  it("lists a command for every operation", async () => {
    const { stdout, stderr, code } = await run(["--help"]);
    expect([stderr, code]).toEqual(["", 0]);
    const { createBatch, getBatch, createFile, ...others } = operations;
    for (const { summary } of Object.values(others)) expect(stdout).toContain(summary);
    for (const { summary } of [createBatch, getBatch, createFile])
      expect(stdout, "by the commands batch and transcribe").not.toContain(summary);
    for (const name of [
      "transcribe <url>",
      "scripts",
      "usage",
      "reel <url>",
      "me",
      "account create",
      "key revoke",
      "backup create",
    ])
      expect(stdout).toMatch(new RegExp(`^ {2}${name}  `, "m"));
    expect(stdout).toMatch(/Exit codes\n {2}0 /);
    expect(stdout).not.toContain("\u001b[");
  });

  it("lists every command of the operator, as the operator's own program does", async () => {
    const { stdout } = await run(["--help"]);
    const ownCommands =
      /^Commands\n(.+?)\n\n/ms.exec((await start(["account", "--help"]).finished).stdout)?.[1] ?? "nothing listed";
    expect(stdout).toContain(`On the machine of the service\n${ownCommands}\n`);
    expect(ownCommands).toMatch(/^ {2}platform check +\S/m);
  });

  it("speaks of what people do, not of headers", async () => {
    for (const { name } of commands)
      expect((await run([name, "--help"])).stdout, name).not.toMatch(/Prefer|Location|Accept:|\b422\b|`/);
  });

  it("explains values, and ends sentences before they speak of code", async () => {
    const { stdout } = await run(["scripts", "--help"]);
    expect(stdout).toContain("und for no speech.\n");
    expect(stdout).toContain(" Returns only deleted scripts, the last deleted first.\n");
    expect((await run(["update-script", "--help"])).stdout).toContain(
      "\nReplaces the tags of one script. A tag exists ",
    );
    expect((await run(["competitor-report", "--help"])).stdout).toContain("or @handle for the newest report");
  });

  it("stands in for a missing command, with exit code 2", async () => {
    expect(await run([])).toMatchObject({ code: 2, stderr: "", stdout: (await run(["help"])).stdout });
  });

  it.each([
    ["scripts", "--help"],
    ["help", "scripts"],
    ["-h", "scripts"],
  ])("explains a command: %s %s", async (...args) => {
    const { stdout, code } = await run(args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/--sort views\|engagement\|date\|likes\|posted/);
    expect(stdout).toContain("reelscript scripts --query hook --sort views --limit 5");
  });
});

describe("answers", () => {
  it("prints a transcript alone on stdout, the rest on stderr", async () => {
    service.tell({ body: transcribed });
    expect(await run(["transcribe", reel, "--language-hint", "en"])).toEqual({
      code: 0,
      stdout: `${transcribed.transcript}\n`,
      stderr: "English · 4 of 10 transcriptions used\n",
    });
    expect(JSON.parse(service.seen[0]!.body)).toEqual({ url: reel, languageHint: "en" });
    expect(service.seen[0]!.headers.authorization).toBe("Bearer svc_sk_example");
  });

  it("prints the answer as JSON", async () => {
    service.tell({ body: { ...transcribed, transcript: "a\u009b2Jb" } });
    const { stdout, stderr, code } = await run(["--json", "transcribe", reel]);
    expect([stderr, code]).toEqual(["", 0]);
    expect(stdout).not.toContain("\u009b");
    expect(JSON.parse(stdout)).toEqual({ ...transcribed, transcript: "a\u009b2Jb" });
  });

  it("prints scripts as a table, without what could steer the terminal", async () => {
    const script = {
      id: "scr_1",
      reelUrl: reel,
      account: "coffee",
      transcript: "Espresso \u001b]0;owned\u0007 is a \u202emethod.",
      language: "ta",
      views: 12_300,
      engagementRate: 4.25,
      transcribedAt: "2026-11-20T10:00:00.000Z",
    };
    service.tell({ body: { scripts: [script, { id: "scr_2", reelUrl: reel, transcript: "" }], total: 7 } });
    const { stdout, stderr } = await run(["scripts", "--query", "espresso", "--limit", "2", "--account=coffee"]);
    expect(stdout.split("\n")).toEqual([
      "ACCOUNT   VIEWS  ENGAGED  LANGUAGE  TRANSCRIBED  ID     REEL",
      `@coffee  12,300     4.3%  Tamil     2026-11-20   scr_1  ${reel}`,
      "  Espresso ]0;owned is a method.",
      `–             –        –  –         –            scr_2  ${reel}`,
      "  (nothing is said)",
      "",
    ]);
    expect(stderr).toBe("2 of 7 scripts\n");
    expect(service.seen[0]!.path).toBe("/api/v1/scripts?query=espresso&account=coffee&limit=2");
  });

  it("prints usage, and any other answer line by line", async () => {
    service.tell({ body: usage });
    expect((await run(["usage"])).stdout).toBe(
      "Plan            Free\nTranscriptions  ██████░░░░░░░░░░░░░░  3 of 10\n                never resets\n",
    );
    service.tell({
      body: {
        account: { id: "acc_1", email: "ada@example.org", plan: "free", createdAt: "2026-11-20T10:00:00.000Z" },
        key: null,
        transcriptions: usage.transcriptions,
        rateLimits: Object.fromEntries(
          ["default", "transcribe", "bioWrite"].map((name) => [name, { limit: 60, remaining: 59 }]),
        ),
      },
    });
    const { stdout } = await run(["me"]);
    expect(stdout).toMatch(/^Account email +ada@example.org$/m);
    expect(stdout).toMatch(/^Account created at +2026-11-20 10:00 UTC$/m);
    expect(stdout).toMatch(/^Rate limits bio write remaining +59$/m);
    expect(stdout).toMatch(/^Key +–$/m);
  });
});

it("shows its version", async () => {
  const { version } = JSON.parse(await readFile(path.join(clientFolder, "package.json"), "utf8")) as {
    version: string;
  };
  expect(await run(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

it("starts a transcription without waiting, and says how to follow it", async () => {
  const id = "trn_5Ux9Rn2Mx1YdWc8L";
  const body = { id, status: "queued", progress: 0, reelUrl: reel, requestedAt: "2026-11-20T10:00:00.000Z" };
  service.tell({ status: 202, body });
  const { stdout, stderr, code } = await run(["transcribe", reel, "--async"]);
  expect([code, service.seen[0]!.headers.prefer]).toEqual([0, "respond-async"]);
  expect(stdout).toContain(id);
  expect(stderr).toContain(`reelscript transcription ${id}`);
  service.tell({ body: transcribed });
  const cached = await run(["transcribe", reel, "--async"]);
  expect(cached.stdout, "what is cached comes at once").toContain(transcribed.transcript);
});

const state = { id: "trn_5Ux9Rn2Mx1YdWc8L", reelUrl: reel, requestedAt: "2026-11-20T10:00:00.000Z" };
const writeEvent = (response: ServerResponse, event: string, data: unknown) =>
  response.write(`event: ${event}\ndata: ${JSON.stringify({ ...state, ...(data as object) })}\n\n`);
const events = (response: ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" });

describe("following", () => {
  it("is one stream after a transcription was asked for", async () => {
    service.tell({ status: 202, body: { ...state, status: "queued", progress: 0 } }, (response) => {
      writeEvent(events(response), "progress", { status: "running", progress: 0.5 });
      writeEvent(response, "finished", {
        status: "done",
        progress: 1,
        finishedAt: state.requestedAt,
        result: transcribed,
      });
      response.end();
    });
    expect(await run(["transcribe", reel])).toEqual({
      code: 0,
      stdout: `${transcribed.transcript}\n`,
      stderr: "English · 4 of 10 transcriptions used\n",
    });
    expect(service.seen).toHaveLength(2);
  });

  it("of a transcription by id ends with it; --no-wait looks once", async () => {
    const failed = {
      status: "failed",
      progress: 1,
      finishedAt: state.requestedAt,
      error: refusal("notFound", "Gone.").error,
    };
    service.tell((response) => {
      writeEvent(events(response), "progress", { status: "running", progress: 0.5 });
      writeEvent(response, "finished", failed);
      response.end();
    });
    const { stdout, code } = await run(["transcription", state.id, "--json"]);
    expect([JSON.parse(stdout), code]).toEqual([{ ...state, ...failed }, 1]);
    service.tell({ body: { ...state, status: "running", progress: 0.5 } });
    expect(await run(["transcription", state.id, "--no-wait"])).toMatchObject({ code: 0, stderr: "" });
    expect(service.seen[0]!.headers.accept).toBe("application/json");
  });

  it.runIf(process.platform !== "win32")("that is interrupted says how to follow on", async () => {
    const { child, finished } = start(["transcribe", reel]);
    service.tell({ status: 202, body: { ...state, status: "queued", progress: 0 } }, (response) => {
      writeEvent(events(response), "progress", { status: "running", progress: 0.5 });
      child.kill("SIGINT");
    });
    expect(await finished).toEqual({
      code: 130,
      stdout: "",
      stderr: `Interrupted. The transcription continues. Follow it with: reelscript transcription ${state.id}\n`,
    });
  });
});

describe("failures", () => {
  it("show waits and go on", async () => {
    const later = { status: 429, headers: { "retry-after": "1" }, body: refusal("rateLimited", "Too many.") };
    service.tell(later, { body: usage });
    const { stderr, code } = await run(["usage"]);
    expect([stderr, code]).toEqual(["Too many requests; trying again in 1 s. Ctrl-C stops.\n", 0]);
    service.tell(later, { body: usage });
    expect(await run(["usage", "--no-wait"])).toMatchObject({
      code: 1,
      stderr: "error: Too many. [rateLimited] (try again in 1 s)\n",
    });
  });

  it("name code and message, and for the service's faults the request id", async () => {
    service.tell({ status: 404, body: refusal("notFound", "The reel is private.") });
    expect(await run(["reel", reel])).toEqual({
      code: 1,
      stdout: "",
      stderr: "error: The reel is private. [notFound]\n",
    });
    service.tell({ status: 500, headers: { "x-request-id": "req_9" }, body: refusal("internalError", "Broken.") });
    expect((await run(["usage"])).stderr).toBe("error: Broken. [internalError]\nRequest id: req_9\n");
  });

  it("tell a page of somebody else from an answer", async () => {
    service.tell({ status: 200, body: "<h1>Router</h1>" });
    const { stderr, code } = await run(["usage"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .*text\/html.*/);
  });

  it.each<[string, string[]]>([
    ["a command is missing", ["--no-wait"]],
    ["<url> is missing", ["transcribe"]],
    ["it has no dashes, and --url is", ["transcribe", "--url", reel]],
    ["--limit must be a whole number from 1 to 50", ["scripts", "--limit", "many"]],
    ['from 1 to 50, not "51"', ["scripts", "--limit", "51"]],
    ["--sort must be one of views, engagement, date, likes, posted", ["scripts", "--sort", "shares"]],
    ['unexpected argument "hook"', ["scripts", "hook"]],
    ["must be an http(s) URL", ["usage", "--url", "localhost"]],
  ])("of the command line are exit code 2: %s", async (message, args) => {
    service.tell();
    const { stdout, stderr, code } = await run(args);
    expect([stdout, code]).toEqual(["", 2]);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/\nSee reelscript .*--help\n$/);
    expect(service.seen).toEqual([]);
  });

  it("are JSON for a program that asked for JSON", async () => {
    const headers = { "x-request-id": "req_9", "x-error-reason": "reelPrivate" };
    service.tell({ status: 404, headers, body: refusal("notFound", "The reel is private.") });
    const { stdout, stderr, code } = await run(["reel", reel, "--json"]);
    expect([stdout, code]).toEqual(["", 1]);
    expect(JSON.parse(stderr)).toEqual({
      error: { code: "notFound", message: "The reel is private.", reason: "reelPrivate", requestId: "req_9" },
    });
    const wrong = await run(["scripts", "--limit", "many", "--json"]);
    expect([JSON.parse(wrong.stderr).error.code, wrong.code]).toEqual(["usage", 2]);
  });

  it("suggest the right address if it ends in REST's path", async () => {
    const { stderr, code } = await run(["usage", "--url", `${service.url}/api/v1/`]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`without /api/v1: ${service.url}\n`)]);
  });

  it("say how to get a key when there is none", async () => {
    const { stderr, code } = await run(["usage"], { REELSCRIPT_API_KEY: "" });
    const ways = [`${service.url}/app, under API keys`, "REELSCRIPT_API_KEY", '"reelscript key create"'];
    const mentions = ways
      .filter((way) => stderr.includes(way))
      .toSorted((a, b) => stderr.indexOf(a) - stderr.indexOf(b));
    expect([code, mentions], "the dashboard is named first").toEqual([2, ways]);
  });

  it("prefer flags to the environment", async () => {
    service.tell({ body: usage });
    const { code } = await run(["usage", "--url", service.url, "--key", "other"], {
      REELSCRIPT_URL: "http://127.0.0.1:9",
    });
    expect([code, service.seen[0]!.headers.authorization]).toEqual([0, "Bearer other"]);
  });

  it.runIf(process.platform !== "win32").each(["SIGINT", "SIGTERM"] as const)("end cleanly on %s", async (signal) => {
    const { child, finished } = start(["transcribe", reel]);
    service.tell(() => child.kill(signal));
    expect(await finished).toEqual({
      code: 130,
      stdout: "",
      stderr: expect.stringMatching(/^Interrupted\. The transcription continues\..*\n$/),
    });
  });
});
