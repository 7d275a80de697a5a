import type { IncomingHttpHeaders } from "node:http";

type Expected = Readonly<Record<string, RegExp>>;

const desktopBrowser = /^Mozilla\/5\.0 \((?:Windows|Macintosh|X11)[^)]*\) .*(?:Chrome|Firefox|Safari)\//;

/** A browser that opens a page. Links within one origin count too, so that people can look around. */
const navigation: Expected = {
  "user-agent": desktopBrowser,
  accept: /text\/html\b.*\bapplication\/xhtml\+xml/,
  "accept-language": /./,
  "sec-fetch-dest": /^document$/,
  "sec-fetch-mode": /^navigate$/,
  "sec-fetch-site": /^(?:none|same-origin)$/,
  "sec-fetch-user": /^\?1$/,
  "upgrade-insecure-requests": /^1$/,
};

/** The platform's own script on one of its pages. */
const query: Expected = {
  "sec-fetch-dest": /^empty$/,
  "sec-fetch-mode": /^cors$/,
  "sec-fetch-site": /^same-origin$/,
  "x-ig-app-id": /^936619743392459$/,
  "x-asbd-id": /^359341$/,
  "x-fb-lsd": /./,
  "x-fb-friendly-name": /^Polaris\w+Query$/,
};

/** A page of another site that shows a post in a frame. */
const frame: Expected = {
  "sec-fetch-dest": /^iframe$/,
  "sec-fetch-mode": /^navigate$/,
  "sec-fetch-site": /^cross-site$/,
};

const as =
  (expected: Expected) =>
  (headers: IncomingHttpHeaders): boolean =>
    Object.entries(expected).every(([name, value]) => value.test(String(headers[name] ?? "")));

/** True if the platform responds with data. Other requests get a page without data, with status 200. */
export const isNavigation = as(navigation);
export const isQuery = as(query);
export const isFrame = as(frame);

export const isSignedIn = (headers: IncomingHttpHeaders): boolean => cookieOf(headers, "sessionid") !== undefined;

export function cookieOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const pairs = (headers.cookie ?? "").split(/;\s*/).map((pair) => pair.split("=", 2));
  return pairs.find(([key]) => key === name)?.[1];
}
