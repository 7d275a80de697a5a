import type * as z from "zod";
import type { ReelAddress } from "../../../ports.ts";
import { SourceFailure } from "../source-failure.ts";

/** A post of a public account that is the reel's, by the schema of its shape. Throws `SourceFailure`. */
export function readPost<Post>(
  schema: z.ZodType<Post>,
  raw: unknown,
  reel: ReelAddress,
  identityOf: (post: Post) => {
    readonly mediaId: string | null | undefined;
    readonly isPrivate: boolean | null | undefined;
  },
): Post {
  const parsed = schema.safeParse(raw);
  if (!parsed.success) throw new SourceFailure("changed", "the post is no object", parsed.error);
  const { mediaId, isPrivate } = identityOf(parsed.data);
  if (mediaId != null && mediaId !== reel.mediaId)
    throw new SourceFailure("changed", "the answer is about another post");
  if (isPrivate === true) throw new SourceFailure("private", "the account is private");
  return parsed.data;
}
