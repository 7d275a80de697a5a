import { expect, test } from "vitest";
import { runHere } from "./run-program.ts";
import { useToldService } from "./told-service.ts";

const service = useToldService();

test.each([
  "https://www.instagram.com/reel/DLlGZiCOBQ0/",
  "instagram.com/reel/DLlGZiCOBQ0/",
  "//www.instagram.com/reel/DLlGZiCOBQ0/",
])("finds a script by an address, without a scheme too: %s", async (address) => {
  service.tell({ body: { scripts: [], total: 0 } });
  const { stderr, code } = await runHere({ REELSCRIPT_URL: service.url, REELSCRIPT_API_KEY: "svc_sk_example" }, [
    "script",
    address,
  ]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("This reel isn't in your library.")]);
  const { searchParams, pathname } = new URL(service.seen[0]!.path!, service.url);
  expect([pathname, service.seen.length]).toEqual(["/api/v1/scripts", 1]);
  expect(searchParams.get("url")).toMatch(/^https:\/\/(www\.)?instagram\.com\/reel\/DLlGZiCOBQ0\/$/);
});
