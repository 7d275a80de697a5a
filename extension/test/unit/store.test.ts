import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const extension = path.resolve(import.meta.dirname, "../..");
const pictures = path.join(extension, "store/screenshots");

describe("what goes to the stores", () => {
  it.each(["chrome", "firefox"])("is less than 200 kB for %s", (browser) => {
    expect(statSync(path.join(extension, `.output/reelscript-${browser}.zip`)).size).toBeLessThan(200_000);
  });

  it.each(readdirSync(pictures))("has the picture %s in the size that stores take", (name) => {
    const picture = readFileSync(path.join(pictures, name));
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1280, 800]);
    expect(picture.length).toBeLessThan(400_000);
  });
});
