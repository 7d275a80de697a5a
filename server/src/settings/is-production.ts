import { isLoopback, isLoopbackHost } from "./is-loopback.ts";

type Given = Readonly<Record<string, string | undefined>>;

/** A setting that makes sense only for a service for others. `isElsewhere` is true if it names another machine. */
interface SignOfProduction {
  readonly setting: string;
  readonly isElsewhere: boolean;
}

/**
 * The settings that say that this service isn't a try of one person on one machine. A missing or misspelled `NODE_ENV` must
 * not open the parts for development to strangers, so the other settings decide as well.
 */
export function signsOfProduction(given: Given): SignOfProduction[] {
  const { BASE_URL: baseUrl, TRUST_PROXY: proxies, ROLE: role } = given;
  const signs: SignOfProduction[] = [];
  if (baseUrl && URL.canParse(baseUrl) && !isLoopback(baseUrl)) signs.push({ setting: "BASE_URL", isElsewhere: true });
  for (const setting of ["DATABASE_URL", "DATABASE_READ_URL"])
    if (isRemoteDatabase(given[setting], given.PGHOST)) signs.push({ setting, isElsewhere: true });
  if (proxies && proxies !== "false" && proxies !== "0")
    signs.push({
      setting: "TRUST_PROXY",
      isElsewhere: !proxies
        .trim()
        .split(/[\s,]+/)
        .every((proxy) => isLoopbackHost(proxy.replace(/\/\d+$/, ""))),
    });
  if (role && role !== "all") signs.push({ setting: "ROLE", isElsewhere: false });
  return signs;
}

/** True if only production parts may run. `NODE_ENV=development` is accepted only on a single machine. */
export const isProduction = (given: Given): boolean =>
  given.NODE_ENV === "production" || (given.NODE_ENV !== "development" && signsOfProduction(given).length > 0);

/** The server is named by a host, a socket's folder, or the driver's own variable; a query overrides the host. */
function isRemoteDatabase(url: string | undefined, hostOfDriver: string | undefined): boolean {
  if (!url || !URL.canParse(url)) return false;
  const { hostname, searchParams } = new URL(url);
  const host = searchParams.get("host") || decodeURIComponent(hostname) || hostOfDriver || "localhost";
  return !host.startsWith("/") && !isLoopbackHost(host);
}
