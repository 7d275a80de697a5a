import { createHash, randomBytes } from "node:crypto";
import { fileLimits } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/ports.ts";
import { filePartBytes } from "../../../src/ports/files.ts";
import { runUpkeep } from "../../harness/look-after.ts";
import { after, anAccount, anAllowance, mustClaim, requestOf, start, transcriptOf } from "./fixtures.ts";

const bounds = { mostAtATime: 2, mostBytesOfAccount: 1e9, mostBytes: 1e12, mostBytesPerHour: 1e9, leastFreeBytes: 0 };

/** Registers what the port `Files` promises. */
export function files(store: Store): void {
  const newFile = (accountId: string, size: number) => ({
    accountId,
    slot: 0,
    tokenHash: randomBytes(32),
    name: "draft.mp4",
    title: "draft",
    languageHint: null,
    translates: false,
    size,
    seconds: null,
    sha256: null,
    units: 4,
    keepDays: 0,
    videoStyle: null,
    expiresAt: after(86_400),
    now: start,
  });
  async function begin(accountId: string, size: number): Promise<string> {
    const begun = await store.files.begin(newFile(accountId, size), bounds);
    return begun.kind === "begun" ? begun.file.id : expect.fail(begun.kind);
  }
  const part = (letter: string, bytes = filePartBytes): Buffer => Buffer.alloc(bytes, letter);

  describe("files", () => {
    test("are at most so many at a time, whatever begins at once", async () => {
      const { id } = await anAccount(store);
      const begun = await Promise.all(Array.from({ length: 6 }, () => store.files.begin(newFile(id, 10), bounds)));
      expect(begun.filter(({ kind }) => kind === "begun")).toHaveLength(bounds.mostAtATime);
      expect(begun.filter(({ kind }) => kind === "tooMany")).toHaveLength(6 - bounds.mostAtATime);
    });

    test("are written by the last request alone, from where they end", async () => {
      const { id: accountId } = await anAccount(store);
      const id = await begin(accountId, 2 * filePartBytes + 5);
      const former = (await store.files.open(id, 0, start))!;
      expect(await store.files.keepTail(former, part("a", 10), start)).toBe(true);
      expect(await store.files.open(id, 0, start), "it ends at 10").toBeUndefined();
      const writer = (await store.files.open(id, 10, start))!;
      expect([writer.parts, Buffer.from(writer.tail).toString()]).toEqual([0, "a".repeat(10)]);
      expect(await store.files.append(former, part("x"), start)).toBeUndefined();
      expect(await store.files.keepTail(former, part("x", 20), start)).toBe(false);
      const next = (await store.files.append(writer, part("a"), start))!;
      expect(next.parts).toBe(1);
      expect(await store.files.append(writer, part("a"), start), "a second time").toBeUndefined();
      expect(await store.files.rollBack(writer)).toBe(true);
      expect((await store.files.find(accountId, id))?.received).toBe(10);
      const again = (await store.files.append(writer, part("a"), start))!;
      const whole = (await store.files.append(again, part("b"), start))!;
      expect(await store.files.complete(id, start), "five bytes are missing").toBeUndefined();
      await store.files.append(whole, part("c", 5), start);
      expect((await store.files.complete(id, start))?.mediaId).toBe(
        createHash("sha256")
          .update(`${accountId}\n`)
          .update(
            Buffer.concat([part("a"), part("b"), part("c", 5)].map((one) => createHash("sha256").update(one).digest())),
          )
          .digest("base64url")
          .slice(0, 32),
      );
      expect(await store.files.open(id, 2 * filePartBytes + 5, start), "it is whole").toBeUndefined();
    });

    test("are in the queue at most four of an account at a time, whatever begins at once", async () => {
      const { id: accountId } = await anAccount(store);
      const many = { ...bounds, mostAtATime: 7 };
      const ids: string[] = [];
      for (const letter of "efghijk") {
        const begun = await store.files.begin(newFile(accountId, 3), many);
        const { id } = begun.kind === "begun" ? begun.file : expect.fail(begun.kind);
        const writer = (await store.files.open(id, 0, start))!;
        await store.files.append(writer, part(letter, 3), start);
        ids.push(id);
      }
      const completed = await Promise.all(ids.map((id) => store.files.complete(id, start)));
      const allowance = { ...anAllowance(accountId), limit: 100 };
      const answers = await Promise.all(
        completed.map((file) => {
          const mediaId = file!.mediaId!;
          const reel = { platform: "file", mediaId, shortcode: mediaId, url: `urn:reelscript:file:${mediaId}` };
          return store.files.request(file!.id, requestOf(reel, allowance));
        }),
      );
      expect(answers.map(({ kind }) => kind).toSorted()).toEqual([
        ...Array.from({ length: ids.length - fileLimits.inQueue }, () => "accountQueueFull"),
        ...Array.from({ length: fileLimits.inQueue }, () => "started"),
      ]);
      const { id: otherId } = await anAccount(store);
      const others = await begin(otherId, 3);
      const ownFiles = await store.files.findSome(accountId, [...ids, others, "fil_none"]);
      expect(ownFiles.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      const failure = { code: "notFound", status: 404, message: "deleted" } as const;
      for (const id of ids) await store.files.delete(accountId, id, failure, start);
      expect(await store.allowances.read(allowance.subject, allowance.period)).toEqual({ used: 0, held: 0 });
    });

    test("that are whole are due without another request, and wait for the queue for longer than an upload may take", async () => {
      const { id: accountId } = await anAccount(store);
      const id = await begin(accountId, 3);
      const isDue = async (now: Date) => (await store.files.due(1_000, now)).some((file) => file.id === id);
      const writer = (await store.files.open(id, 0, start))!;
      expect(await store.files.keepTail(writer, part("w", 2), start)).toBe(true);
      expect(await isDue(after(60))).toBe(false);
      await store.files.append(writer, part("w", 3), start);
      expect(await isDue(after(60))).toBe(true);
      expect(await store.files.rollBack(writer)).toBe(true);
      expect(await isDue(after(60)), "its checksum was wrong").toBe(false);
      await store.files.append(writer, part("w", 3), start);
      expect(await store.files.complete(id, start)).toMatchObject({ id });
      expect(await store.files.rollBack(writer), "it is complete").toBe(false);
      await store.files.putOff(id, after(2 * 86_400));
      await runUpkeep(store, "forget-files", after(2 * 86_400));
      expect(await isDue(after(2 * 86_400))).toBe(true);
      const { mediaId } = (await store.files.find(accountId, id))!;
      await store.files.delete(accountId, id, { code: "notFound", status: 404, message: "deleted" }, start);
      const reel = { platform: "file", mediaId: mediaId!, shortcode: mediaId!, url: `urn:reelscript:file:${mediaId}` };
      const request = requestOf(reel, { ...anAllowance(accountId), limit: 3 });
      await expect(store.files.request(id, request)).rejects.toMatchObject({ code: "notFound" });
    });

    test("hold as many units as are left, and return those that they don't need", async () => {
      const { id: accountId } = await anAccount(store);
      const id = await begin(accountId, 3);
      const writer = (await store.files.open(id, 0, start))!;
      await store.files.append(writer, part("d", 3), start);
      const { mediaId } = (await store.files.complete(id, start))!;
      const reel = { platform: "file", mediaId: mediaId!, shortcode: mediaId!, url: `urn:reelscript:file:${mediaId}` };
      const allowance = { ...anAllowance(accountId), limit: 3 };
      expect((await store.files.request(id, requestOf(reel, allowance))).kind).toBe("started");
      const use = () => store.allowances.read(allowance.subject, allowance.period);
      expect(await use()).toEqual({ used: 0, held: 3 });
      expect(await store.transcriptions.claim("narrow", 30, start, { files: false }), "without room").toBeUndefined();
      const claim = await mustClaim(store, start);
      expect(claim).toMatchObject({ reel, hasSentMedia: true });
      expect(await store.files.claimed(claim.transcriptionId)).toMatchObject({ title: "draft", units: 3 });
      await store.files.holdOnly(claim.transcriptionId, 2);
      expect(await use()).toEqual({ used: 0, held: 2 });
      expect([...(await store.files.readPart(claim.transcriptionId, 0))!]).toEqual([...part("d", 3)]);
      expect(await store.transcriptions.complete(claim, transcriptOf(reel), true, after(1))).toBe(true);
      expect(await use()).toEqual({ used: 2, held: 0 });
      expect(await store.files.readPart(claim.transcriptionId, 0)).toBeUndefined();
      expect(await store.files.find(accountId, id)).toMatchObject({ deletedAt: after(1), received: 3, failure: null });
      await runUpkeep(store, "forget-files", after(31 * 86_400));
      expect(await store.files.find(accountId, id), "the receipt is forgotten").toBeUndefined();
    });
  });
}
