import { readFile } from "node:fs/promises";
import { storedFile } from "../reels/stored-reels.ts";
import {
  cutTables,
  cutTail,
  declareUnknownCodec,
  inflateTables,
  pageInDisguise,
  playlistInDisguise,
  scrambleData,
  scriptInDisguise,
} from "./broken-media.ts";
import { makeFlacBomb } from "./flac-bomb.ts";
import { joinReels } from "./join-reels.ts";

export type MadeMedia =
  | { name: "joined"; reels: readonly string[]; rounds: number }
  | { name: "flacBomb"; hours: number }
  | { name: "cutTail" | "cutTables" | "scrambledData" | "inflatedTables" | "unknownCodec" }
  | { name: "playlist" | "script" | "page" | "empty" };

const readStored = (name: string): Promise<Buffer> => readFile(storedFile(name, "mp4"));

async function make(made: MadeMedia, base: string): Promise<Buffer> {
  switch (made.name) {
    case "joined":
      return joinReels(await Promise.all(made.reels.map(readStored)), made.rounds);
    case "flacBomb":
      return makeFlacBomb(made.hours);
    case "cutTail":
      return cutTail(await readStored(base));
    case "cutTables":
      return cutTables(await readStored(base));
    case "scrambledData":
      return scrambleData(await readStored(base));
    case "inflatedTables":
      return inflateTables(await readStored(base));
    case "unknownCodec":
      return declareUnknownCodec(await readStored(base));
    case "playlist":
      return playlistInDisguise();
    case "script":
      return scriptInDisguise();
    case "page":
      return pageInDisguise();
    case "empty":
      return Buffer.alloc(0);
  }
}

/** A loader of media that are made from the stored reel `base` on the first request and then kept. */
export function loaderOf(made: MadeMedia, base: string): () => Promise<Buffer> {
  let bytes: Promise<Buffer> | undefined;
  return () => (bytes ??= make(made, base));
}
