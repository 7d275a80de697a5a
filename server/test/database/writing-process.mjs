// Stores until it is killed, and tells its parent of each account whose reel is transcribed and stored.
import { randomBytes } from "node:crypto";

const [builtStore, dataDirectory] = process.argv.slice(2);
const { openStore } = await import(builtStore);
const newId = (prefix) => `${prefix}_${randomBytes(8).toString("hex")}`;
const store = await openStore({ dataDirectory, newId });
const now = new Date("2026-03-01T12:00:00.000Z");
await store.transcriptions.expireLeases(now);

for (let count = 0; ; count += 1) {
  const account = await store.accounts.create({ email: "x@example.test", plan: "free", now });
  const mediaId = newId("trn");
  const reel = { platform: "standin", mediaId, shortcode: mediaId, url: `https://reels.test/reel/${mediaId}/` };
  const allowance = { subject: { accountId: account.id, slot: 1 }, period: "lifetime", limit: 10, resetsAt: null };
  await store.transcriptions.request({
    reel,
    languageHint: null,
    allowance,
    model: "m",
    queueLimit: 1000,
    queueLimitPerAccount: 1000,
    now,
  });
  let claim;
  do {
    claim = await store.transcriptions.claim("child", 30, now);
    const author = { handle: null, displayName: null, verified: null };
    const unknown = { thumbnail: null, dimensions: null, durationSeconds: null, hasAudio: null, postedAt: null };
    const counts = { views: count, likes: 1, comments: 1 };
    const text = "spoken words ".repeat(50);
    const transcript = {
      reel: { ...claim.reel, caption: "caption", author, ...unknown, ...counts },
      text,
      segments: [{ start: 0, end: 1, text }],
      language: "en",
      languageProbability: 0.9,
      seconds: 1,
      speechSeconds: 1,
      truncated: false,
      model: "m",
      createdAt: now,
      gaps: [],
      revision: 1,
    };
    await store.transcriptions.complete(claim, transcript, true, now);
  } while (claim.reel.mediaId !== mediaId);
  process.send(account.id);
}
