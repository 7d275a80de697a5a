import {
  bioLimits,
  bioHandleLimits,
  hasAtMost,
  hasUserName,
  hostedImagePath,
  isLink,
  bioPresets,
  contrastOf,
  leastContrast,
  mixOf,
  readableGround,
  trimAddress,
  visibleLength,
} from "@reelscript/contract/values";
import type { BioContent } from "@reelscript/contract";
import type { BioTab } from "../../page-search.ts";
import type { BioLink, Theme } from "./content.ts";

export interface Problem {
  readonly tab: BioTab;
  readonly field: string;
  readonly message: string;
}

const hexColor = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
export const isHexColor = (text: string): boolean => hexColor.test(text);
export const colorProblem = (colors: readonly (string | null)[]): string | undefined =>
  colors.every((color) => color === null || isHexColor(color)) ? undefined : "Use six digits, such as #b8371a.";

export function problemsOf({ displayName, bio, avatarUrl, links, socials, seo, theme }: BioContent): Problem[] {
  const { background, colors } = theme;
  const checks: readonly Check[] = [
    ...links.flatMap(linkProblems),
    [
      "look",
      "theme.background",
      background?.type === "image" ? imageProblem(background.value) : colorProblem(background?.value.split(",") ?? []),
    ],
    ["look", "theme.colors.text", colorProblem([colors.text])],
    ["look", "theme.colors.button", colorProblem([colors.button])],
    ["look", "theme.colors.buttonText", colorProblem([colors.buttonText])],
    [
      "profile",
      "displayName",
      displayName?.trim() === "" ? "Write a name, or leave it empty." : tooLong(displayName, bioLimits.displayName),
    ],
    ["profile", "bio", tooLong(bio, bioLimits.bio)],
    ["profile", "avatarUrl", imageProblem(avatarUrl)],
    ...socials.flatMap(({ platform, url, handle }): Check[] => [
      ["profile", `socials.${platform}.url`, linkProblem(url)],
      ["profile", `socials.${platform}.handle`, tooLong(handle, bioLimits.socialHandle)],
    ]),
    ["sharing", "seo.title", tooLong(seo.title, bioLimits.seoTitle)],
    ["sharing", "seo.description", tooLong(seo.description, bioLimits.seoDescription)],
    ["sharing", "seo.imageUrl", imageProblem(seo.imageUrl)],
  ];
  return checks.flatMap(([tab, field, message]) => (message === undefined ? [] : [{ tab, field, message }]));
}

type Check = readonly [BioTab, string, string | undefined];

function linkProblems({ id, type, title, url, thumbnailUrl, startsAt, endsAt }: BioLink): Check[] {
  const wrongOrder = startsAt !== null && endsAt !== null && Date.parse(startsAt) >= Date.parse(endsAt);
  return [
    ["links", `links.${id}.title`, title.trim() === "" ? "Add a title." : tooLong(title, bioLimits.linkTitle)],
    ["links", `links.${id}.url`, type === "link" ? linkProblem(url ?? "") : undefined],
    ["links", `links.${id}.thumbnailUrl`, imageProblem(thumbnailUrl)],
    ["links", `links.${id}.endsAt`, wrongOrder ? "The end must be after the start." : undefined],
  ];
}

function tooLong(text: string | null, longest: number): string | undefined {
  if (text === null || hasAtMost(text, longest)) return undefined;
  const excess = visibleLength(text) - longest;
  return excess > 0
    ? `${excess} too many: at most ${longest} characters.`
    : "Remove some of the marks above the letters.";
}

/** Explains to the owner why a text can't be a handle; `undefined` if only the service can tell. */
export function handleProblem(handle: string): string | undefined {
  const wrong = /[^a-z0-9._]/iu.exec(handle)?.[0];
  if (wrong !== undefined) return "Use letters, numbers, dots and underscores only.";
  if (handle.length > bioHandleLimits.longest)
    return `Use at most ${bioHandleLimits.longest} characters (now ${handle.length}).`;
  if (/^[._]|[._]$/.test(handle)) return "Start and end with a letter or number.";
  if (/[._]{2}/.test(handle)) return "Don’t put dots or underscores side by side.";
  if (handle.length < bioHandleLimits.shortest) return `Use at least ${bioHandleLimits.shortest} characters.`;
  return undefined;
}

const mayBeLink = (text: string): boolean => text.length <= bioLimits.url && isLink(text);

/** Explains to the owner why a link can't use this address; `undefined` if it can. */
export function linkProblem(written: string): string | undefined {
  const text = trimAddress(written);
  if (text === "") return "Enter a URL such as https://example.com.";
  if (mayBeLink(text)) return undefined;
  if (text.length > bioLimits.url) return `Use at most ${bioLimits.url} characters.`;
  if (/^https?:/i.test(text) && (/^https?:\/\/[^/?#\\]*@/i.test(text) || (URL.canParse(text) && hasUserName(text))))
    return "Remove the user name before the host.";
  if (/\s/.test(text)) return "Remove the spaces.";
  return "Enter a web address, an email address or a phone number such as +49 170 1234567.";
}

/** Checks an image's address; a missing address is valid. */
export function imageProblem(written: string | null): string | undefined {
  const text = written && trimAddress(written);
  if (text === null || hostedImagePath(text) !== undefined || (/^https:/i.test(text) && mayBeLink(text)))
    return undefined;
  return "Choose an image, or paste its https address.";
}

export interface ColorHint {
  /** "Too little contrast (1.5:1; needs 4.5:1)." */
  readonly message: string;
  readonly better: string;
}

/** Warns if the owner's own colors are unreadable. The page itself uses black or white there. */
export function colorHints({
  preset,
  background,
  button,
  colors,
}: Theme): Record<keyof Theme["colors"], ColorHint | undefined> {
  const look = bioPresets[preset];
  const [text, link, linkText] = [colors.text, colors.button, colors.buttonText].map((color) =>
    color !== null && isHexColor(color) ? color : undefined,
  );
  const grounds = background === null || background.type === "image" ? [look.ground] : background.value.split(",");
  const ground =
    grounds.filter(isHexColor).toSorted((one, other) => nearness(one, other, text ?? look.text))[0] ?? look.ground;
  const filled = link ?? look.link;
  const fills = { look: filled, fill: filled, soft: mixOf(link ?? text ?? look.text, ground, 0.16), outline: ground };
  const fill = fills[button.style];
  const ink = linkText ?? (link === undefined ? look.linkText : (text ?? look.text));
  const linkIsAtFault = link !== undefined && (button.style === "look" || button.style === "fill");
  return {
    text: text === undefined ? undefined : hintOf(text, ground),
    button: linkIsAtFault ? hintOf(link, ink) : undefined,
    buttonText: linkText === undefined || linkIsAtFault ? undefined : hintOf(linkText, fill),
  };
}

const nearness = (one: string, other: string, ink: string): number => contrastOf(one, ink) - contrastOf(other, ink);

function hintOf(color: string, against: string): ColorHint | undefined {
  const contrast = contrastOf(color, against);
  if (contrast >= leastContrast) return undefined;
  // Rounded down, because 4.46 must not be shown as 4.5.
  const ratio = (Math.floor(contrast * 10) / 10).toFixed(1);
  return {
    message: `Too little contrast (${ratio}:1; needs ${leastContrast}:1).`,
    better: readableGround(color, against),
  };
}
