import { createHash } from "node:crypto";

/** The share id of a code: it looks like a code, isn't one, and can only be resolved by a request. */
export const shareIdOf = (code: string): string =>
  `BA${createHash("sha256").update(code).digest("base64url").replaceAll(/[-_]/g, "x").slice(0, 8)}`;

/** Share ids whose targets no resolver should follow. */
export const hostileShareTargets: ReadonlyMap<string, string> = new Map([
  ["BAoffHost1", "https://platform.example/reel/CenAusten01/"],
  ["BAinside01", "http://169.254.169.254/latest/meta-data/"],
  ["BAloop0001", "/share/reel/BAloop0001/"],
  ["BAfile0001", "file:///etc/passwd"],
  ["BAlogin001", "/accounts/login/"],
  ["BAlogin002", "/accounts/login/?next=%2Freel%2FCenAmiable1%2F"],
  ["BAstory001", "/stories/someone/3141592653589793238/"],
]);
