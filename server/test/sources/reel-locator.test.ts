import { ServiceError } from "@reelscript/contract";
import {
  hostileShareTargets,
  type PlatformStandin,
  startPlatformStandin,
  urlShapes,
} from "@reelscript/platform-standin";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { instagram } from "../../src/adapters/platforms/instagram/instagram.ts";
import { standinPlatform } from "../../src/adapters/platforms/platforms.ts";
import { createReelLocator } from "../../src/adapters/platforms/reel-locator.ts";
import type { ReelLocator } from "../../src/ports.ts";

const never = new AbortController().signal;
const code = "CenAusten01";
let standin: PlatformStandin;
let locator: ReelLocator;
let logged: string[];

beforeAll(async () => {
  standin = await startPlatformStandin();
  locator = createReelLocator({
    platforms: [instagram, standinPlatform(standin)],
    log: (message) => logged.push(message),
  });
});
afterAll(() => standin.close());
beforeEach(() => {
  logged = [];
  standin.counters.reset();
});

describe("the locator", () => {
  test.each(urlShapes)("finds the reel by a URL of the shape %s", async (shape) => {
    const address = await locator.locate(standin.urlOf(code, shape), never);
    expect(address).toEqual({
      platform: "standin",
      mediaId: standin.reels.find((reel) => reel.code === code)?.mediaId,
      shortcode: code,
      url: `${standin.origin}/reel/${code}/`,
    });
    const isShareLink = new URL(standin.urlOf(code, shape)).pathname.startsWith("/share/");
    expect(standin.counters.snapshot()).toEqual(isShareLink ? { share: 1, [`share ${code}`]: 1 } : {});
  });

  test.each([...hostileShareTargets].filter(([id]) => !id.startsWith("BAlogin")))(
    "refuses the share link %s, which leads elsewhere, after one request",
    async (id) => {
      const refused = locator.locate(`${standin.origin}/share/reel/${id}`, never);
      await expect(refused).rejects.toMatchObject({
        code: "invalidRequest",
        status: 400,
        message: expect.stringContaining("share link that does not lead to a reel"),
      });
      expect(standin.counters.total).toBe(1);
    },
  );

  test("an unreachable platform is an upstream error without internal details", async () => {
    const absent = await startPlatformStandin();
    await absent.close();
    const lonely = createReelLocator({ platforms: [standinPlatform(absent)], log: (message) => logged.push(message) });
    const error = await lonely.locate(`${absent.origin}/share/BAsomewhere/`, never).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: "upstreamError", message: expect.not.stringMatching(/127\.0|ECONN/) });
    expect(logged).toHaveLength(1);
  });

  test("public share links are requested only there, never at private addresses", async () => {
    const requestedHosts: string[] = [];
    const rebound = createReelLocator({
      platforms: [instagram],
      resolveHost: (host, done) => {
        requestedHosts.push(host);
        done(null, [{ address: "127.0.0.1", family: 4 }]);
      },
    });
    await expect(rebound.locate("http://instagram.com:8080/share/reel/BARSSL4rTu", never)).rejects.toMatchObject({
      code: "upstreamError",
    });
    expect(requestedHosts).toEqual(["www.instagram.com"]);
  });

  test("a caller that leaves ends the request", async () => {
    const controller = new AbortController();
    const reason = new Error("left");
    controller.abort(reason);
    await expect(locator.locate(standin.urlOf(code, urlShapes[0]), controller.signal)).resolves.toBeDefined();
    await expect(locator.locate(`${standin.origin}/share/x/`, controller.signal)).rejects.toBe(reason);
  });
});
