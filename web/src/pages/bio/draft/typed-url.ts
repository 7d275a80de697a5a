import { trimAddress } from "@reelscript/contract/values";
import { shownAddress, whenUsed } from "../../../format.ts";
import type { Social } from "./content.ts";

const mailbox = /^[^\s@:/?#,;<>]+@[^\s@:/?#,;<>]+\.[^\s@:/?#,;<>]+$/;

/** `a@example.com; Ben <b@example.com>` becomes one mail to both. */
function mailUrl(text: string): string | undefined {
  const written = text.replace(/^mailto:(?:\/\/)?/i, "");
  const bracketed = Array.from(written.matchAll(/<([^<>]*)>/g), ([, inside = ""]) => inside.trim());
  const boxes = bracketed.length > 0 ? bracketed : written.split(/[\s,;]+/).filter((part) => part !== "");
  return boxes.length > 0 && boxes.every((box) => mailbox.test(box)) ? `mailto:${boxes.join(",")}` : undefined;
}

/** Digits with the country's sign, without the zero that is only dialed inside the country; `undefined` if it is no number. */
function dialed(text: string): string | undefined {
  const number = text
    .trim()
    .replace(/^00(?=[1-9])/, "+")
    .replace(/^(\+[\d\s]*)\(0\)/, "$1");
  if (!/^\+?\d[\d\s().\u00A0/-]{3,}$/.test(number)) return undefined;
  return (number.startsWith("+") ? "+" : "") + number.replaceAll(/\D/g, "");
}

const numberSchemes: Readonly<Record<string, string>> = { tel: "tel", callto: "tel", sms: "sms", smsto: "sms" };

/** `tel:+49 170 1234567`, `sms:` and a number that begins with its country. */
function numberUrl(text: string): string | undefined {
  const [, scheme, rest = ""] = /^(?:(tel|callto|sms|smsto):(?:\/\/)?)?([^?&]*)$/i.exec(text) ?? [];
  const number = dialed(rest);
  if (number === undefined || (scheme === undefined && !number.startsWith("+"))) return undefined;
  return `${numberSchemes[scheme?.toLowerCase() ?? "tel"]}:${number}`;
}

/** Chats open by an address of their own in every browser. */
function chatUrl(text: string): string | undefined {
  const [, app, path = "", query = ""] = /^(whatsapp|tg):(?:\/\/)?([^?]*)(?:\?(.*))?$/i.exec(text) ?? [];
  const parameters = new URLSearchParams(query);
  if (app?.toLowerCase() === "tg") {
    const name = parameters.get("domain");
    return name === null ? undefined : `https://t.me/${encodeURIComponent(name)}`;
  }
  const written = path.startsWith("send") ? (parameters.get("phone") ?? "") : path;
  const number = app === undefined ? undefined : dialed(written);
  // Its addresses need the country, which a leading zero shows is missing.
  if (number === undefined || number.startsWith("0")) return undefined;
  const message = parameters.get("text");
  return `https://wa.me/${number.replace("+", "")}${message === null ? "" : `?text=${encodeURIComponent(message)}`}`;
}

/** `lenabakes.com`, `//lenabakes.com` and `https:/lenabakes.com`. */
function webUrl(text: string): string | undefined {
  const [, scheme = "https", rest = ""] = /^(?:(https?)(?::\/{0,3}|\/\/))?(?:\/\/)?([^/].*)$/i.exec(text) ?? [];
  const looksLikeHost = /^(?:[^\s@:/?#.]+\.)+[^\s@:/?#.\d]{2,}(?::\d+)?(?:[/?#]\S*)?$/u.test(rest);
  return looksLikeHost ? `${scheme.toLowerCase()}://${rest}` : undefined;
}

/** Guesses the intended address: `lenabakes.com` becomes https, email addresses mailto, a number tel. */
export function tidyUrl(text: string): string {
  const trimmed = trimAddress(text);
  if (/^https?:\/\/[^/]/i.test(trimmed)) return trimmed;
  return mailUrl(trimmed) ?? numberUrl(trimmed) ?? chatUrl(trimmed) ?? webUrl(trimmed) ?? trimmed;
}

const listFormat = whenUsed(() => new Intl.ListFormat("en", { type: "conjunction" }));

/** Says what a link does that `tidyUrl` made of something else. */
export function meaningOf(url: string): string | undefined {
  const [, scheme = "", rest = ""] = /^(https?|mailto|tel|sms):(?:\/\/)?(.*)$/i.exec(url) ?? [];
  const chat = /^wa\.me\/(\d+)/.exec(rest)?.[1];
  if (chat !== undefined) return `Now a link that opens a WhatsApp chat with +${chat}.`;
  switch (scheme.toLowerCase()) {
    case "mailto":
      return `Now a link that writes an email to ${listFormat().format(rest.split("?")[0]!.split(","))}.`;
    case "tel":
      return `Now a link that calls ${rest}.`;
    case "sms":
      return `Now a link that sends a text message to ${rest}.`;
    case "http":
    case "https":
      return `Now a link that opens ${shownAddress(url)}.`;
    default:
      return undefined;
  }
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

/** Tidies like `tidyUrl`; turns a bare handle into the address of its profile on the platform. */
export function tidySocialUrl(platform: Social["platform"], text: string): string {
  const trimmed = trimAddress(text);
  const [, handle] = /^@?([\w.-]+)$/.exec(trimmed) ?? [];
  const profile = profiles[platform];
  const isHost = /^www\.|\.com$/i.test(trimmed);
  return handle !== undefined && profile !== undefined && !isHost ? profile(handle) : tidyUrl(trimmed);
}
