import { operationTable } from "virtual:operation-table";
import { parseCollection, type ReadCollection } from "./parse-collection.ts";

const mostBytes = operationTable["importReport"]?.maxBodyBytes ?? Number.POSITIVE_INFINITY;

/** A file of collected reels. What is wrong in its fields the service tells, which checks them all. */
export async function readCollectionFile(file: Pick<File, "name" | "size" | "text">): Promise<ReadCollection> {
  if (file.size > mostBytes)
    return { problem: `${file.name} is larger than ${Math.floor(mostBytes / 1_048_576)} MB. Collect fewer reels.` };
  const text = await file.text().catch(() => undefined);
  if (text === undefined) return { problem: `${file.name} cannot be read. Nothing was counted.` };
  return parseCollection(file.name, text);
}
