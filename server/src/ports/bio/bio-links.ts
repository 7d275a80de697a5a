/**
 * `gone`: the host says that there is nothing (404, 410). `unresolved`: there is no such host on the public internet.
 * `unknown`: whatever else went wrong, which may be ours or pass.
 */
export type LinkState = "fine" | "gone" | "unresolved" | "unknown";

/** Asks for a link of the public web once, following redirects, within seconds. Throws only the reason of the signal. */
export type ProbeLink = (url: string, signal: AbortSignal) => Promise<LinkState>;

/** A link that failed at every look for a day or longer. */
interface FailingLink {
  readonly id: string;
  readonly url: string;
  readonly problem: Extract<LinkState, "gone" | "unresolved">;
  readonly since: Date;
}

/** Whether the links of pages lead anywhere. */
export interface BioLinkHealth {
  /** Some links of public pages that were not looked at for a day; nobody else gets them before tomorrow. `"none"`: none is due. */
  due(now: Date): Promise<readonly { readonly id: string; readonly url: string }[] | "none">;
  note(id: string, url: string, state: Exclude<LinkState, "unknown">, now: Date): Promise<void>;
  failing(accountId: string, now: Date): Promise<readonly FailingLink[]>;
}
