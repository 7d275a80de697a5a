/** What an AVIF file of one image consists of. */
interface Parts {
  readonly handler: Buffer;
  readonly configuration: Buffer;
  readonly coded: Buffer;
}

export const uint = (value: number, size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
};

export const box = (type: string, ...body: readonly Buffer[]): Buffer => {
  const bytes = Buffer.concat(body);
  return Buffer.concat([uint(bytes.length + 8, 4), Buffer.from(type, "latin1"), bytes]);
};

export const sizeBox = (side: number): Buffer => box("ispe", uint(0, 4), uint(side, 4), uint(side, 4));

/** A picture cut to 64 by 64 pixels. */
export const cutBox = (): Buffer => box("clap", ...[64, 1, 64, 1, 0, 1, 0, 1].map((value) => uint(value, 4)));

/** Takes files of sharp alone. */
export function avifPartsOf(avif: Buffer): Parts {
  const at = (type: string): number => avif.indexOf(type, 0, "latin1") - 4;
  const boxOf = (type: string): Buffer => avif.subarray(at(type), at(type) + avif.readUInt32BE(at(type)));
  const place = at("iloc") + 16;
  const start = avif.readUInt32BE(place + 4) + avif.readUInt32BE(place + 10);
  return {
    handler: boxOf("hdlr"),
    configuration: boxOf("av1C"),
    coded: avif.subarray(start, start + avif.readUInt32BE(place + 14)),
  };
}

interface Item {
  readonly type: "av01" | "grid" | "Exif";
  /** Where its pieces start in `data`, and how long they are. */
  readonly pieces: readonly (readonly [number, number])[];
  /** Numbers of the properties that it has, counted from 1. */
  readonly properties?: readonly number[];
}

/** Items are numbered from 1; the first is the picture. */
export function avifFile(file: {
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
    const places = items.map(({ pieces }, index) =>
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
        box("iloc", uint(0, 4), uint(0x4400, 2), uint(items.length, 2), ...places),
        box("iinf", uint(0, 4), uint(items.length, 2), ...described),
        box("iprp", box("ipco", ...file.properties), box("ipma", uint(0, 4), uint(owners.length, 4), ...owners)),
        box("iref", uint(0, 4), ...(file.references ?? [])),
      ),
      box("mdat", data),
    ]);
  };
  return from(from(0).length - data.length);
}
