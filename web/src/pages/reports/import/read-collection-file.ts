import { operationTable } from "virtual:operation-table";
import { parseCollection, type ReadCollection } from "./parse-collection.ts";

const mostBytes = operationTable.importReport.maxBodyBytes ?? Number.POSITIVE_INFINITY;

/** A file of collected reels. The service checks its fields. */
export async function readCollectionFile(file: Pick<File, "name" | "size" | "text">): Promise<ReadCollection> {
  if (file.size > mostBytes)
    return {
      problem: `${file.name} is larger than ${Math.floor(mostBytes / 1_048_576)} MB. Remove some reels and try again.`,
    };
  const text = await file.text().catch(() => undefined);
  if (text === undefined)
    return { problem: `Your browser couldn’t read ${file.name}. Try again, or choose another file.` };
  return parseCollection(file.name, text);
}
