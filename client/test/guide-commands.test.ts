import { operations } from "@reelscript/contract";
import { describe, expect, it } from "vitest";
import { runHere } from "./run-program.ts";
import { refusal, useToldService } from "./told-service.ts";

const service = useToldService();
const run = (...args: string[]) => runHere({ REELSCRIPT_URL: service.url }, args);

const summary = {
  slug: "write-a-hook",
  title: "Write a hook",
  summary: "How to open a reel.",
  category: "making",
  tags: ["hook"],
  language: "en",
  readingMinutes: 4,
  updatedAt: "2026-11-21T00:00:00.000Z",
  url: "http://127.0.0.1:8787/api/v1/guides/write-a-hook",
  related: ["write-a-caption"],
  sections: [],
};

describe("without a key", () => {
  it("guides are found and listed", async () => {
    service.tell({ body: { guides: [summary], total: 6 } });
    expect(await run("guides", "--query", "how to open", "--category", "making", "--limit", "1")).toEqual({
      code: 0,
      stdout: "Write a hook  write-a-hook, 4 min\n  How to open a reel.\n",
      stderr: "1 of 6 guides\n",
    });
    expect(service.seen[0]).toMatchObject({ path: "/api/v1/guides?query=how+to+open&category=making&limit=1" });
    expect(service.seen[0]!.headers.authorization).toBeUndefined();
    service.tell({ body: { guides: [], total: 0 } });
    expect(await run("guides", "--query", "zebra")).toEqual({ code: 0, stdout: "", stderr: "No guides found.\n" });
  });

  it("a guide is printed as Markdown, without characters that control the terminal", async () => {
    const bodyMarkdown = "# Write a hook\n\nOne \u001b]0;owned\u0007 line.\n\n```sh\nls  |  wc\n```\n\n| a |\n| - |\n";
    service.tell({ body: { ...summary, bodyMarkdown } });
    const { stdout, stderr, code } = await run("guide", "write-a-hook");
    expect([stderr, code]).toEqual(["", 0]);
    expect(stdout).toBe("# Write a hook\n\nOne ]0;owned line.\n\n```sh\nls  |  wc\n```\n\n| a |\n| - |\n");
    service.tell({ status: 404, body: refusal("notFound", "There is no guide `nope`.") });
    expect(await run("guide", "nope")).toMatchObject({ code: 1, stderr: expect.stringContaining("[notFound]") });
  });

  it("plans are shown as a table", async () => {
    const period = "month";
    service.tell({
      body: operations.getPlans.output.parse({
        plans: [
          {
            id: "creator",
            name: "Creator",
            dollarsPerMonth: 29,
            transcriptions: { limit: 1_000, period },
            posts: { limit: null, period },
          },
        ],
        transcriptionsCountedPer: "key",
        keysPerAccount: 5,
        requestsPerHour: { perKey: 60, transcriptionsPerKey: 10, bioChangesPerKey: 20, perAddressWithoutKey: 600 },
        free: ["one thing", "another"],
      }),
    });
    const { stdout, code } = await run("plans");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Requests per hour transcriptions per key +10$/m);
    expect(stdout).toMatch(/^ID +NAME +DOLLARS PER MONTH +TRANSCRIPTIONS LIMIT /m);
    expect(stdout).toMatch(/^creator +Creator +29 +1,000 +month +month$/m);
    expect(stdout).toContain("\nFree\none thing\nanother\n");
  });

  it("the overview is shown with the quality of each language", async () => {
    const link = "http://127.0.0.1:8787";
    service.tell({
      body: operations.getProductOverview.output.parse({
        name: "Reelscript",
        description: "Text of reels.",
        features: [{ title: "Library", description: "Keeps them.", status: "available" }],
        languages: [{ code: "hi", name: "Hindi", quality: "unusable", meaning: "not read" }],
        reelUrls: ["https://www.instagram.com/reel/{code}/"],
        model: "whisper-base",
        howItWorks: { transcripts: "T", cost: "C", extension: "E", bioPage: "B", apiKeys: "K" },
        links: { rest: link, openApi: link, mcp: `${link}/mcp`, dashboard: `${link}/app`, guides: link, plans: link },
      }),
    });
    const { stdout, code } = await run("overview");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Name +Reelscript\nDescription +Text of reels\.\n/);
    expect(stdout).toMatch(/^Library +Keeps them\. +available$/m);
    expect(stdout).toContain("\nReel urls\nhttps://www.instagram.com/reel/{code}/\n");
    expect(stdout).toMatch(/^hi +Hindi +unusable +not read$/m);
    expect(stdout).toContain(`${link}/mcp`);
  });
});
