import { operations, type Operation, type OperationName } from "@reelscript/contract";
import { describe, expect, it } from "vitest";
import { commandName, commands } from "../src/cli/command.ts";
import { describe as describeAnswer } from "../src/cli/describe.ts";
import { createPage } from "../src/cli/surroundings.ts";
import { commonFlags } from "../src/cli/parse-arguments.ts";
import { present } from "../src/cli/present.ts";
import { padEnd, plainText, shortenText, textWidth, wrapText } from "../src/cli/text.ts";
import { runHere } from "./run-program.ts";
import { transcribed, useToldService } from "./told-service.ts";

describe("commands", () => {
  it("have names of their own, and flags that no common flag hides", () => {
    expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
    const flags = commands.flatMap(({ fields }) => fields.filter(({ required }) => !required).map(({ flag }) => flag));
    expect(flags.filter((flag) => Object.hasOwn(commonFlags, flag))).toEqual([]);
    const names: (OperationName | undefined)[] = commands.map(({ operationName }) => operationName);
    expect(names).toContain("transcribeReel");
  });

  it.each<[Operation["http"]["method"], `/${string}`, string]>([
    ["POST", "/transcribe", "transcribe"],
    ["GET", "/reels/resolve", "reel"],
    ["GET", "/competitor-reports", "competitor-reports"],
    ["GET", "/competitor-reports/{id}", "competitor-report"],
    ["PATCH", "/bio", "update-bio"],
    ["GET", "/bio/analytics", "bio-analytics"],
    ["POST", "/webhooks", "create-webhook"],
    ["POST", "/webhooks/{id}/test", "test-webhook"],
    ["DELETE", "/webhooks/{id}", "delete-webhook"],
    ["POST", "/scripts/{id}/retranscribe", "retranscribe"],
  ])("%s %s is %s", (method, path, name) => {
    expect(commandName({ method, path })).toBe(name);
  });
});

describe("text", () => {
  it("is measured in columns", () => {
    expect(textWidth("வணக்கம்")).toBe(5);
    expect(textWidth("日本")).toBe(4);
    expect(textWidth("e\u0301")).toBe(1);
    expect(padEnd("வணக்கம்", 7)).toBe("வணக்கம்  ");
  });

  it("is wrapped between words and keeps its words", () => {
    const text = "one two three four\nfive https://example.org/a/very/long/address six";
    const lines = wrapText(text, 10);
    expect(lines.join(" ")).toBe(text.replace("\n", " "));
    expect(lines.filter((line) => textWidth(line) > 10)).toEqual(["https://example.org/a/very/long/address"]);
    expect(wrapText(text, Infinity)).toEqual(text.split("\n"));
  });

  it("is shortened to a line", () => {
    expect(shortenText("one\ntwo  three", 20)).toBe("one two three");
    expect(shortenText("one\ntwo  three", 8)).toBe("one two…");
  });

  it("loses what steers a terminal and keeps what is written", () => {
    expect(plainText("a\u001b[31mb\u0007\r\u202ec\n\td நன்றி 👍🏽")).toBe("a[31mbc\n\td நன்றி 👍🏽");
  });
});

describe("a page", () => {
  it.each([
    [{ isTTY: true, columns: 60 }, {}, 60, true],
    [{ isTTY: true, columns: 60 }, { NO_COLOR: "1" }, 60, false],
    [{ isTTY: true, columns: 60 }, { NO_COLOR: "" }, 60, true],
    [{ isTTY: true, columns: 60 }, { TERM: "dumb" }, 60, false],
    [{ isTTY: true, columns: 500 }, {}, 100, true],
    [{}, {}, Infinity, false],
  ])("of %j with %j", (stream, environment, width, colored) => {
    const page = createPage(stream, environment);
    expect(page.width).toBe(width);
    expect(page.red("x")).toBe(colored ? "\u001b[31mx\u001b[39m" : "x");
  });

  it("shows a list as a table if it fits, else by field", () => {
    const { plans } = operations.getPlans.exampleOutput ?? expect.fail("there is no example");
    const answer = { requestsPerHour: { perKey: 60 }, plans, free: [] };
    const wide = describeAnswer(answer, createPage({}, {}));
    expect(wide).toMatch(
      /^Requests per hour per key +60\nFree +–\n\nPlans\nID +NAME +.*\nhobby +Hobby +10 +250 +month/,
    );
    const narrow = describeAnswer(answer, createPage({ isTTY: true, columns: 40 }, { NO_COLOR: "1" }));
    expect(narrow).toMatch(/\n\nPlans\nId +hobby\nName +Hobby\n/);
    expect(Math.max(...narrow.split("\n").map(textWidth))).toBeLessThanOrEqual(40);
  });

  it("wraps a transcript on a terminal", () => {
    const page = createPage({ isTTY: true, columns: 40 }, {});
    const { body } = present("transcribeReel", { ...transcribed }, page);
    expect(body.split("\n").length).toBeGreaterThan(1);
    expect(Math.max(...body.split("\n").map(textWidth))).toBeLessThanOrEqual(40);
  });
});

const service = useToldService();

it("shows a person at a terminal what the work waits for", async () => {
  const state = {
    id: "trn_1",
    reelUrl: "https://www.instagram.com/reel/DLlGZiCOBQ0/",
    requestedAt: "2026-11-20T10:00:00.000Z",
  };
  let written = "";
  let finish = (): void => undefined;
  service.tell((response) => {
    const waiting = { ...state, status: "queued", progress: 0, waitingFor: "recognizer" };
    response
      .writeHead(200, { "content-type": "text/event-stream" })
      .write(`event: progress\ndata: ${JSON.stringify(waiting)}\n\n`);
    finish = () => response.end();
  });
  const environment = { REELSCRIPT_URL: service.url, REELSCRIPT_API_KEY: "svc_sk_example" };
  const stderr = { isTTY: true, columns: 80, write: (text: string) => (written += text) };
  const following = runHere(environment, ["transcription", state.id], stderr);
  await expect.poll(() => written, { timeout: 20_000 }).toContain("Waiting for speech recognition… ");
  service.tell({ body: { ...state, status: "done", progress: 1, finishedAt: state.requestedAt, result: transcribed } });
  finish();
  expect((await following).code).toBe(0);
});
