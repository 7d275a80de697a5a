import { expect, test } from "vitest";
import { ServiceError } from "@reelscript/contract";
import { reportOutages } from "../../src/rules/report-outages.ts";

test("a database outage is reported once, and then every half minute", () => {
  let seconds = 0;
  const reported: [number, unknown][] = [];
  const outages = reportOutages({
    clock: { now: () => new Date(seconds * 1_000) },
    onFault: (error) => void reported.push([seconds, error]),
  });
  const away = new ServiceError("unavailable", "away");
  for (; seconds < 65; seconds += 1) outages.failed(away);
  expect(reported).toEqual([0, 30, 60].map((at) => [at, away]));
  outages.succeeded();
  outages.failed(away);
  outages.failed(away);
  expect(reported.slice(3)).toEqual([[65, away]]);
  const other = new Error("something else");
  outages.failed(other);
  outages.failed(other);
  expect(reported.slice(4)).toEqual([
    [65, other],
    [65, other],
  ]);
});
