import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/ports.ts";
import { aReel, start } from "./fixtures.ts";

const aPicture = (width: number) => ({ bytes: new Uint8Array(randomBytes(50_000)), width, height: 640 });

export function thumbnails(store: Store): void {
  describe("thumbnails", () => {
    test("are stored byte for byte, and each reel keeps its first", async () => {
      const reel = aReel();
      expect(await store.thumbnails.find(reel)).toBeUndefined();
      expect(await store.thumbnails.read(reel)).toBeUndefined();
      const pictures = [361, 362, 363, 364].map(aPicture);
      const keptPictures = await Promise.all(pictures.map((picture) => store.thumbnails.keep(reel, picture, start)));
      const winner = pictures.find(({ width }) => width === keptPictures[0]?.width)!;
      expect(keptPictures).toEqual(pictures.map(() => ({ width: winner.width, height: 640 })));
      const read = await store.thumbnails.read(reel);
      expect(read && { ...read, bytes: [...read.bytes] }).toEqual({ ...winner, bytes: [...winner.bytes] });
      expect(await store.thumbnails.find(reel)).toEqual({ width: winner.width, height: 640 });
      expect(await store.thumbnails.find({ ...reel, platform: "another" })).toBeUndefined();
    });
  });
}
