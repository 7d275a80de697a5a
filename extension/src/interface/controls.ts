import { drawing, element, logo, paragraph } from "./element.ts";
import type { Usage } from "@reelscript/contract";
import { draftOffer, typographic } from "@reelscript/contract/values";
import { exactNumber } from "./format.ts";
import type { CallError } from "@reelscript/client/core";

const drawings = {
  chart: "M4 4v14.500A1.500 1.500 0 0 0 5.500 20H20M9 15.500v-4M13.500 15.500V6M18 15.500V9",
  check: "m5 12.500 4.500 4.500L19 7.500",
  clock: "M20.500 12a8.500 8.500 0 1 1-17 0 8.500 8.500 0 0 1 17 0M12 7v5.500l3.500 2",
  close: "m6 6 12 12M18 6 6 18",
  copy: "M11 8.500h7a2.500 2.500 0 0 1 2.500 2.500v7a2.500 2.500 0 0 1-2.500 2.500h-7A2.500 2.500 0 0 1 8.500 18v-7A2.500 2.500 0 0 1 11 8.500M15.500 5.500A2 2 0 0 0 13.500 3.500h-8a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2",
  download: "M12 3.500v11M7.500 10.500l4.500 4.500 4.500-4.500M4 20h16",
  library: "M5.500 4h3a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-3a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2M14 7h6.500M14 12h6.500M14 17h4",
  open: "M7 17 17 7M9 7h8v8",
  warn: "M12 4 2.800 19.500h18.400zM12 10v4.500M12 17h.01",
  wave: "M3.500 10v4M8 6.500v11M12 3.500v17M16 8v8M20.500 10.500v3",
  pause: "M9 6v12M15 6v12",
  play: "M8 5.500v13l10.500-6.500z",
  stop: "M7 7h10v10H7z",
} as const;

type IconName = keyof typeof drawings;

export const icon = (name: IconName, kind = "icon small"): SVGSVGElement =>
  drawing("0 0 24 24", { class: kind }, [{ d: drawings[name] }]);

export interface ButtonOptions {
  readonly kind?: "quiet" | "danger";
  readonly icon?: IconName;
  readonly isLarge?: boolean;
  readonly isGrowing?: boolean;
}

const classOf = ({ kind, isLarge = false, isGrowing = false }: ButtonOptions): string =>
  ["button", kind, isLarge && "large", isGrowing && "grow"].filter(Boolean).join(" ");

export const button = (
  label: string,
  press: () => void | Promise<void>,
  options: ButtonOptions = {},
): HTMLButtonElement =>
  element(
    "button",
    { type: "button", class: classOf(options), onClick: () => void press() },
    options.icon && icon(options.icon),
    label,
  );

/** A link that looks like a button and opens a tab. */
export const linkButton = (label: string, href: string, options: ButtonOptions = {}): HTMLAnchorElement =>
  element(
    "a",
    { class: classOf(options), href, target: "_blank", rel: "noopener" },
    options.icon && icon(options.icon),
    label,
  );

export const note = (kind: "plain" | "bad" | "warn", ...children: readonly (Node | string)[]): HTMLElement =>
  element(
    "div",
    { class: kind === "plain" ? "note" : `note ${kind}`, role: kind === "plain" ? "status" : "alert" },
    icon(kind === "plain" ? "clock" : "warn"),
    element("div", { class: "said-so" }, ...children),
  );

/** A progress bar; `set` moves it. */
export function meter(label: string, kind: "use" | "voice" = "use") {
  const bar = element("i");
  bar.style.inlineSize = "0";
  const node = element(
    "span",
    {
      class: kind === "voice" ? "meter voice" : "meter",
      role: kind === "voice" ? "progressbar" : "meter",
      "aria-label": label,
      "aria-valuemin": 0,
      "aria-valuemax": 100,
    },
    bar,
  );
  return {
    node,
    set(part: number): void {
      const bounded = Math.max(0, Math.min(1, part));
      node.setAttribute("aria-valuenow", String(Math.round(bounded * 100)));
      bar.style.inlineSize = `${bounded * 100}%`;
      if (kind === "use") {
        node.classList.toggle("warn", bounded >= 0.9 && bounded < 1);
        node.classList.toggle("full", bounded >= 1);
      }
    },
  };
}

export const brand = (): HTMLElement =>
  element("span", { class: "brand row" }, logo(26, "var(--ink)", "var(--sheet)"), "Reelscript");

/** An empty state has a title, one sentence and one button. */
export const empty = (title: string, sentence: string, ...actions: readonly Node[]): HTMLElement =>
  element(
    "div",
    { class: "empty" },
    logo(72, "var(--ink)", "var(--sheet)"),
    element("h2", {}, title),
    paragraph(sentence),
    ...actions,
  );

/** The empty state before an account is connected. */
export const connectPart = (connect: () => void | Promise<void>): HTMLElement =>
  empty(
    "Connect your account",
    "Then transcribe the reel you’re watching, or create a report on any profile.",
    button("Connect", connect, { isLarge: true }),
  );

export function usageRows({ transcriptions, posts }: Usage): Node[] {
  return [
    ...row("Transcriptions", transcriptions.used, transcriptions.limit),
    ...(posts?.used === undefined ? [] : row("Posts analyzed", posts.used, posts.limit ?? null)),
  ];
}

function row(label: string, used: number, limit: number | null): Node[] {
  const figures = limit === null ? exactNumber(used) : `${exactNumber(used)} of ${exactNumber(limit)}`;
  const line = element("span", { class: "row" }, label, element("b", { class: "at-end" }, figures));
  if (limit === null) return [line];
  const bar = meter(label);
  bar.set(used / limit);
  return [line, bar.node];
}

const warnings: ReadonlySet<string> = new Set([
  "rateLimited",
  "inProgress",
  "unavailable",
  "unexpectedAnswer",
  "unreachable",
  "timeout",
]);

/** Shows an error in the service's own words, with buttons for possible next steps. */
export const troubleNote = (trouble: CallError, ...actions: readonly Node[]): HTMLElement =>
  note(
    warnings.has(trouble.code) ? "warn" : "bad",
    paragraph(typographic(draftOffer(trouble.message).text)),
    ...(actions.length > 0 ? [element("div", { class: "row wrap" }, ...actions)] : []),
  );
