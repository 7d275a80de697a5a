import { expect, test } from "vitest";
import { askFirst, shownOf } from "./visitor.ts";
import { withStandin } from "./with-standin.ts";

const standin = withStandin();

test("a reel of one's own is served like any other, and counted", async () => {
  const bytes = Buffer.from("any bytes at all");
  const reel = standin().addReel({ bytes, caption: "mine", handle: "me.myself", seconds: 3, likes: null });
  const media = await shownOf(standin(), reel.code);
  expect(media).toMatchObject({
    caption: { text: "mine" },
    like_count: null,
    video_dash_manifest: null,
    user: { username: "me.myself" },
  });
  const answer = await fetch(media.video_versions[0].url as string);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
  const { counters } = standin();
  expect(counters.ofReel(reel.code)).toBe(2);
  expect(counters.snapshot()).toEqual({
    home: 1,
    graphql: 1,
    media: 1,
    [`graphql ${reel.code}`]: 1,
    [`media ${reel.code}`]: 1,
  });
  counters.reset();
  expect(counters.total).toBe(0);
  expect(counters.ofReel(reel.code)).toBe(0);
});

test("added reels may have a wall or another code; they need media", async () => {
  const bytes = Buffer.from("x");
  const { code } = standin().addReel({ bytes, wall: "tooManyRequests", wallDoors: ["graphql"] });
  expect((await askFirst(standin(), code)).status).toBe(429);
  expect(() => standin().addReel({ code, bytes })).toThrow(code);
  expect(() => standin().addReel({})).toThrow("needs bytes");
});
