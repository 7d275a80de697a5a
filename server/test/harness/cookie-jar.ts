/** Handles cookies and redirects as a browser does, for one host. */
export interface CookieJar {
  /** The value of the header `Cookie`. */
  header(path: string): string;
  get(name: string): string | undefined;
  set(name: string, value: string): void;
  /** Sends one request with the cookies, and stores those of the response. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** Follows redirects until `stop` returns true or there are none left, and returns the last response. */
  follow(url: string, init?: RequestInit, stop?: (url: string) => boolean): Promise<Response & { readonly at: string }>;
}

const mostRedirects = 12;

export function createCookieJar(): CookieJar {
  const cookies = new Map<string, { name: string; value: string; path: string }>();

  function keep(line: string): void {
    const [pair = "", ...attributes] = line.split(/;\s*/);
    const name = pair.slice(0, pair.indexOf("="));
    const value = pair.slice(pair.indexOf("=") + 1);
    const attributeOf = (attribute: string): string | undefined =>
      attributes.find((text) => text.toLowerCase().startsWith(`${attribute}=`))?.slice(attribute.length + 1);
    const path = attributeOf("path") ?? "/";
    const expired =
      attributeOf("max-age") === "0" || new Date(attributeOf("expires") ?? "2100-01-01").getTime() < Date.now();
    if (expired) cookies.delete(`${name} ${path}`);
    else cookies.set(`${name} ${path}`, { name, value, path });
  }

  const jar: CookieJar = {
    header: (path) =>
      [...cookies.values()]
        .filter((cookie) => path.startsWith(cookie.path))
        .map(({ name, value }) => `${name}=${value}`)
        .join("; "),
    get: (name) => [...cookies.values()].find((cookie) => cookie.name === name)?.value,
    set: (name, value) => void cookies.set(`${name} /`, { name, value, path: "/" }),
    async fetch(url, init = {}) {
      const headers = new Headers(init.headers);
      const cookie = jar.header(new URL(url).pathname);
      if (cookie !== "") headers.set("cookie", cookie);
      const response = await fetch(url, { ...init, headers, redirect: "manual" });
      for (const line of response.headers.getSetCookie()) keep(line);
      return response;
    },
    async follow(url, init, stop = () => false) {
      let at = url;
      let response = await jar.fetch(at, init);
      for (let count = 0; count < mostRedirects; count += 1) {
        const location = response.headers.get("location");
        if (location === null || response.status < 300 || response.status > 399) break;
        const next = new URL(location, at).href;
        if (stop(next)) break;
        await response.body?.cancel();
        at = next;
        response = await jar.fetch(at);
      }
      return Object.assign(response, { at });
    },
  };
  return jar;
}
