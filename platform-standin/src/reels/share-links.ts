import { createHash } from "node:crypto";

/** The share id of a code: looks like a code, is none, and can only be resolved by asking. */
export const shareIdOf = (code: string): string =>
  `BA${createHash("sha256").update(code).digest("base64url").replaceAll(/[-_]/g, "x").slice(0, 8)}`;

/** Share ids that lead where no resolver should follow. */
export const hostileShareTargets: ReadonlyMap<string, { location: string; note: string }> = new Map([
  ["BAoffHost1", { location: "https://platform.example/reel/CenAusten01/", note: "redirects to another host" }],
  ["BAinside01", { location: "http://169.254.169.254/latest/meta-data/", note: "redirects to a private address" }],
  ["BAloop0001", { location: "/share/reel/BAloop0001/", note: "redirects to itself" }],
  ["BAfile0001", { location: "file:///etc/passwd", note: "redirects to a file" }],
  ["BAlogin001", { location: "/accounts/login/", note: "redirects to the login page" }],
  ["BAstory001", { location: "/stories/someone/3141592653589793238/", note: "redirects to what is not a reel" }],
]);
