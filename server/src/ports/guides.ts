import type { Guide } from "@reelscript/contract";

/** A guide as it is kept; its address depends on where the service is. */
export type StoredGuide = Omit<Guide, "url">;
