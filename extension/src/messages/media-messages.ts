import { either, nullable, number, oneOf, shape, text, type Guard, type Guarded } from "./guards.ts";

const isBuffer: Guard<ArrayBuffer> = (value): value is ArrayBuffer => value instanceof ArrayBuffer;

/** The video of a reel on its way from the page to the panel. */
export const isMediaMessage = either(
  shape({ type: oneOf("begin"), bytes: nullable(number), mediaType: text(100) }),
  shape({ type: oneOf("part"), buffer: isBuffer }),
  shape({ type: oneOf("end", "failed", "tooLarge", "left") }),
);
export type MediaMessage = Guarded<typeof isMediaMessage>;
