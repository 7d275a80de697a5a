import type { ErrorReason, Usage } from "@reelscript/contract";
import { draftableLinks, draftHint, draftOffer, linkState, waitSentence } from "@reelscript/contract/values";
import { describe, expect, test } from "vitest";
import { costOf } from "../../src/pages/transcribe/batches/batch-cost.ts";
import { batchSentence } from "../../src/pages/transcribe/batches/batch-text.ts";
import { costSentence } from "../../src/pages/transcribe/paste-form.tsx";
import { type Trouble, endOf } from "../../src/pages/transcribe/create-jobs.ts";
import { progressOf } from "../../src/pages/transcribe/job-progress.tsx";
import { mayHelp, troubleText } from "../../src/pages/transcribe/trouble-text.ts";

describe("the price of single links, before they are sent", () => {
  test.each([
    [{ links: 2, others: 0, free: 0, left: 64 }, "2 reels found. Uses at most 2 of your 64 transcriptions."],
    [{ links: 1, others: 0, free: 1, left: 64 }, "1 reel found. Free: already transcribed."],
    [
      { links: 6, others: 1, free: 1, left: 64 },
      "6 reels found. 1 free. The rest uses at most 5 of your 64 transcriptions.",
    ],
    [
      { links: 3, others: 2, free: 0, left: 1 },
      "3 reels found. You have 1 transcription left. Reels someone already transcribed are free.",
    ],
    [{ links: 2, others: 0, free: 0, left: undefined }, "2 reels found. Uses at most 2 transcriptions."],
    [{ links: 0, others: 2, free: 0, left: 64 }, "No reel link found."],
    [{ links: 0, others: 0, free: 0, left: undefined }, ""],
  ])("%j", (counts, sentence) => {
    expect(costSentence({ ...counts, examples: [] })).toBe(sentence);
  });

  test("a hint names the platforms that the service takes, and no others", () => {
    const reel = "https://www.instagram.com/reel/{code}/";
    const video = "https://www.tiktok.com/@_/video/{code}";
    const hint = (examples: readonly string[]) =>
      costSentence({ links: 0, others: 1, free: 0, left: undefined, examples });
    expect(hint([reel])).toBe("No reel link found. A reel link looks like instagram.com/reel/…");
    expect(hint([reel, video])).toBe(
      "No reel link found. A reel link looks like instagram.com/reel/… or tiktok.com/@_/video/…",
    );
  });
});

describe("the price of a batch, before it is sent", () => {
  const reels = ["a", "b", "c", "d"];
  const estimateOf = (cached: number, fit: number, used = 0) => ({
    links: reels.map((url, index) => ({
      url,
      status: "waiting" as const,
      ...(index >= 4 - cached && { cached: true as const }),
    })),
    estimate: {
      reels: 4,
      duplicates: 0,
      notReels: 0,
      shareLinks: 0,
      cached,
      fresh: 4 - cached,
      fit,
      usage: { used, limit: 10 },
    },
  });
  test.each([
    [0, 4, 2, "4 reels, 2 duplicates. Uses at most 4 of your 10 transcriptions.", reels],
    [0, 3, 0, "4 reels. 3 of them fit your plan.", ["a", "b", "c"]],
    [
      2,
      1,
      1,
      "4 reels, 1 duplicate, 2 already transcribed (free). 1 of the 2 new ones fits your plan.",
      ["a", "c", "d"],
    ],
    [1, 0, 0, "4 reels, 1 already transcribed (free). None of the 3 new ones fit your plan.", ["d"]],
    [4, 0, 0, "4 reels, 4 already transcribed (free). Free.", reels],
  ])("%i cached, room for %i", (cached, fit, duplicates, sentence, linksToSend) => {
    expect(costOf(estimateOf(cached, fit), { reels, duplicates })).toEqual({
      sentence,
      linksToSend,
      isBeginning: linksToSend.every((url, index) => url === reels[index]),
    });
  });

  test("and how far it is afterward, and what it waits for", () => {
    const counts = { total: 15, waiting: 5, underWay: 2, done: 6, failed: 2, canceled: 0, retryable: 2, duplicates: 0 };
    expect(batchSentence({ counts, secondsLeft: 120 })).toBe("Batch of 15: 6 done, 2 failed, 7 waiting, about 2 min.");
    const done = { ...counts, waiting: 0, underWay: 0, done: 12, canceled: 1 };
    expect(batchSentence({ counts: done })).toBe("Batch of 15: 12 done, 2 failed, 1 canceled.");
    const batch = { id: "bat_1", status: "open", createdAt: "2026-11-20T09:59:50.000Z", counts } as const;
    expect(waitSentence(batch)).toBeUndefined();
    expect(waitSentence({ ...batch, waitingFor: "rateLimit", continuesAt: "2026-11-20T09:59:50.000Z" })).toBe(
      "You’ve reached the hour’s limit. The next reels begin soon.",
    );
    expect(waitSentence({ ...batch, counts: done, waitingFor: "quota" })).toBeUndefined();
  });

  test("and each link's state in words", () => {
    expect(linkState({ status: "running", progress: 0.404 })).toBe("Transcribing, 40%");
    expect(linkState({ status: "done" })).toBe("Transcribed");
    expect(linkState({ status: "done", cached: true })).toBe("Free: already transcribed");
  });

  test("and which refused languages can be drafted", () => {
    const refused = (url: string, message: string) =>
      ({ url, status: "failed", error: { code: "invalidRequest", reason: "speechNotRecognized", message } }) as const;
    const arabic = `We can't transcribe Arabic reliably with the current model. ${draftHint("ar")} You weren't charged.`;
    expect(draftOffer(arabic)).toEqual({
      text: "We can't transcribe Arabic reliably with the current model. You weren't charged.",
      language: "ar",
    });
    expect(draftOffer(arabic.replace("(ar)", "(xx)")).language, "no language of ours").toBeUndefined();
    const telugu = "We can't transcribe Telugu reliably with the current model. You weren't charged.";
    const links = [
      refused("a", arabic),
      refused("b", telugu),
      refused("c", arabic),
      { url: "d", status: "done" },
    ] as const;
    expect(draftableLinks([...links])).toEqual([{ language: "ar", urls: ["a", "c"] }]);
  });
});

describe("trouble", () => {
  const usage = (plan: Usage["plan"], resetsAt: string | null): Usage => ({
    plan,
    transcriptions: { used: 250, limit: 250, resetsAt },
  });
  const of = (code: Trouble["code"], message = "", { reason, now }: { reason?: ErrorReason; now?: Usage } = {}) =>
    troubleText({ code, reason, message }, now).text;

  test("says what happened and whether it was counted", () => {
    expect(of("notFound", "This reel is private: the platform does not show it.", { reason: "reelPrivate" })).toBe(
      "This reel is private or was deleted. You weren’t charged.",
    );
    expect(of("notFound", "This reel is age-restricted.")).toBe("This reel is age-restricted. You weren’t charged.");
    expect(of("invalidRequest", "It has no audio track. Nothing was charged.", { reason: "noAudio" })).not.toMatch(
      /weren’t charged/,
    );
    expect(of("unreachable", "Can’t reach Reelscript.")).not.toMatch(/weren’t charged/);
    expect(
      of("invalidRequest", `We can't read it. ${draftHint("ta")} You weren't charged.`, {
        reason: "speechNotRecognized",
      }),
    ).toBe("We can’t read it. You weren’t charged.");
  });

  test("offers another try only where that can help", () => {
    const full = { plan: "free", transcriptions: { used: 10, limit: 10, resetsAt: null } } as const;
    const roomy = { ...full, transcriptions: { ...full.transcriptions, used: 9 } };
    const codes = ["notFound", "invalidRequest", "limitReached", "upstreamError", "internalError"] as const;
    const helped = (now: Usage) => codes.filter((code) => mayHelp({ code }, now));
    expect(helped(full)).toEqual(["upstreamError", "internalError"]);
    expect(helped(roomy)).toEqual(["limitReached", "upstreamError", "internalError"]);
  });

  test("of a used-up plan says when it renews, or to upgrade", () => {
    expect(of("limitReached", "", { now: usage("creator", "2100-12-03T10:00:00.000Z") })).toMatch(
      /all 250 transcriptions\. They renew on \S+ \S+ \S+\. Reels/,
    );
    expect(of("limitReached", "", { now: usage("hobby", "2100-12-03T10:00:00.000Z") })).toMatch(
      /Upgrade to Creator to continue now\. /,
    );
    expect(of("limitReached", "", { now: usage("free", null) })).toMatch(
      /^You’ve used all 250 free .*Upgrade to continue\. /,
    );
  });
});

describe("progress", () => {
  const following = { kind: "following", status: "running" } as const;

  test.each([
    [{ kind: "asking" } as const, 0],
    [{ kind: "following", status: "queued", progress: 0 } as const, 1],
    [{ ...following, progress: 0 }, 1],
    [{ ...following, progress: 0.05 }, 2],
  ])("of %j is at step %i", (state, step) => {
    expect(progressOf(state, 27, 0).step).toBe(step);
  });

  test.each([
    ["running", "platform", "Waiting for its turn at the platform"],
    ["queued", "platform", "Waiting until the platform answers again"],
    ["queued", "recognizer", "Waiting until speech recognition is back"],
    ["queued", undefined, "Waiting in the queue"],
  ] as const)("says what a %s reel waits for: %s", (status, waitingFor, left) => {
    const state = { ...following, status, progress: 0, ...(waitingFor && { waitingFor }) };
    expect(progressOf(state, 27, 0)).toMatchObject({ step: 1, left });
    expect(progressOf({ ...following, progress: 0 }, 27, 0).left).toBe("");
  });

  test("shows what was recognized, and the remaining time once it is known", () => {
    const began = { since: 0, from: 0.05 };
    const early = { ...following, progress: 0.1, listening: { ...began, until: endOf(began, 0.1, 1_000) } };
    const later = { ...following, progress: 0.525, listening: { ...began, until: endOf(began, 0.525, 9_500) } };
    expect(progressOf(early, 27, 1_000).left).toBe("");
    expect(progressOf(later, 28, 9_500)).toMatchObject({
      listening: "Listening, 0:14 of 0:28",
      left: "about 10 s left",
    });
    expect(progressOf(later, undefined, 9_500).listening).toBe("Listening");
  });

  test("never shows more time left than before, even when work stalls", () => {
    let listening: { since: number; from: number; until?: number | undefined } = { since: 0, from: 0.05 };
    const left: number[] = [];
    for (let now = 0; now <= 30_000; now += 1_000) {
      const progress = now < 5_000 ? 0.05 + now / 20_000 : now < 25_000 ? 0.3 : 0.5;
      if (now % 5_000 === 0) listening = { ...listening, until: endOf(listening, progress, now) };
      const text = progressOf({ ...following, progress, listening }, 27, now).left;
      if (text !== "") left.push(text === "almost done" ? 0 : Number(/\d+/.exec(text)?.[0]));
    }
    expect(left.length).toBeGreaterThan(20);
    expect(left).toEqual(left.toSorted((one, other) => other - one));
    expect(left.at(-1)).toBe(0);
  });
});
