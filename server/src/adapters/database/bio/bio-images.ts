import { createHash, randomUUID } from "node:crypto";
import { bioLimits } from "@reelscript/contract";
import type { BioImages, DrawnImage, Objects } from "../../../ports.ts";
import { imageForms } from "../../../ports/bio.ts";
import { isBytes, isText, orNull } from "../engine/columns.ts";
import { statement, type Database } from "../engine/statement.ts";
import { readObject } from "../pictures/thumbnails.ts";

const keepImage = statement(`
  insert into bio_image as i (
    id, account_id, large_webp, large_jpg, small_webp, small_jpg, object, used_at, checked_at
  )
  select :id, :accountId, :largeWebp::bytea, :largeJpg::bytea, :smallWebp::bytea,
    :smallJpg::bytea, :object::text, :now::timestamptz, :now
  where (select count(*) from bio_image where account_id = :accountId) < :most::integer
    or exists (select from bio_image where id = :id)
  on conflict (id) do update set used_at = excluded.used_at
  returning object`).reading({ object: orNull(isText) });

const findOwned = statement(
  "select id from bio_image where account_id = :accountId and id = any(:ids::text[])",
).reading({ id: isText });

const readImage = statement(`
  select object, case :form::text
    when 'large.webp' then large_webp when 'large.jpg' then large_jpg
    when 'small.webp' then small_webp when 'small.jpg' then small_jpg
  end as bytes
  from bio_image where id = :id`).reading({ object: orNull(isText), bytes: orNull(isBytes) });

/** The id also depends on the account, so that deleting an account's image affects no other page. */
const idOf = (accountId: string, { files }: DrawnImage): string =>
  createHash("sha256").update(accountId).update("\0").update(files["large.webp"]).digest("base64url").slice(0, 22);

/** In the database, or with their bytes in an object storage. */
export const createBioImages = (database: Database, objects: Objects | undefined): BioImages => ({
  async keep(accountId, image, now) {
    const id = idOf(accountId, image);
    const object = await store(objects, id, image);
    const { files } = image;
    const bytes = (form: keyof typeof files) => (object === null ? files[form] : null);
    const row = await keepImage.row(database, {
      id,
      accountId,
      largeWebp: bytes("large.webp"),
      largeJpg: bytes("large.jpg"),
      smallWebp: bytes("small.webp"),
      smallJpg: bytes("small.jpg"),
      object,
      now,
      most: bioLimits.images,
    });
    // The image was already stored, or there isn't room for it, so no row needs these objects.
    if (object !== null && row?.object !== object) await removeAll(objects, object);
    return row && id;
  },
  async owned(accountId, ids) {
    if (ids.length === 0) return new Set();
    return new Set((await findOwned.rows(database, { accountId, ids })).map(({ id }) => id));
  },
  async read(id, form) {
    const row = await readImage.row(database, { id, form });
    if (row === undefined) return undefined;
    if (row.bytes !== null) return row.bytes;
    if (row.object === null || objects === undefined) return undefined;
    return readObject(objects, `${row.object}.${form}`);
  },
});

/** The unique beginning of the names under which the bytes are stored; `null` if the database has to keep them. */
async function store(objects: Objects | undefined, id: string, { files }: DrawnImage): Promise<string | null> {
  if (objects === undefined) return null;
  const object = `images/${id}.${randomUUID()}`;
  try {
    for (const form of imageForms)
      await objects.put(`${object}.${form}`, files[form], form.endsWith("webp") ? "image/webp" : "image/jpeg");
    return object;
  } catch {
    // Having the image matters more than where it is stored.
    await removeAll(objects, object);
    return null;
  }
}

async function removeAll(objects: Objects | undefined, object: string): Promise<void> {
  for (const form of imageForms) await objects?.remove(`${object}.${form}`).catch(() => undefined);
}
