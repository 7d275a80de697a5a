import { withTokens } from "@reelscript/contract/values";
import { brandMark, markup, styleMarkup, type Markup } from "../../markup/markup.ts";
import { scriptlessPolicy, type AllowedSources } from "../../markup/scriptless-policy.ts";

const face = (family: string, file: string, weight: string): string =>
  `@font-face{font-family:${family};src:url(/docs/${file}.woff2) format("woff2");font-weight:${weight};font-display:optional}`;

/** The look of the pages that anybody may read before signing in, without the tokens. */
const publicStyle = [
  face("Sans", "sans-latin", "400 700"),
  face("Title", "title-latin", "640"),
  "*{box-sizing:border-box;margin:0}",
  "body{background:var(--base);color:var(--ink);font:1rem/1.56 Sans,system-ui,sans-serif;-webkit-text-size-adjust:100%;display:flex;flex-direction:column;min-height:100dvh}main{flex:1 0 auto;width:100%}",
  "a{color:inherit;text-underline-offset:3px}",
  ":focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}",
  ".wrap{width:min(1128px,100%);margin:auto;padding:0 24px}",
  "header .wrap{display:flex;align-items:center;gap:8px 24px;flex-wrap:wrap;padding-block:20px}",
  "header nav{display:flex;gap:20px;margin-inline-start:auto;font-size:.875rem}",
  "nav a{display:inline-block;padding:6px 0;text-decoration:none}nav a:hover{text-decoration:underline}",
  ".brand{display:flex;align-items:center;gap:8px;font:640 1.4rem/1 Title,sans-serif;text-decoration:none}",
  "h1,h2,h3{font-family:Title,sans-serif;font-weight:640;line-height:1.06;text-wrap:balance}",
  ".lead{font-size:1.125rem;color:var(--ink-2);margin:18px 0 26px;max-width:44ch}",
  ".action{display:inline-flex;align-items:center;min-height:44px;padding:0 20px;border:1px solid transparent;border-radius:8px;background:var(--ink);color:var(--on-act);font:600 1rem/1.5 Sans,system-ui,sans-serif;text-decoration:none}",
  ".action.quiet{background:none;color:var(--ink);border-color:var(--line-2)}",
  ".hint{font-size:.875rem;color:var(--ink-2);margin-top:12px}",
  "h2{font-size:2.125rem;margin-bottom:28px}",
  ".legal{max-width:70ch;padding-block:28px 72px}.legal h1{font-size:2.125rem;margin-bottom:8px}.legal h2{font-size:1.25rem;margin:28px 0 8px}.legal ul{padding-inline-start:20px}.legal li{margin-block:4px}.legal .hint{margin:0 0 20px}",
  ".lines{list-style:none;padding:0;display:grid;gap:14px;max-width:68ch}.lines li{display:grid;grid-template-columns:52px minmax(0,1fr);gap:12px;font-size:1.125rem}.lines p,.said{overflow-wrap:anywhere}.lines time{font:640 .9375rem/1.75rem Title,sans-serif;color:var(--ink-2)}.lines .missing{font-size:.875rem;line-height:1.75rem;color:var(--ink-2)}.said{max-width:62ch;font-size:1.125rem;white-space:pre-line}",
  ".legal address{font-style:normal;white-space:pre-line;margin-top:4px}",
  "footer{border-top:1px solid var(--line);font-size:.875rem;color:var(--ink-2)}footer .wrap{display:flex;gap:8px 20px;flex-wrap:wrap;padding-block:24px 40px}footer span{margin-inline-end:auto}@media(max-width:480px){footer span{flex-basis:100%}}",
].join("");

/** Names in small letters. No script unless it is needed, no frame, nothing from anywhere else. */
export const publicPageHeadersOf = (style: string, needed: AllowedSources = {}): Readonly<Record<string, string>> => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": scriptlessPolicy(withTokens(publicStyle + style), { "img-src": "'self'", ...needed }),
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
});

export const publicPageHeaders = publicPageHeadersOf("");

interface Page {
  readonly title: string;
  readonly description: string;
  readonly body: Markup;
  /** Added to the style of all public pages; it holds no `<`. */
  readonly style?: string;
  /** A guess by the cookie; the dashboard checks the session. */
  readonly isSignedIn?: boolean;
  /** Address of the picture that chats show. */
  readonly picture?: string;
  /** Path of a script of ours. */
  readonly script?: string;
}

const mayHaveSession = /(?:^|;\s*)(?:__Host-)?reelscript_session(?:_\d+)?=/;

/** True if the caller seems to be signed in. */
export const seemsSignedIn = (cookie: string | undefined): boolean => mayHaveSession.test(cookie ?? "");

/** A page with our mark above it and where else to go below. */
export const publicDocument = ({
  title,
  description,
  body,
  style = "",
  isSignedIn = false,
  picture,
  script,
}: Page): string =>
  String(
    markup`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><meta name="description" content="${description}"><meta property="og:type" content="website"><meta property="og:site_name" content="Reelscript"><meta property="og:title" content="${title}"><meta property="og:description" content="${description}">${picture !== undefined && markup`<meta property="og:image" content="${picture}"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">`}<meta name="twitter:card" content="${picture === undefined ? "summary" : "summary_large_image"}"><link rel="preload" href="/docs/title-latin.woff2" as="font" type="font/woff2" crossorigin><link rel="preload" href="/docs/sans-latin.woff2" as="font" type="font/woff2" crossorigin><link rel="icon" href="/app/mark.svg" type="image/svg+xml"><style>${styleMarkup(withTokens(publicStyle + style))}</style>${script !== undefined && markup`<script src="${script}" defer></script>`}</head><body><header><div class="wrap"><a class="brand" href="/">${brandMark("var(--base)")}Reelscript</a><nav aria-label="Main"><a href="${isSignedIn ? "/app/usage" : "/#pricing"}">Pricing</a><a href="/docs">API</a><a href="/app">${isSignedIn ? "Dashboard" : "Sign in"}</a></nav></div></header><main>${body}</main><footer><div class="wrap"><span>Reelscript</span><a href="/privacy">Privacy</a><a href="/terms">Terms</a><a href="/docs">API docs</a><a href="/llms.txt">For agents</a></div></footer></body></html>`,
  );
