import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createMetrics } from "../../src/telemetry/metrics.ts";

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}

const labelsByMetric = async () => {
  const metrics = createMetrics(
    {
      work: async () => ({ queued: 1, running: 1, oldestQueuedSeconds: 1, held: 1, oldestHeldSeconds: 1 }),
      connections: () => ({ main: { inUse: 1, idle: 1, waiting: 1 } }),
      recognizer: async () => ({ processes: 1, memoryBytes: 1, restarts: 0 }),
      clockDifference: () => 0,
    },
    { version: "1.0.0", role: "all" },
  );
  metrics.requestEnded({ method: "GET", route: "/", status: "200", seconds: 1 });
  metrics.operationEnded({ operation: "getUsage", door: "rest", status: 200 });
  metrics.cacheAsked(true);
  metrics.transcriptionEnded("done");
  metrics.stageEnded("fetch", 1);
  metrics.canaryAsked("page", "data");
  metrics.placeAwaited("rest", 1);
  metrics.outageChanged("platform instagram", true);
  metrics.obstacleChanged("noRoom");
  metrics.signInEnded("signedIn");
  metrics.storageFailed("put");
  const labels = new Map<string, Set<string>>();
  for (const line of (await metrics.text()).split("\n")) {
    const [, name, inside = ""] = /^([a-z]\w*)(?:\{(.*)\})? /.exec(line) ?? [];
    if (name === undefined) continue;
    const seen = labels.get(name) ?? new Set(["instance", "job"]);
    labels.set(name, seen);
    for (const [, label = ""] of inside.matchAll(/(\w+)="/g)) seen.add(label);
  }
  return labels;
};

/** Checks a query's metrics and labels against those that there are, and says which metrics it reads. */
function metricsIn(query: string, labels: Awaited<ReturnType<typeof labelsByMetric>>): string[] {
  const names = [...query.matchAll(/\b((?:reelscript|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)];
  expect(names.length, query).toBeGreaterThan(0);
  return names.map(([, name = "", filter = ""]) => {
    expect([...labels.keys()], query).toContain(name);
    for (const [, label] of filter.matchAll(/(\w+)(?:=~|!~|!=|=)/g))
      expect([...labels.get(name)!], query).toContain(label);
    for (const [, by = ""] of query.matchAll(/\bby \(([^)]*)\)/g))
      for (const label of by.split(",")) expect([...labels.get(name)!], query).toContain(label.trim());
    return name;
  });
}

test("every dashboard query uses existing figures, and together all of them", async () => {
  const labels = await labelsByMetric();
  const file = new URL("../../../deploy/grafana/reelscript.json", import.meta.url);
  const { panels } = JSON.parse(await readFile(file, "utf8")) as Dashboard;
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(queries.length).toBeGreaterThan(15);
  const stem = (name: string): string => name.replace(/_(bucket|sum|count)$/, "");
  const metrics = queries.flatMap((query) => metricsIn(query, labels)).map(stem);
  const ours = [...labels.keys()].filter((name) => name.startsWith("reelscript_")).map(stem);
  expect(ours.filter((name) => !metrics.includes(name))).toEqual([]);
});

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly remedy: string };
}

describe("the alerts for Prometheus", () => {
  const file = fileURLToPath(new URL("../../../deploy/prometheus/reelscript.rules.yaml", import.meta.url));

  test("ask for figures and labels that there are", async () => {
    const labels = await labelsByMetric();
    const { groups } = parse(await readFile(file, "utf8")) as { groups: { name: string; rules: Rule[] }[] };
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(10);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const rule of rules) {
      const read = metricsIn(rule.expr, labels);
      expect(["page", "ticket"], rule.alert).toContain(rule.labels.severity);
      expect(rule.for ?? "1m").toMatch(/^\d+[smh]$/);
      expect(rule.annotations.remedy, rule.alert).toMatch(/\.$/);
      for (const [, label = ""] of rule.annotations.summary.matchAll(/\$labels\.(\w+)/g))
        for (const name of read) expect([...labels.get(name)!], rule.alert).toContain(label);
    }
  });

  const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;
  test.skipIf(!hasPromtool)("are right for Prometheus (runs where promtool is installed)", () => {
    const { status, stderr } = spawnSync("promtool", ["check", "rules", file], { encoding: "utf8" });
    expect(status, stderr).toBe(0);
  });
});

test("a scrape counts no caller as waiting because of itself", async () => {
  let asks = 0;
  const metrics = createMetrics(
    {
      work: async () => {
        asks += 1;
        return undefined;
      },
      connections: () => ({ main: { inUse: 1, idle: 0, waiting: asks } }),
    },
    { version: "1.0.0", role: "all" },
  );
  expect(await metrics.text()).toMatch(/^reelscript_database_connections\{pool="main",state="waiting"\} 0$/m);
  expect(asks).toBe(1);
});
