import * as z from "zod";
import type { DrawnImage, Picture } from "../../ports.ts";
import type { PictureJob, PictureOf } from "./picture-job.ts";

/** Every file that is drawn is far smaller. */
const mostBytes = 16 * 1024 ** 2;
const side = z.int().min(1).max(16_384);

const fileOf = (begins: (bytes: Buffer) => boolean) =>
  z
    .instanceof(Uint8Array)
    .refine((bytes) => bytes.byteLength <= mostBytes && begins(Buffer.from(bytes.buffer, bytes.byteOffset, 12)));
const webp = fileOf((bytes) => bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8) === "WEBP");
const jpeg = fileOf((bytes) => bytes.readUIntBE(0, 3) === 0xff_d8_ff);

const image: z.ZodType<DrawnImage> = z.object({
  width: side,
  height: side,
  files: z.object({ "large.webp": webp, "large.jpg": jpeg, "small.webp": webp, "small.jpg": jpeg }),
});
const thumbnail: z.ZodType<Picture> = z.object({ width: side, height: side, bytes: webp });

const failure = z.object({
  failed: z.string().max(10_000),
  /** Set when the message is for the caller. */
  status: z.union([z.literal(415), z.literal(422)]).exactOptional(),
});
type Failure = z.output<typeof failure>;

/**
 * Reads only the declared fields of a picture process's answer; `undefined` when they are invalid. The process unpacks
 * strangers' pictures: a hostile one might take it over, and must not produce files of other kinds then.
 */
export function readPictureAnswer<Job extends PictureJob>(
  { kind }: Job,
  message: unknown,
): { readonly drawn: PictureOf<Job> } | Failure | undefined {
  const drawn = z.object({ drawn: kind === "image" ? image : thumbnail });
  return (drawn.safeParse(message).data as { drawn: PictureOf<Job> } | undefined) ?? failure.safeParse(message).data; // safe: the schema is that of the job
}
