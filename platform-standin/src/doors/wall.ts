/** A way into the platform that a reel can be asked through. */
export type Door = "page" | "ruling" | "graphql" | "secondQuery" | "embed" | "info" | "profile" | "profileList";

export const allDoors: readonly Door[] = ["page", "ruling", "graphql", "secondQuery", "embed", "info"];
export const jsonDoors: readonly Door[] = ["ruling", "graphql", "secondQuery", "info", "profileList"];

export type WallName =
  | "pleaseWait"
  | "tooManyRequests"
  | "loginRedirect"
  | "loginRoute"
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
