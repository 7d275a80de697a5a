import { bioLimits, bioHandleLimits } from "@reelscript/contract/values";
import type { BioContent } from "@reelscript/contract";
import type { BioTab } from "../bio-tabs.ts";
import type { BioLink } from "./content.ts";
import { imageProblem, linkProblem } from "./link-url.ts";

export interface Problem {
  readonly tab: BioTab;
  readonly field: string;
  readonly message: string;
}

const hexColor = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
export const isHexColor = (text: string): boolean => hexColor.test(text);
const colorMessage = "Use six digits, such as #b8371a.";

export function problemsOf({ displayName, bio, avatarUrl, links, socials, seo, theme }: BioContent): Problem[] {
  const { background, colors } = theme;
  const backgroundProblem =
    background === null
      ? undefined
      : background.type === "image"
        ? imageProblem(background.value)
        : background.value.split(",").every(isHexColor)
          ? undefined
          : colorMessage;
  const color = (value: string | null) => (value === null || isHexColor(value) ? undefined : colorMessage);
  const found: readonly (readonly [BioTab, string, string | undefined])[] = [
    ...links.flatMap(linkProblems),
    ["look", "theme.background", backgroundProblem],
    ["look", "theme.colors.text", color(colors.text)],
    ["look", "theme.colors.button", color(colors.button)],
    ["look", "theme.colors.buttonText", color(colors.buttonText)],
    [
      "profile",
      "displayName",
      displayName?.trim() === "" ? "Write a name, or leave it empty." : tooLong(displayName, bioLimits.displayName),
    ],
    ["profile", "bio", tooLong(bio, bioLimits.bio)],
    ["profile", "avatarUrl", imageProblem(avatarUrl)],
    ...socials.flatMap(({ platform, url, handle }): Found[] => [
      ["profile", `socials.${platform}.url`, linkProblem(url)],
      ["profile", `socials.${platform}.handle`, tooLong(handle, bioLimits.socialHandle)],
    ]),
    ["sharing", "seo.title", tooLong(seo.title, bioLimits.seoTitle)],
    ["sharing", "seo.description", tooLong(seo.description, bioLimits.seoDescription)],
    ["sharing", "seo.imageUrl", imageProblem(seo.imageUrl)],
  ];
  return found.flatMap(([tab, field, message]) => (message === undefined ? [] : [{ tab, field, message }]));
}

type Found = readonly [BioTab, string, string | undefined];

function linkProblems({ id, type, title, url, thumbnailUrl, startsAt, endsAt }: BioLink): Found[] {
  const wrongOrder = startsAt !== null && endsAt !== null && Date.parse(startsAt) >= Date.parse(endsAt);
  return [
    ["links", `links.${id}.title`, title.trim() === "" ? "Add a title." : tooLong(title, bioLimits.linkTitle)],
    ["links", `links.${id}.url`, type === "link" ? linkProblem(url ?? "") : undefined],
    ["links", `links.${id}.thumbnailUrl`, imageProblem(thumbnailUrl)],
    ["links", `links.${id}.endsAt`, wrongOrder ? "The end must be after the start." : undefined],
  ];
}

function tooLong(text: string | null, longest: number): string | undefined {
  const length = text?.length ?? 0;
  return length > longest ? `${length - longest} too many: at most ${longest} characters.` : undefined;
}

/** What keeps a text from being a handle, in words for its owner; `undefined` when only the service can say more. */
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
