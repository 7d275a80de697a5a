import { randomUUID } from "node:crypto";
import type { Objects } from "../../../ports.ts";
import { imageForms } from "../../../ports/bio.ts";
import { isBytes, isNumber, isText } from "../engine/columns.ts";
import { statement, type Database } from "../engine/statement.ts";
import { isStoredAs, objectOf } from "./thumbnails.ts";

/** Counts of pictures that a move has moved, couldn't move, and still has to move. */
interface MovedPictures {
  readonly moved: number;
  /** Pictures that are missing in the storage, or have other bytes there. */
  readonly missing: number;
  readonly left: number;
}

type PicturePlace = "database" | "storage";

const atATime = 20;

const count = statement(`
  select ((select count(*) from thumbnail where (object is null) = :toStorage::boolean)
    + (select count(*) from bio_image where (object is null) = :toStorage::boolean))::integer as pictures`).reading({
  pictures: isNumber,
});

const thumbnailsHere = statement(`
  select platform, media_id, bytes from thumbnail where object is null order by platform, media_id limit ${atATime}`).reading(
  { platform: isText, mediaId: isText, bytes: isBytes },
);
const thumbnailsThere = statement(`
  select platform, media_id, object from thumbnail
  where object is not null and (platform, media_id) > (:platform, :mediaId)
  order by platform, media_id limit ${atATime}`).reading({ platform: isText, mediaId: isText, object: isText });
const thumbnailToStorage = statement(`
  update thumbnail set bytes = null, object = :object
  where platform = :platform and media_id = :mediaId and object is null`);
/** Objects that are no longer needed are removed like those of deleted pictures. */
const leaveObject = "insert into removed_object (name) select :object::text from moved on conflict (name) do nothing";
const thumbnailToDatabase = statement(`
  with moved as (
    update thumbnail set bytes = :bytes, object = null
    where platform = :platform and media_id = :mediaId and object = :object
    returning media_id
  )
  ${leaveObject}`);

const imagesHere = statement(`
  select id, large_webp, large_jpg, small_webp, small_jpg from bio_image where object is null order by id limit ${atATime}`).reading(
  { id: isText, largeWebp: isBytes, largeJpg: isBytes, smallWebp: isBytes, smallJpg: isBytes },
);
const imagesThere = statement(`
  select id, object from bio_image where object is not null and id > :id order by id limit ${atATime}`).reading({
  id: isText,
  object: isText,
});
const imageToStorage = statement(`
  update bio_image set large_webp = null, large_jpg = null, small_webp = null, small_jpg = null, object = :object
  where id = :id and object is null`);
const imageToDatabase = statement(`
  with moved as (
    update bio_image
    set large_webp = :largeWebp, large_jpg = :largeJpg, small_webp = :smallWebp, small_jpg = :smallJpg, object = null
    where id = :id and object = :object
    returning id
  )
  insert into removed_object (name)
  select :object::text || '.' || form from moved, unnest(:forms::text[]) as form on conflict (name) do nothing`);

/**
 * Moves pictures until `isOver`, a few at a time, while the service runs. Each picture is in both stores until its row names
 * the new one. Unreadable pictures stay. Throws if there is no storage, and the storage's error if it is unavailable.
 */
export type MovePictures = (to: PicturePlace, isOver: () => boolean) => Promise<MovedPictures>;

export const createMovePictures =
  (database: Database, objects: Objects | undefined): MovePictures =>
  async (to, isOver) => {
    if (objects === undefined) throw new Error("there is no storage of pictures besides the database (OBJECT_STORAGE)");
    const moved = { moved: 0, missing: 0 };
    const steps =
      to === "storage"
        ? [thumbnailsToStorage(database, objects), imagesToStorage(database, objects)]
        : [thumbnailsToDatabase(database, objects), imagesToDatabase(database, objects)];
    for (const step of steps)
      for (let more = true; more && !isOver();) {
        const outcomes = await step();
        for (const isMoved of outcomes) moved[isMoved ? "moved" : "missing"] += 1;
        more = outcomes.length > 0;
      }
    const { pictures } = await count.onlyRow(database, { toStorage: to === "storage" });
    return { ...moved, left: pictures };
  };

/** Moves the next few, and returns for each whether it was moved. The list is empty when none is left. */
type Step = () => Promise<boolean[]>;

const thumbnailsToStorage =
  (database: Database, objects: Objects): Step =>
  async () => {
    const outcomes: boolean[] = [];
    for (const { platform, mediaId, bytes } of await thumbnailsHere.rows(database)) {
      const object = objectOf({ platform, mediaId }, bytes);
      await objects.put(object, bytes, "image/webp");
      const changed = await thumbnailToStorage.run(database, { platform, mediaId, object });
      if (changed === 0) await objects.remove(object);
      outcomes.push(true);
    }
    return outcomes;
  };

function thumbnailsToDatabase(database: Database, objects: Objects): Step {
  let after = { platform: "", mediaId: "" };
  return async () => {
    const outcomes: boolean[] = [];
    for (const { platform, mediaId, object } of await thumbnailsThere.rows(database, after)) {
      after = { platform, mediaId };
      const bytes = await objects.get(object);
      const isSame = bytes !== undefined && isStoredAs(object, bytes);
      if (isSame) await thumbnailToDatabase.run(database, { platform, mediaId, object, bytes });
      outcomes.push(isSame);
    }
    return outcomes;
  };
}

const imagesToStorage =
  (database: Database, objects: Objects): Step =>
  async () => {
    const outcomes: boolean[] = [];
    for (const { id, largeWebp, largeJpg, smallWebp, smallJpg } of await imagesHere.rows(database)) {
      const object = `images/${id}.${randomUUID()}`;
      const files = { "large.webp": largeWebp, "large.jpg": largeJpg, "small.webp": smallWebp, "small.jpg": smallJpg };
      for (const form of imageForms)
        await objects.put(`${object}.${form}`, files[form], form.endsWith("webp") ? "image/webp" : "image/jpeg");
      const changed = await imageToStorage.run(database, { id, object });
      if (changed === 0) for (const form of imageForms) await objects.remove(`${object}.${form}`);
      outcomes.push(true);
    }
    return outcomes;
  };

function imagesToDatabase(database: Database, objects: Objects): Step {
  let after = "";
  return async () => {
    const outcomes: boolean[] = [];
    for (const { id, object } of await imagesThere.rows(database, { id: after })) {
      after = id;
      const [largeWebp, largeJpg, smallWebp, smallJpg] = await Promise.all(
        imageForms.map((form) => objects.get(`${object}.${form}`)),
      );
      const isWhole =
        largeWebp !== undefined && largeJpg !== undefined && smallWebp !== undefined && smallJpg !== undefined;
      if (isWhole)
        await imageToDatabase.run(database, {
          id,
          object,
          largeWebp,
          largeJpg,
          smallWebp,
          smallJpg,
          forms: [...imageForms],
        });
      outcomes.push(isWhole);
    }
    return outcomes;
  };
}
