/** A way into the platform that a reel can be asked through. */
export type Door = "page" | "ruling" | "graphql" | "secondQuery" | "embed" | "info" | "profile" | "profileList";

export const allDoors: readonly Door[] = ["page", "ruling", "graphql", "secondQuery", "embed", "info"];
export const jsonDoors: readonly Door[] = ["ruling", "graphql", "secondQuery", "info", "profileList"];

/** How the platform keeps callers out; `walls.ts` has the responses. */
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

/** Obstacle that callers meet at some of the platform's doors. */
export interface Wall {
  readonly name: WallName;
  readonly doors: readonly Door[];
}
