import { operations } from "@reelscript/contract";
import { describe, expect, it } from "vitest";
import { runHere } from "./run-program.ts";
import { useToldService } from "./told-service.ts";

const service = useToldService();
const run = (...args: string[]) => runHere({ REELSCRIPT_URL: service.url, REELSCRIPT_API_KEY: "svc_sk_example" }, args);

const page = operations.getMyBioPage.output.parse({
  handle: null,
  url: null,
  displayName: "Ana",
  bio: "Coffee.",
  links: [
    { id: "lnk_1", title: "News", url: "https://example.com/" },
    { id: "lnk_2", type: "header", title: "More" },
  ],
  socials: [{ platform: "x", url: "https://x.com/ana" }],
  takenDownAt: null,
  revision: 3,
  updatedAt: "2026-11-20T10:00:00.000Z",
});

describe("the bio page on the command line", () => {
  it("is shown with the ids of its links", async () => {
    service.tell({ body: page });
    const { stdout, stderr, code } = await run("bio");
    expect([stderr, code]).toEqual(["", 0]);
    expect(stdout).toMatch(/^Handle +–$/m);
    expect(stdout).toMatch(/^Display name +Ana$/m);
    expect(stdout).toMatch(/^Updated at +2026-11-20 10:00 UTC$/m);
    expect(stdout).toContain(
      [
        "",
        "Links",
        "ID     TYPE    TITLE  URL                   ENABLED  HIGHLIGHTED",
        "lnk_1  link    News   https://example.com/  yes      no",
        "lnk_2  header  More   –                     yes      no",
        "",
        "Socials",
        "PLATFORM  URL",
        "x         https://x.com/ana",
      ].join("\n"),
    );
  });

  it("is changed with plain text and JSON, with conditions outside the body", async () => {
    const changes = [{ path: "displayName", before: "Ana", after: null }];
    service.tell({ body: { ...page, dryRun: true, changes } });
    const links = '[{"title":"News","url":"https://example.com/"}]';
    const values = ["--display-name", "Bea", "--links", links];
    const { stdout, code } = await run("update-bio", ...values, "--if-revision", "3", "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Dry run +yes$/m);
    expect(stdout).toMatch(/\nChanges\nPATH +BEFORE\ndisplayName +Ana\n$/);
    const [seen] = service.seen;
    expect([seen!.method, seen!.path, seen!.headers["if-match"]]).toEqual(["PATCH", "/api/v1/bio?dryRun=true", '"3"']);
    expect(JSON.parse(seen!.body)).toEqual({
      displayName: "Bea",
      links: [{ title: "News", url: "https://example.com/" }],
    });
  });

  it("is brought back", async () => {
    service.tell({
      body: { ...page, revision: 4, dryRun: false, changes: [{ path: "bio", before: "x", after: "y" }] },
    });
    expect((await run("bio-revert", "1")).stdout).toMatch(/^Revision +4$.*\nbio +x +y\n$/ms);
    expect(JSON.parse(service.seen[0]!.body)).toEqual({ revision: 1 });
  });

  it("has its figures and those of the period before", async () => {
    const figures = {
      views: 8,
      clicks: 2,
      clickRate: 0.25,
      dailyUniqueVisitors: 5,
      dailyUniqueClickers: 2,
      visitorClickRate: 0.4,
    };
    const none = Object.fromEntries(Object.keys(figures).map((name) => [name, 0]));
    service.tell({
      body: {
        days: 1,
        timezone: "UTC",
        from: "2026-11-20",
        to: "2026-11-20",
        ...figures,
        countedSince: "2026-11-19",
        previous: { from: "2026-11-19", to: "2026-11-19", ...none },
        series: [{ date: "2026-11-20", views: 8, clicks: 2, uniqueVisitors: 5, uniqueClickers: 2 }],
        links: [{ id: "lnk_1", title: "News", url: "https://example.com/", clicks: 2, share: 1, deleted: true }],
        referrers: [
          { host: null, views: 7 },
          { host: "t.co", views: 1 },
        ],
        countries: null,
        devices: [{ device: "mobile", views: 8 }],
        excluded: { bots: 3, prefetch: 1, owner: 2, floods: 4 },
        definitions: Object.fromEntries(
          Object.keys(operations.getBioAnalytics.output.shape.definitions.shape).map((name) => [name, "…"]),
        ),
      },
    });
    const { stdout, stderr, code } = await run("bio-analytics", "--days", "1");
    expect([stderr, code]).toEqual(["", 0]);
    expect(stdout).toMatch(/^Click rate +0\.25$/m);
    expect(stdout).toMatch(/^Previous clicks +0$/m);
    expect(stdout).toMatch(/^Excluded floods +4$/m);
    expect(stdout).toMatch(/^lnk_1 +News +https:\S+ +2 +1 +yes$/m);
    expect(stdout).toContain("\nReferrers\nHOST  VIEWS\n–         7\nt.co      1\n");
    expect(stdout, "definitions are in the documentation").not.toContain("…");
    expect(service.seen[0]!.path).toBe("/api/v1/bio/analytics?days=1");
  });
});
