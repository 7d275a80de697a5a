import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { markFile, themedMarkFile, tokenSheet, withTokens } from "../src/values/tokens.ts";

const committed = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

test("sheet and mark match the tokens; `npm run surface` renews them", () => {
  expect(committed("web/src/styles/tokens.css")).toBe(tokenSheet());
  expect(committed("web/public/mark.svg")).toBe(markFile());
  expect(committed("integrations/n8n/icons/reelscript.svg")).toBe(themedMarkFile(false));
  expect(committed("integrations/n8n/icons/reelscript.dark.svg")).toBe(themedMarkFile(true));
});

test("a page gets the tokens that it uses, and no other", () => {
  const page = withTokens("p{color:var(--ink);background:var(--voice)}");
  expect(page).toBe(
    ":root{color-scheme:light dark;--ink:#1d1820;--voice:#ffd84a}@media screen and (prefers-color-scheme:dark){:root{--ink:#f2eff3}}p{color:var(--ink);background:var(--voice)}",
  );
});
