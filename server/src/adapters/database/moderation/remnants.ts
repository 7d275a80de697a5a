import type { Remnants } from "../../../ports.ts";
import { forgetBioImages } from "../bio/bio-images.ts";
import { execute, statement, type Database } from "../engine/statement.ts";

const batch = 500;

const forgetKeys = statement(
  "forget-revoked-keys",
  `
    delete from api_key where id in (
      select id from api_key where revoked_at <= :now::timestamptz - interval '30 days' order by revoked_at limit ${batch}
      for update skip locked
    ) returning id`,
);

const forgetThumbnails = statement(
  "forget-thumbnails",
  `
    delete from thumbnail where (platform, media_id) in (
      select platform, media_id from thumbnail where made_at <= :now::timestamptz - interval '30 days'
      order by made_at limit ${batch} for update skip locked
    ) returning media_id`,
);

/** What is forgotten by its age, in batches that hold nobody up. */
export const createRemnants = (database: Database): Remnants => ({
  async forget(now) {
    const forgotten = [
      await execute(database, forgetKeys, { now }),
      await execute(database, forgetThumbnails, { now }),
    ];
    return (await forgetBioImages(database, now)) || forgotten.includes(batch);
  },
});
