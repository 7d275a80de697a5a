import { createHash } from "node:crypto";

type Directive = "script-src" | "font-src" | "img-src" | "frame-src" | "media-src" | "form-action" | "frame-ancestors";

/** Additional sources that a page may use, by directive. */
export type AllowedSources = Partial<Readonly<Record<Directive, string>>>;

/**
 * The content security policy of a page without scripts: its one style, our own fonts, and no framing; plus the directives in
 * `needed`.
 */
export function scriptlessPolicy(style: string, needed: AllowedSources = {}): string {
  const directives = {
    "default-src": "'none'",
    "style-src": `'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "font-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    ...needed,
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}

/** The policy of a response that isn't a page of ours: it shows nothing, runs nothing and sends no form. */
export const closedPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
