import type { Pool } from "pg";
import type { Picture, PictureSize, ReelIdentity, Thumbnails } from "../../ports.ts";
import { rowsOf, type Statement } from "./statement.ts";
import { storable } from "./storable.ts";

const findThumbnail: Statement = {
  name: "find-thumbnail",
  text: "select width, height from thumbnail where platform = $1 and media_id = $2",
};

const readThumbnail: Statement = {
  name: "read-thumbnail",
  text: "select bytes, width, height from thumbnail where platform = $1 and media_id = $2",
};

const keepThumbnail: Statement = {
  name: "keep-thumbnail",
  text: `
    insert into thumbnail as t (platform, media_id, bytes, width, height, made_at) values ($1, $2, $3, $4, $5, $6)
    -- The empty change only makes the row that is kept come back.
    on conflict (platform, media_id) do update set media_id = t.media_id
    returning width, height`,
};

const identityOf = ({ platform, mediaId }: ReelIdentity): string[] => [storable(platform), storable(mediaId)];

export const createThumbnails = (pool: Pool): Thumbnails => ({
  async find(reel) {
    const [row] = await rowsOf<PictureSize>(pool, findThumbnail, identityOf(reel));
    return row;
  },
  async read(reel) {
    const [row] = await rowsOf<Picture>(pool, readThumbnail, identityOf(reel));
    return row;
  },
  async keep(reel, { bytes, width, height }, now) {
    const [row] = await rowsOf<PictureSize>(pool, keepThumbnail, [...identityOf(reel), bytes, width, height, now]);
    if (row === undefined) throw new Error("the database kept no thumbnail");
    return row;
  },
});
