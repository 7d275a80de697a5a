import { dashSeconds } from "../platform-media.ts";

/** When an address of media runs out, in milliseconds since 1970. */
export function endOf(url: string): number | undefined {
  const end = parameter(url, "oe");
  return end !== undefined && /^[\da-f]{1,9}$/i.test(end) ? Number.parseInt(end, 16) * 1_000 : undefined;
}

/** Seconds of a video of which the post itself says nothing. */
export function lengthOf(manifest: string | null | undefined, urls: readonly string[]): number | undefined {
  return dashSeconds(manifest ?? "") ?? urls.map(secondsOf).find((seconds) => seconds !== undefined);
}

function secondsOf(url: string): number | undefined {
  try {
    const told: unknown = JSON.parse(Buffer.from(parameter(url, "efg") ?? "", "base64").toString("utf8"));
    const seconds = typeof told === "object" && told !== null && "duration_s" in told ? told.duration_s : undefined;
    return typeof seconds === "number" && seconds > 0 ? seconds : undefined;
  } catch {
    return undefined;
  }
}

function parameter(url: string, name: string): string | undefined {
  return URL.canParse(url) ? (new URL(url).searchParams.get(name) ?? undefined) : undefined;
}
