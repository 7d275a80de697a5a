import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { largestObjectBytes, type Objects } from "../../src/ports/objects.ts";

/** Registers what the `Objects` port promises, as tests. */
export function objectsConformance(objects: () => Objects): void {
  const aName = (): string => `thumbnails/instagram/${randomBytes(8).toString("hex")}.webp`;
  const someBytes = (length: number) => new Uint8Array(randomBytes(length));
  const list = (bytes: Uint8Array | undefined) => bytes && [...bytes];

  test("gives back what was stored, byte for byte, the latest of a name", async () => {
    const name = aName();
    expect(await objects().get(name)).toBeUndefined();
    const [one, two] = [someBytes(70_000), someBytes(10)];
    await objects().put(name, one, "image/webp");
    expect(list(await objects().get(name))).toEqual([...one]);
    await objects().put(name, two, "image/webp");
    expect(list(await objects().get(name))).toEqual([...two]);
    await objects().put(name, new Uint8Array(), "image/webp");
    expect(list(await objects().get(name))).toEqual([]);
  });

  test("removes one and no other, and what is not there without a word", async () => {
    const [name, other] = [aName(), aName()];
    await objects().put(name, someBytes(5), "image/webp");
    await objects().put(other, someBytes(6), "image/webp");
    await objects().remove(name);
    await objects().remove(name);
    expect(await objects().get(name)).toBeUndefined();
    expect(await objects().get(other)).toHaveLength(6);
  });

  test("leaves one whole object when many write the same name", async () => {
    const name = aName();
    const versions = Array.from({ length: 8 }, () => someBytes(40_000));
    await Promise.all(versions.map((bytes) => objects().put(name, bytes, "image/webp")));
    const kept = Buffer.from((await objects().get(name)) ?? []).toString("hex");
    expect(versions.map((bytes) => Buffer.from(bytes).toString("hex"))).toContain(kept);
  });

  test("refuses what is too large before anything is stored", async () => {
    const name = aName();
    await expect(objects().put(name, new Uint8Array(largestObjectBytes + 1), "image/webp")).rejects.toThrow(
      /too large/,
    );
    expect(await objects().get(name)).toBeUndefined();
  });

  test.each([
    "",
    "/",
    "../x",
    "a/../b",
    "a/./b",
    "a//b",
    "/a",
    "a/",
    "a\0b",
    "a?b",
    "a%2e",
    "ä",
    ".a",
    "a".repeat(501),
  ])("has no object named %j", async (name) => {
    await expect(objects().put(name, someBytes(1), "image/webp")).rejects.toThrow(/not a name/);
    await expect(objects().get(name)).rejects.toThrow(/not a name/);
    await expect(objects().remove(name)).rejects.toThrow(/not a name/);
  });
}
