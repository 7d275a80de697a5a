import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { ServiceError } from "@reelscript/contract";
import { markup, type Markup } from "../../markup/markup.ts";
import type { ListedBioPage, ListedBioPages, Clock } from "../../ports.ts";

/** The index, or one of the files that it names, from 1 on; compressed with gzip. Throws `notFound` for another file. */
export type ShowSitemap = (file: "index" | number) => Promise<Buffer>;

/** The format's limit of 50,000 addresses a file, less one of our own. */
const mostPages = 49_999;
const mostFiles = 20;
const pagesAtATime = 2_000;
const keptMilliseconds = 60 * 60_000;

interface CachedValue<Value> {
  readonly until: number;
  readonly value: Promise<Value>;
}

interface SitemapNeeds {
  readonly listedBioPages: ListedBioPages;
  readonly clock: Clock;
  /** The service's address, as users see it. */
  readonly baseUrl: () => string;
  /** At most 49,999, the default. */
  readonly pagesPerFile?: number | undefined;
}

/** Creates each file at most once an hour, one after the other, in pieces between which pages are answered. */
export function createShowSitemap({
  listedBioPages,
  clock,
  baseUrl,
  pagesPerFile = mostPages,
}: SitemapNeeds): ShowSitemap {
  const cache = new Map<string | number, CachedValue<unknown>>();
  let last: Promise<unknown> = Promise.resolve();
  const keep = async <Value>(name: string | number, make: () => Promise<Value>): Promise<Value> => {
    const now = clock.now().getTime();
    const before = cache.get(name) as CachedValue<Value> | undefined;
    if (before && before.until > now && before.until <= now + keptMilliseconds) return before.value;
    const value = last.then(make);
    cache.set(name, { until: now + keptMilliseconds, value });
    last = value.catch(() => cache.delete(name));
    return value;
  };
  const readGroups = () => listedBioPages.groups(pagesPerFile, mostFiles);
  const makeIndex = (files: number) =>
    compressed(
      "sitemapindex",
      Array.from(
        { length: files },
        (_, index) => markup`<sitemap><loc>${baseUrl()}/sitemap-${index + 1}.xml</loc></sitemap>`,
      ),
    );
  const makeFile = async (from: string | undefined, before: string | undefined) => {
    // A file without an address isn't valid.
    const entries = [markup`<url><loc>${baseUrl()}/docs</loc></url>`];
    if (from === undefined) return compressed("urlset", entries);
    let after: string | undefined;
    while (entries.length <= pagesPerFile) {
      const limit = Math.min(pagesAtATime, pagesPerFile + 1 - entries.length);
      const pages = await listedBioPages.read({ from, before, after }, limit);
      for (const page of pages) entries.push(entryOf(page, baseUrl()));
      after = pages.at(-1)?.id;
      if (pages.length < limit) break;
    }
    return compressed("urlset", entries);
  };
  return async (file) => {
    const groups = await keep("groups", readGroups);
    const files = Math.max(1, groups.length);
    if (file === "index") return keep("index", () => makeIndex(files));
    if (!(file >= 1 && file <= files)) throw new ServiceError("notFound", "This sitemap file doesn't exist.");
    return keep(file, () => makeFile(groups[file - 1], groups[file]));
  };
}

const entryOf = ({ handle, updatedAt }: ListedBioPage, baseUrl: string): Markup =>
  markup`<url><loc>${baseUrl}/@${handle}</loc>${updatedAt && markup`<lastmod>${updatedAt.toISOString()}</lastmod>`}</url>`;

async function compressed(root: "sitemapindex" | "urlset", entries: readonly Markup[]): Promise<Buffer> {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join("")}</${root}>\n`;
  return promisify(gzip)(xml);
}
