import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { createImageSource } from "../../src/adapters/pictures/picture-sources.ts";

/** The parts of an AVIF file with one image from which these tests build others. */
interface Parts {
  readonly handler: Buffer;
  readonly configuration: Buffer;
  readonly coded: Buffer;
}

const uint = (value: number, size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
};

const box = (type: string, ...body: readonly Buffer[]): Buffer => {
  const bytes = Buffer.concat(body);
  return Buffer.concat([uint(bytes.length + 8, 4), Buffer.from(type, "latin1"), bytes]);
};

const sizeBox = (side: number): Buffer => box("ispe", uint(0, 4), uint(side, 4), uint(side, 4));

/** A picture cut to 64 by 64 pixels. */
const cutBox = (): Buffer => box("clap", ...[64, 1, 64, 1, 0, 1, 0, 1].map((value) => uint(value, 4)));

/** Reads files written by sharp only. */
function avifPartsOf(avif: Buffer): Parts {
  const at = (type: string): number => avif.indexOf(type, 0, "latin1") - 4;
  const boxOf = (type: string): Buffer => avif.subarray(at(type), at(type) + avif.readUInt32BE(at(type)));
  const offset = at("iloc") + 16;
  const start = avif.readUInt32BE(offset + 4) + avif.readUInt32BE(offset + 10);
  return {
    handler: boxOf("hdlr"),
    configuration: boxOf("av1C"),
    coded: avif.subarray(start, start + avif.readUInt32BE(offset + 14)),
  };
}

interface Item {
  readonly type: "av01" | "grid" | "Exif";
  /** The start of each of its pieces in `data`, and the piece's length, in bytes. */
  readonly pieces: readonly (readonly [number, number])[];
  /** The numbers of its properties, counted from 1. */
  readonly properties?: readonly number[];
}

/** Items are numbered from 1; the first is the picture. */
function avifFile(file: {
  readonly handler: Buffer;
  readonly items: readonly Item[];
  readonly properties: readonly Buffer[];
  readonly references?: readonly Buffer[];
  readonly data: Buffer;
}): Buffer {
  const { items, data } = file;
  const described = items.map(({ type }, index) =>
    box("infe", uint(0x02000000, 4), uint(index + 1, 2), uint(0, 2), Buffer.from(`${type}\0`)),
  );
  const owners = items.flatMap(({ properties = [] }, index) =>
    properties.length === 0 ? [] : [Buffer.from([0, index + 1, properties.length, ...properties])],
  );
  const from = (start: number): Buffer => {
    const locations = items.map(({ pieces }, index) =>
      Buffer.concat([
        uint(index + 1, 2),
        uint(0, 2),
        uint(pieces.length, 2),
        ...pieces.flatMap(([at, length]) => [uint(start + at, 4), uint(length, 4)]),
      ]),
    );
    return Buffer.concat([
      box("ftyp", Buffer.from("avif\0\0\0\0avifmif1miaf")),
      box(
        "meta",
        uint(0, 4),
        file.handler,
        box("pitm", uint(0, 4), uint(1, 2)),
        box("iloc", uint(0, 4), uint(0x4400, 2), uint(items.length, 2), ...locations),
        box("iinf", uint(0, 4), uint(items.length, 2), ...described),
        box("iprp", box("ipco", ...file.properties), box("ipma", uint(0, 4), uint(owners.length, 4), ...owners)),
        box("iref", uint(0, 4), ...(file.references ?? [])),
      ),
      box("mdat", data),
    ]);
  };
  return from(from(0).length - data.length);
}

const drawImage = (bytes: Buffer) => createImageSource(undefined, 3_600).draw("acc_1", bytes);
const created = (side: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width: side, height: side, channels, background: { r: 90, g: 90, b: 200, alpha: 0.5 } } });
const avifOf = (side: number, channels: 3 | 4 = 3) => created(side, channels).avif({ effort: 0 }).toBuffer();
const layers = "the image is transparent, or has several layers or tiles. Save it as PNG or WebP and try again.";
const damaged = "the image is damaged, or takes too long to draw. Save it again as JPEG or PNG, then upload it.";

const { handler, configuration, coded } = avifPartsOf(await avifOf(64));
const properties = [sizeBox(64), configuration];
const whole = [0, coded.length] as const;
const picture = { type: "av01", pieces: [whole], properties: [1, 130] } as const;
const parts = { handler, properties, items: [picture], data: coded };

describe("an AVIF file", () => {
  test("is drawn if it is one image, with descriptions or not", async () => {
    expect(await drawImage(avifFile(parts))).toMatchObject({ width: 64, height: 64 });
    const described = created(64)
      .withExif({ IFD0: { Artist: "Ana" } })
      .withXmp("<x/>")
      .withIccProfile("p3");
    expect(await drawImage(await described.avif({ effort: 0 }).toBuffer())).toMatchObject({ width: 64, height: 64 });
  });

  test("is refused if it also has transparency or tiles of any size", async () => {
    await expect(drawImage(await avifOf(64, 4))).rejects.toThrow(layers);
    const tiled = avifFile({
      ...parts,
      data: Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 64, 0, 64]), coded]),
      items: [
        { type: "grid", pieces: [[0, 8]], properties: [1] },
        { ...picture, pieces: [[8, coded.length]] },
      ],
      references: [box("dimg", uint(1, 2), uint(1, 2), uint(2, 2))],
    });
    await expect(drawImage(tiled)).rejects.toThrow(layers);
  });

  test("is refused if it states two sizes, or not its cropped size", async () => {
    const cut = { ...parts, items: [{ ...picture, properties: [1, 130, 131] }] };
    await expect(
      drawImage(avifFile({ ...cut, properties: [sizeBox(5_000), configuration, cutBox()] })),
    ).rejects.toThrow("the image has 5000 by 5000 pixels, more than 16 million.");
    await expect(
      drawImage(avifFile({ ...cut, properties: [sizeBox(5_000), configuration, sizeBox(64)] })),
    ).rejects.toThrow(layers);
  });

  test("is refused if its frame is larger than it states", async () => {
    await expect(drawImage(avifFile({ ...parts, properties: [sizeBox(32), configuration] }))).rejects.toThrow(damaged);
  });

  test("is refused if it has many frames, which would all be decoded", async () => {
    const twice = Buffer.concat([coded, Buffer.from([0]), coded]);
    const one = { ...picture, pieces: [[0, twice.length]] as const };
    await expect(drawImage(avifFile({ ...parts, data: twice, items: [one] }))).rejects.toThrow(layers);
    const inPieces = { ...picture, pieces: [whole, whole] };
    await expect(drawImage(avifFile({ ...parts, data: twice, items: [inPieces] }))).rejects.toThrow(layers);
    const config = box("av1C", configuration.subarray(8), coded);
    await expect(drawImage(avifFile({ ...parts, properties: [sizeBox(64), config] }))).rejects.toThrow(layers);
  });

  test("is refused if its descriptions repeat the same bytes", async () => {
    const again = { type: "Exif", pieces: Array.from({ length: 30 }, () => whole) } as const;
    await expect(
      drawImage(
        avifFile({ ...parts, items: [picture, again], references: [box("cdsc", uint(2, 2), uint(1, 2), uint(1, 2))] }),
      ),
    ).rejects.toThrow(damaged);
  });
});
