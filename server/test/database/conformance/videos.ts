import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Failure, Store, VideoClaim } from "../../../src/ports.ts";
import { mostVideoTries, videoPartBytes } from "../../../src/ports/videos.ts";
import { runUpkeep } from "../../harness/look-after.ts";
import {
  after,
  anAccount,
  anAllowance,
  broken,
  mustClaim,
  requestOf,
  start,
  transcriptOf,
  unique,
} from "./fixtures.ts";

const bounds = { mostOfAccount: 3, mostBytes: 1e12 };
const fileBounds = {
  mostAtATime: 9,
  mostBytesOfAccount: 1e9,
  mostBytes: 1e12,
  mostBytesPerHour: 1e9,
  leastFreeBytes: 0,
};

/** Registers what the port `Videos` promises. */
export function videos(store: Store): void {
  /** A file of three bytes that is kept for a week, with its script. */
  async function aKeptFile(accountId: string, changes: { readonly videoStyle?: "oneLine" } = {}) {
    const begun = await store.files.begin(
      {
        accountId,
        slot: 1,
        tokenHash: randomBytes(32),
        name: "draft.mp4",
        title: "draft",
        languageHint: null,
        translates: false,
        size: 3,
        seconds: null,
        sha256: null,
        units: 1,
        keepDays: 7,
        videoStyle: null,
        expiresAt: after(86_400),
        now: start,
        ...changes,
      },
      fileBounds,
    );
    const id = begun.kind === "begun" ? begun.file.id : expect.fail(begun.kind);
    const writer = (await store.files.open(id, 0, start))!;
    await store.files.append(writer, Buffer.from(unique().slice(0, 3)), start);
    const mediaId = (await store.files.complete(id, start))!.mediaId!;
    const reel = { platform: "file", mediaId, shortcode: mediaId, url: `urn:reelscript:file:${mediaId}` };
    await store.files.request(id, requestOf(reel, anAllowance(accountId, { limit: 100 })));
    await store.transcriptions.complete(await mustClaim(store, start), transcriptOf(reel), true, start);
    const { scriptId } = (await store.files.find(accountId, id))!;
    return { fileId: id, scriptId: scriptId! };
  }
  const newVideo = (accountId: string, of: { readonly fileId: string; readonly scriptId: string }) => ({
    accountId,
    ...of,
    style: "highlight" as const,
    subtitles: "[Script Info]",
    seconds: 3,
    now: start,
  });
  async function begin(accountId: string, now = start): Promise<string> {
    const begun = await store.videos.begin({ ...newVideo(accountId, await aKeptFile(accountId)), now }, bounds);
    return begun.kind === "begun" ? begun.video.id : expect.fail(begun.kind);
  }
  const claim = async (now = start, worker = "worker"): Promise<VideoClaim> =>
    (await store.videos.claim(worker, 30, now)) ?? expect.fail("nothing to claim");
  const done = { size: 5, lacksLetters: false, now: after(2) };
  const canceled: Failure = { code: "notFound", status: 404, message: "canceled" };
  /** Ends what a test left in the line. */
  async function emptyLine(): Promise<void> {
    for (let left; (left = await store.videos.claim("last", 30, after(1e6))) !== undefined;)
      await store.videos.fail(left, broken, after(1e6));
  }

  describe("videos", () => {
    test("of a script are one for each style, and an account has at most so many, whatever begins at once", async () => {
      const { id } = await anAccount(store);
      const file = await aKeptFile(id);
      const same = await Promise.all(Array.from({ length: 4 }, () => store.videos.begin(newVideo(id, file), bounds)));
      expect(new Set(same.map((one) => one.kind === "begun" && one.video.id)).size).toBe(1);
      const others: Awaited<ReturnType<typeof aKeptFile>>[] = [];
      // One after another, because each is transcribed by whoever claims first.
      for (let count = 0; count < 4; count += 1) others.push(await aKeptFile(id));
      const begun = await Promise.all(others.map((other) => store.videos.begin(newVideo(id, other), bounds)));
      expect(begun.filter(({ kind }) => kind === "begun")).toHaveLength(bounds.mostOfAccount - 1);
      expect(begun.filter(({ kind }) => kind === "tooMany")).toHaveLength(2);
      await emptyLine();
    });

    test("take the place of the former one only where there is room for them", async () => {
      const { id } = await anAccount(store);
      const file = await aKeptFile(id);
      const first = await store.videos.begin(newVideo(id, file), bounds);
      const firstId = first.kind === "begun" ? first.video.id : expect.fail(first.kind);
      const firstClaim = await claim();
      await store.videos.append(firstClaim, 0, Buffer.from("video"));
      await store.videos.complete(firstClaim, done);
      expect((await store.videos.begin(newVideo(id, file), { ...bounds, mostOfAccount: 0 })).kind).toBe("tooMany");
      expect((await store.videos.begin(newVideo(id, file), { ...bounds, mostBytes: 0 })).kind).toBe("full");
      expect(Buffer.from((await store.videos.readPart(firstId, 0))!).toString()).toBe("video");
      const next = await store.videos.begin(newVideo(id, file), { ...bounds, mostOfAccount: 1 });
      expect(next.kind, "the former one's place is free").toBe("begun");
      expect(await store.videos.readPart(firstId, 0)).toBeUndefined();
      await emptyLine();
    });

    test("take turns between accounts, and an account has one made at a time", async () => {
      const { id: greedy } = await anAccount(store);
      const { id: quiet } = await anAccount(store);
      const first = await begin(greedy);
      const second = await begin(greedy, after(1));
      const later = await begin(quiet, after(2));
      const one = await claim(after(3));
      expect(one.videoId).toBe(first);
      const other = await claim(after(4));
      expect(other.videoId, "not another one of the same account").toBe(later);
      expect(await store.videos.claim("third", 30, after(5))).toBeUndefined();
      expect(await store.videos.complete(one, done)).toBe(true);
      expect((await claim(after(6))).videoId).toBe(second);
      await emptyLine();
    });

    test("are claimed once, whoever claims at the same moment", async () => {
      const { id } = await anAccount(store);
      await begin(id);
      await begin(id);
      const claims = await Promise.all(
        Array.from({ length: 5 }, (_, index) => store.videos.claim(`w${index}`, 30, start)),
      );
      expect(claims.filter((one) => one !== undefined)).toHaveLength(1);
      await emptyLine();
    });

    test("whose worker died are begun again a few times, and it can write nothing any more", async () => {
      const { id } = await anAccount(store);
      const videoId = await begin(id);
      const former = await claim();
      expect(await store.videos.append(former, 0, Buffer.from("old"))).toBe(true);
      const next = await claim(after(31), "next");
      expect([next.videoId, next.attempt, next.mayRetry]).toEqual([videoId, 2, true]);
      expect(await store.videos.append(former, 1, Buffer.from("old"))).toBe(false);
      expect(await store.videos.extend(former, 0.5, 30, after(31))).toBe(false);
      expect(await store.videos.complete(former, done)).toBe(false);
      expect(await store.videos.fail(former, broken, after(31))).toBe(false);
      expect(await store.videos.release(former, { isSetback: true, resumeAt: start })).toBe(false);
      const last = await claim(after(62));
      expect([last.attempt, last.mayRetry]).toEqual([mostVideoTries, false]);
      expect(await store.videos.claim("one more", 30, after(93))).toBeUndefined();
      await store.videos.reap(broken, after(93));
      expect(await store.videos.find(id, videoId)).toMatchObject({ state: "failed", failure: broken });
    });

    test("that are put back wait, and count as tried only if the video was at fault", async () => {
      const { id } = await anAccount(store);
      await begin(id);
      const first = await claim();
      expect(await store.videos.release(first, { isSetback: true, resumeAt: after(10) })).toBe(true);
      expect(await store.videos.claim("early", 30, after(9))).toBeUndefined();
      let tries = 0;
      for (let moment = 10; ; moment += 1) {
        const next = await store.videos.claim("worker", 30, after(moment));
        if (next === undefined) break;
        tries += 1;
        await store.videos.release(next, { isSetback: false, resumeAt: after(moment) });
      }
      expect(tries).toBe(mostVideoTries);
      await store.videos.reap(broken, after(1e6));
    });

    test("are read part by part while they are kept, by their account alone, and leave a receipt", async () => {
      const { id } = await anAccount(store);
      const { id: stranger } = await anAccount(store);
      const videoId = await begin(id);
      const claimed = await claim();
      expect(claimed).toMatchObject({ accountId: id, subtitles: "[Script Info]", seconds: 3 });
      await store.videos.append(claimed, 0, Buffer.alloc(videoPartBytes, "a"));
      await store.videos.append(claimed, 1, Buffer.from("end"));
      expect(await store.videos.append(claimed, 1, Buffer.from("end")), "its answer was lost").toBe(true);
      expect(await store.videos.readPart(videoId, 0), "it isn't done").toBeUndefined();
      expect(await store.videos.complete(claimed, { ...done, size: videoPartBytes + 3, lacksLetters: true })).toBe(
        true,
      );
      expect(await store.videos.findKept(id, videoId)).toMatchObject({ size: videoPartBytes + 3, style: "highlight" });
      expect(await store.videos.findKept(stranger, videoId)).toBeUndefined();
      expect(await store.videos.find(stranger, videoId)).toBeUndefined();
      expect(await store.videos.delete(stranger, videoId, canceled, after(3))).toBeUndefined();
      expect(Buffer.from((await store.videos.readPart(videoId, 1))!).toString()).toBe("end");
      const video = (await store.videos.find(id, videoId))!;
      expect(video).toMatchObject({ state: "done", lacksLetters: true, keptUntil: after(7 * 86_400) });
      expect((await store.videos.list(id)).map((one) => one.id)).toEqual([videoId]);
      expect((await store.videos.listOfScript(id, video.scriptId))?.map((one) => one.id)).toEqual([videoId]);
      expect(await store.videos.listOfScript(stranger, video.scriptId)).toBeUndefined();
      await runUpkeep(store, "forget-videos", after(7 * 86_400 + 1));
      expect(await store.videos.readPart(videoId, 1)).toBeUndefined();
      expect(await store.videos.find(id, videoId)).toMatchObject({
        keptUntil: null,
        deletedAt: after(7 * 86_400 + 1),
        deletedBytes: videoPartBytes + 3,
      });
      await runUpkeep(store, "forget-videos", after(40 * 86_400));
      expect(await store.videos.find(id, videoId), "the receipt is forgotten").toBeUndefined();
    });

    test("are deleted sooner, while they wait or are made, and with their script", async () => {
      const { id } = await anAccount(store);
      const file = await aKeptFile(id);
      const begun = await store.videos.begin(newVideo(id, file), bounds);
      const videoId = begun.kind === "begun" ? begun.video.id : expect.fail(begun.kind);
      const claimed = await claim();
      await store.videos.append(claimed, 0, Buffer.from("abc"));
      expect(await store.videos.delete(id, videoId, canceled, after(1))).toMatchObject({
        state: "failed",
        failure: canceled,
        deletedAt: after(1),
      });
      expect(await store.videos.complete(claimed, done)).toBe(false);
      const again = await store.videos.begin(newVideo(id, file), bounds);
      const secondId = again.kind === "begun" ? again.video.id : expect.fail(again.kind);
      expect(secondId).not.toBe(videoId);
      const second = await claim(after(2));
      await store.videos.append(second, 0, Buffer.from("abc"));
      await store.videos.complete(second, done);
      await store.deletedScripts.delete(id, [file.scriptId], after(3));
      await runUpkeep(store, "forget-videos", after(4));
      expect(await store.videos.findKept(id, secondId), "the script can be restored").toBeDefined();
      await store.deletedScripts.erase(id, [file.scriptId]);
      await runUpkeep(store, "forget-videos", after(5));
      expect(await store.videos.findKept(id, secondId)).toBeUndefined();
    });

    test("that were asked for with a file are due once its words are there", async () => {
      const { id: accountId } = await anAccount(store);
      const { fileId, scriptId } = await aKeptFile(accountId, { videoStyle: "oneLine" });
      const due = (await store.videos.due(10)).filter((one) => one.accountId === accountId);
      expect(due).toEqual([{ fileId, accountId, scriptId, style: "oneLine" }]);
      const second = await aKeptFile(accountId, { videoStyle: "oneLine" });
      const { id: other } = await anAccount(store);
      const others = await aKeptFile(other, { videoStyle: "oneLine" });
      expect((await store.videos.due(2)).map((one) => one.accountId).toSorted(), "one of each account").toEqual(
        [accountId, other].toSorted(),
      );
      for (const one of [fileId, second.fileId, others.fileId]) await store.videos.noteBegun(one);
      expect((await store.videos.due(10)).filter((one) => one.accountId === accountId)).toEqual([]);
    });
  });
}
