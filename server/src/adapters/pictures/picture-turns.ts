import { createTurns } from "./turns.ts";

/** Pictures of strangers are held whole while they are drawn; more at a time would take the memory of everything else. */
export const inPictureTurn = createTurns({ atATime: 2, waiting: 50 });
