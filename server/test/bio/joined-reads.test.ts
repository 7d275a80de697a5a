import { expect, test } from "vitest";
import { joinedReads } from "../../src/features/bio/joined-reads.ts";

interface Reading {
  readonly key: string;
  readonly resolve: (result: string) => void;
  readonly reject: (error: Error) => void;
}

function heldReads() {
  const started: Reading[] = [];
  const read = joinedReads(
    (key: string) => new Promise<string>((resolve, reject) => void started.push({ key, resolve, reject })),
  );
  return { started, read };
}

test("callers that come while a reading is under way share the next one", async () => {
  const { started, read } = heldReads();
  const first = read("lena");
  const later = [read("lena"), read("lena"), read("lena")];
  expect(started).toHaveLength(1);
  started[0]!.resolve("before");
  await expect(first).resolves.toBe("before");
  await expect.poll(() => started.length).toBe(2);
  started[1]!.resolve("after");
  await expect(Promise.all(later)).resolves.toEqual(["after", "after", "after"]);
  const last = read("lena");
  expect(started).toHaveLength(3);
  started[2]!.resolve("last");
  await expect(last).resolves.toBe("last");
});

test("a reading that fails fails its own callers only", async () => {
  const { started, read } = heldReads();
  const first = read("lena");
  const second = read("lena");
  started[0]!.reject(new Error("away"));
  await expect(first).rejects.toThrow("away");
  await expect.poll(() => started.length).toBe(2);
  started[1]!.resolve("back");
  await expect(second).resolves.toBe("back");
});

test("different things are read side by side", async () => {
  const { started, read } = heldReads();
  const both = [read("lena"), read("ada")];
  expect(started.map(({ key }) => key)).toEqual(["lena", "ada"]);
  for (const { key, resolve } of started) resolve(key);
  await expect(Promise.all(both)).resolves.toEqual(["lena", "ada"]);
});
