import { request, type IncomingMessage } from "node:http";
import type { PlatformStandin } from "@reelscript/platform-standin";
import type { BrowserContext, Request } from "playwright-core";

const pages = "https://www.instagram.com";
const media = "https://scontent.cdninstagram.com";
const handedOn = ["content-type", "access-control-allow-origin", "content-range", "accept-ranges", "location"];

/** Lets the stand-in answer at the addresses of the public platform. */
export async function servePlatform(context: BrowserContext, standin: PlatformStandin): Promise<void> {
  await context.route(/^https:\/\/(?:www\.instagram\.com|scontent\.cdninstagram\.com)\//, async (route) => {
    const pageRequest = route.request();
    const cookies = (await context.cookies(pages)).map(({ name, value }) => `${name}=${value}`);
    const { status, headers, bytes } = await forward(pageRequest, standin, cookies);
    const answered = Object.fromEntries(
      handedOn.flatMap((name) => {
        const value = headers[name];
        return typeof value === "string" ? [[name, value.replace(standin.origin, pages)]] : [];
      }),
    );
    for (const line of headers["set-cookie"] ?? []) {
      const [name = "", value = ""] = (line.split(";", 1)[0] ?? "").split("=", 2);
      await context.addCookies([{ name, value, url: pages }]);
    }
    const isText = /json|html/.test(answered["content-type"] ?? "");
    await route.fulfill({
      status,
      headers: answered,
      body: isText ? bytes.toString().replaceAll(standin.mediaOrigin, media) : bytes,
    });
  });
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly bytes: Buffer;
}

/** Adds what a browser sends by itself and Playwright doesn't show, and follows redirects of requests for data, which Playwright doesn't route. */
async function forward(pageRequest: Request, standin: PlatformStandin, cookies: readonly string[]): Promise<Answer> {
  const { origin, pathname, search } = new URL(pageRequest.url());
  const target = (origin === pages ? standin.origin : standin.mediaOrigin) + pathname + search;
  const answer = await ask(target, pageRequest, cookies);
  const { location } = answer.headers;
  if (location === undefined || pageRequest.isNavigationRequest()) return answer;
  return ask(new URL(location, target).href, pageRequest, cookies, "GET");
}

async function ask(
  target: string,
  pageRequest: Request,
  cookies: readonly string[],
  method = pageRequest.method(),
): Promise<Answer> {
  const isPage = pageRequest.isNavigationRequest();
  const call = request(target, {
    method,
    headers: {
      ...pageRequest.headers(),
      host: new URL(target).host,
      cookie: cookies.join("; "),
      "accept-language": "en",
      "sec-fetch-dest": isPage ? "document" : "empty",
      "sec-fetch-mode": isPage ? "navigate" : "cors",
      "sec-fetch-site": isPage ? "none" : "same-origin",
      ...(isPage ? { "sec-fetch-user": "?1", "upgrade-insecure-requests": "1" } : {}),
    },
  });
  call.end(method === "POST" ? (pageRequest.postDataBuffer() ?? undefined) : undefined);
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    call.on("response", resolve).on("error", reject),
  );
  const parts: Buffer[] = [];
  for await (const part of answer as AsyncIterable<Buffer>) parts.push(part);
  return { status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(parts) };
}
