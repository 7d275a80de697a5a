import { bioLimits, hasUserName, hostedImagePath, isLink } from "@reelscript/contract/values";
import type { Social } from "./content.ts";

const mayBeLink = (text: string): boolean => text.length <= bioLimits.url && isLink(text);

/** Why a link cannot lead there, in words for its owner; `undefined` when it can. */
export function linkProblem(text: string): string | undefined {
  if (text === "") return "Enter a URL such as https://example.com.";
  if (mayBeLink(text)) return undefined;
  if (text.length > bioLimits.url) return `Use at most ${bioLimits.url} characters.`;
  if (/^https?:/i.test(text) && (/^https?:\/\/[^/?#\\]*@/i.test(text) || (URL.canParse(text) && hasUserName(text))))
    return "Remove the user name before the host.";
  if (/\s/.test(text)) return "Remove the spaces.";
  return "Enter a URL that starts with https://, http://, mailto: or tel:.";
}

/** The same for an image; none is all right. */
export function imageProblem(text: string | null): string | undefined {
  if (text === null || hostedImagePath(text) !== undefined || (/^https:/i.test(text) && mayBeLink(text)))
    return undefined;
  return "Choose an image, or paste its https address.";
}

/** What somebody most likely meant: `lenabakes.com` leads to https, an address of mail to mailto. */
export function tidyUrl(text: string): string {
  const trimmed = text.trim();
  if (/^[^\s@:/?#]+@[^\s@:/?#]+\.[^\s@:/?#]+$/.test(trimmed)) return `mailto:${trimmed}`;
  if (/^\+\d[\d ().-]{5,}$/.test(trimmed)) return `tel:${trimmed.replaceAll(" ", "")}`;
  const looksLikeHost = /^(?:[^\s@:/?#.]+\.)+[^\s@:/?#.\d]{2,}(?::\d+)?(?:[/?#]\S*)?$/u.test(trimmed);
  return looksLikeHost ? `https://${trimmed}` : trimmed;
}

const profiles: Partial<Record<Social["platform"], (handle: string) => string>> = {
  instagram: (handle) => `https://www.instagram.com/${handle}/`,
  tiktok: (handle) => `https://www.tiktok.com/@${handle}`,
  youtube: (handle) => `https://www.youtube.com/@${handle}`,
  x: (handle) => `https://x.com/${handle}`,
  threads: (handle) => `https://www.threads.com/@${handle}`,
  facebook: (handle) => `https://www.facebook.com/${handle}`,
  linkedin: (handle) => `https://www.linkedin.com/in/${handle}`,
};

/** As `tidyUrl`; a bare handle leads to the platform's profile of it. */
export function tidySocialUrl(platform: Social["platform"], text: string): string {
  const trimmed = text.trim();
  const [, handle] = /^@?([\w.-]+)$/.exec(trimmed) ?? [];
  const profile = profiles[platform];
  const isHost = /^www\.|\.com$/i.test(trimmed);
  return handle !== undefined && profile !== undefined && !isHost ? profile(handle) : tidyUrl(trimmed);
}
