/** A way to request a reel from the platform. */
export type Door = "page" | "ruling" | "graphql" | "secondQuery" | "embed" | "info" | "profile" | "profileList";

export const allDoors: readonly Door[] = ["page", "ruling", "graphql", "secondQuery", "embed", "info"];
export const jsonDoors: readonly Door[] = ["ruling", "graphql", "secondQuery", "info", "profileList"];

/** How the platform blocks callers; `walls.ts` has the responses. */
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

/** An obstacle at some of the platform's doors. */
export interface Wall {
  readonly name: WallName;
  readonly doors: readonly Door[];
}
