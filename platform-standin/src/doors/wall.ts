/** A way into the platform that a reel can be asked through. */
export type Door = "page" | "ruling" | "graphql" | "embed" | "info" | "oembed" | "profile" | "profileList";

export const allDoors: readonly Door[] = ["page", "ruling", "graphql", "embed", "info", "oembed"];
export const jsonDoors: readonly Door[] = ["ruling", "graphql", "info", "oembed", "profileList"];

export type WallName =
  | "pleaseWait"
  | "tooManyRequests"
  | "loginRedirect"
  | "homeRedirect"
  | "emptyData"
  | "missingCsrf"
  | "htmlInsteadOfJson"
  | "schemaDrift"
  | "slowDrip"
  | "midBodyCut"
  | "serverError"
  | "endlessJson";

/** What the platform does to callers at some of its doors instead of answering. */
export interface Wall {
  readonly name: WallName;
  readonly doors: readonly Door[];
}
