import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createMetrics } from "../../src/telemetry/metrics.ts";

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}

const known = async () => {
  const metrics = createMetrics({
    work: async () => ({ queued: 1, running: 1, oldestQueuedSeconds: 1, held: 1, oldestHeldSeconds: 1 }),
    connections: () => ({ main: { inUse: 1, idle: 1, waiting: 1 } }),
    recognizer: async () => ({ processes: 1, memoryBytes: 1, restarts: 0 }),
  });
  metrics.requestEnded({ method: "GET", route: "/", status: "200", seconds: 1 });
  metrics.operationEnded({ operation: "getUsage", door: "rest", status: 200 });
  metrics.cacheAsked(true);
  metrics.transcriptionEnded("done");
  metrics.stageEnded("fetch", 1);
  metrics.canaryAsked("page", "data");
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

test("every query of the dashboard asks for figures and labels that there are, and no figure of ours is left out", async () => {
  const labels = await known();
  const file = new URL("../../../deploy/grafana/reelscript.json", import.meta.url);
  const { panels } = JSON.parse(await readFile(file, "utf8")) as Dashboard;
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(queries.length).toBeGreaterThan(15);
  const asked = new Set<string>();
  for (const query of queries) {
    const names = [...query.matchAll(/\b((?:reelscript|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)];
    expect(names.length, query).toBeGreaterThan(0);
    for (const [, name = "", filter = ""] of names) {
      expect([...labels.keys()], query).toContain(name);
      asked.add(name);
      for (const [, label] of filter.matchAll(/(\w+)(?:=~|!~|!=|=)/g))
        expect([...labels.get(name)!], query).toContain(label);
      for (const [, by = ""] of query.matchAll(/\bby \(([^)]*)\)/g))
        for (const label of by.split(",")) expect([...labels.get(name)!], query).toContain(label.trim());
    }
  }
  const stem = (name: string): string => name.replace(/_(bucket|sum|count)$/, "");
  const ours = [...labels.keys()].filter((name) => name.startsWith("reelscript_")).map(stem);
  const shown = [...asked].map(stem);
  expect(ours.filter((name) => !shown.includes(name))).toEqual([]);
});
