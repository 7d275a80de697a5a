import type { PlatformStandin } from "@reelscript/platform-standin";
import type { BrowserContext } from "playwright-core";

const pages = "https://www.instagram.com";
const media = "https://scontent.cdninstagram.com";
const handedOn = ["content-type", "access-control-allow-origin", "content-range", "accept-ranges", "location"];

/** Lets the stand-in answer at the addresses of the public platform. */
export async function servePlatform(context: BrowserContext, standin: PlatformStandin): Promise<void> {
  await context.route(/^https:\/\/(?:www\.instagram\.com|scontent\.cdninstagram\.com)\//, async (route) => {
    const request = route.request();
    const { origin, pathname, search } = new URL(request.url());
    const target = (origin === pages ? standin.origin : standin.mediaOrigin) + pathname + search;
    const { range, "content-type": type, "user-agent": agent = "" } = request.headers();
    const body = request.postDataBuffer();
    const answer = await fetch(target, {
      method: request.method(),
      headers: { "user-agent": agent, ...(range && { range }), ...(type && { "content-type": type }) },
      ...(body && { body: new Uint8Array(body) }),
      // What the browser is redirected to no longer comes by here.
      redirect: request.isNavigationRequest() ? "manual" : "follow",
    });
    const headers = Object.fromEntries(
      handedOn.flatMap((name) => {
        const value = answer.headers.get(name);
        return value === null ? [] : [[name, value.replace(standin.origin, pages)]];
      }),
    );
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isText = /json|html/.test(headers["content-type"] ?? "");
    await route.fulfill({
      status: answer.status,
      headers,
      body: isText ? bytes.toString().replaceAll(standin.mediaOrigin, media) : bytes,
    });
  });
}
