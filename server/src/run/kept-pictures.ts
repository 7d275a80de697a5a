import { ServiceError } from "@reelscript/contract";

const mostKept = 100;

/**
 * Draws each picture once for all who ask for it, and keeps the last 100 by their tags. Throws `unavailable` when it can't be
 * drawn, such as because too many are waiting.
 */
export function createKeptPictures(): (tag: string, draw: () => Promise<Uint8Array>) => Promise<Uint8Array> {
  const pictures = new Map<string, Promise<Uint8Array>>();
  return async (tag, draw) => {
    const drawing = pictures.get(tag) ?? draw();
    pictures.delete(tag);
    pictures.set(tag, drawing);
    drawing.catch(() => pictures.delete(tag));
    for (const oldest of pictures.keys()) {
      if (pictures.size <= mostKept) break;
      pictures.delete(oldest);
    }
    return drawing.catch((error: unknown) => {
      throw new ServiceError("unavailable", "We couldn't draw this picture. Try again in a minute.", {
        retryAfter: 60,
        cause: error,
      });
    });
  };
}
