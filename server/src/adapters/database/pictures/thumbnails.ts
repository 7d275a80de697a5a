import { createHash, randomUUID } from "node:crypto";
import { ServiceError } from "@reelscript/contract";
import type { Objects, Picture, ReelIdentity, Thumbnails } from "../../../ports.ts";
import { ObjectsAway } from "../../../ports/objects.ts";
import { isBytes, isNumber, isText, orNull } from "../engine/columns.ts";
import { statement, type Database } from "../engine/statement.ts";

/** A picture in an object storage that is no longer configured counts as missing. */
const findThumbnail = statement(
  "select width, height from thumbnail where platform = :platform and media_id = :mediaId and (bytes is not null or :hasObjects)",
).reading({ width: isNumber, height: isNumber });

const readThumbnail = statement(
  "select bytes, object, width, height from thumbnail where platform = :platform and media_id = :mediaId",
).reading({ bytes: orNull(isBytes), object: orNull(isText), width: isNumber, height: isNumber });

/** The trigger `thumbnail_allowed` drops the row of a reel that was taken down, so that it can't come back. */
const keepThumbnail = statement(`
  insert into thumbnail as t (platform, media_id, bytes, object, width, height, made_at)
  values (:platform, :mediaId, :bytes, :object, :width, :height, :now)
  -- The update changes nothing; it only makes the statement return the row that is kept.
  on conflict (platform, media_id) do update set media_id = t.media_id
  returning object, width, height`).reading({ object: orNull(isText), width: isNumber, height: isNumber });

const forgetThumbnail = statement(
  "delete from thumbnail where platform = :platform and media_id = :mediaId and object = :object",
);

const forgetUnreachable = statement(
  "delete from thumbnail where platform = :platform and media_id = :mediaId and bytes is null",
);

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex").slice(0, 32);

/** The hash proves that the bytes are unchanged. The rest makes the name unique forever. */
export const objectOf = ({ platform, mediaId }: ReelIdentity, bytes: Uint8Array): string =>
  `thumbnails/${encodeName(platform)}/${encodeName(mediaId)}.${hashOf(bytes)}.${randomUUID()}.webp`;

/** True if the bytes match the object's name. */
export const isStoredAs = (object: string, bytes: Uint8Array): boolean => object.includes(`.${hashOf(bytes)}.`);

const encodeName = (text: string): string =>
  text.replace(/[^\w-]/g, (sign) => `-${sign.codePointAt(0)!.toString(16)}-`);

/**
 * Pictures in the database, or with their bytes in an object storage. Pictures that are already in the database are served from
 * there.
 */
export const createThumbnails = (database: Database, objects: Objects | undefined): Thumbnails => ({
  find: ({ platform, mediaId }) =>
    findThumbnail.row(database, { platform, mediaId, hasObjects: objects !== undefined }),
  async read(reel) {
    const row = await readThumbnail.row(database, reel);
    if (row === undefined) return undefined;
    const { bytes, object, width, height } = row;
    if (bytes !== null) return { bytes, width, height };
    if (object === null || objects === undefined) return undefined;
    const storedBytes = await readObject(objects, object);
    if (storedBytes !== undefined && isStoredAs(object, storedBytes)) return { bytes: storedBytes, width, height };
    // The object is missing or was changed: the next request that resolves the reel fetches it again.
    await forgetThumbnail.run(database, { platform: reel.platform, mediaId: reel.mediaId, object });
    return undefined;
  },
  async keep(reel, picture, now) {
    const { bytes, width, height } = picture;
    const object = await store(objects, reel, picture);
    if (objects === undefined) await forgetUnreachable.run(database, reel);
    const row = await keepThumbnail.onlyRow(database, {
      platform: reel.platform,
      mediaId: reel.mediaId,
      bytes: object === null ? bytes : null,
      object,
      width,
      height,
      now,
    });
    // Another process stored another picture first, so no row names this object.
    if (object !== null && row.object !== object) await objects?.remove(object).catch(() => undefined);
    return { width: row.width, height: row.height };
  },
});

/** The name under which the bytes are stored; `null` when the database has to keep them. */
async function store(objects: Objects | undefined, reel: ReelIdentity, { bytes }: Picture): Promise<string | null> {
  if (objects === undefined) return null;
  const name = objectOf(reel, bytes);
  // Having the picture matters more than where it is.
  return objects.put(name, bytes, "image/webp").then(
    () => name,
    () => null,
  );
}

/** Throws `unavailable` if the storage can't be reached. */
export const readObject = (objects: Objects, name: string): Promise<Uint8Array | undefined> =>
  objects.get(name).catch((error: unknown) => {
    if (!(error instanceof ObjectsAway)) throw error;
    const message = "We can't load pictures right now. Try again in a minute.";
    throw new ServiceError("unavailable", message, { retryAfter: 60, cause: error });
  });
