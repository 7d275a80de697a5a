/** The order decides: browsers also name those that they descend from. */
const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  ["Edge", /\b(Edg|EdgA|EdgiOS)\//],
  ["Opera", /\b(OPR|OPiOS|OPT)\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Vivaldi", /\bVivaldi\//],
  ["Yandex Browser", /\bYaBrowser\//],
  ["DuckDuckGo", /\b(DuckDuckGo|Ddg)\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bVersion\/[\d.]+.* Safari\//],
  ["curl", /^curl\//],
];

const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b|\bMacintosh\b/],
  ["Linux", /\bLinux\b|\bX11\b/],
];

/** Such as "Firefox on Linux", from a User-Agent header; `null` when it names neither browser nor system. */
export function browserName(userAgent: string | null): string | null {
  const named = (list: typeof browsers): string | undefined => list.find(([, mark]) => mark.test(userAgent ?? ""))?.[0];
  const [browser, system] = [named(browsers), named(systems)];
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`;
  return browser ?? system ?? null;
}
