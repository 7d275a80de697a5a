import fc from "fast-check";

export type Schema = Record<string, unknown>;

/** Values that a JSON Schema describes, and values near it that it may or may not describe. */
export function arbitraryOf(schema: Schema): fc.Arbitrary<unknown> {
  if ("const" in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if (Array.isArray(schema.anyOf)) return fc.oneof(...(schema.anyOf as Schema[]).map(arbitraryOf));
  if (typeof schema.pattern === "string" && schema.format === undefined && schema.type === "string")
    return fc.stringMatching(new RegExp(schema.pattern));
  if (Array.isArray(schema.examples) && typeof schema.format === "string")
    return fc.oneof(fc.constantFrom(...(schema.examples as unknown[])), text(schema));
  if (Array.isArray(schema.type))
    return fc.oneof(...(schema.type as string[]).map((type) => arbitraryOf({ ...schema, type })));
  switch (schema.type) {
    case "integer":
      return fc.integer({ min: Number(schema.minimum ?? -1_000), max: Number(schema.maximum ?? 1_000) });
    case "number":
      return fc.double({ noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(arbitraryOf((schema.items ?? {}) as Schema), { maxLength: 4 });
    case "object": {
      const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
      const required = new Set(schema.required as string[] | undefined);
      const requiredKeys = properties.map(([name]) => name).filter((name) => required.has(name));
      return fc.record(Object.fromEntries(properties.map(([name, part]) => [name, arbitraryOf(part)])), {
        requiredKeys,
      });
    }
    default:
      return text(schema);
  }
}

function text({ format, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  const plain = fc.string({
    unit: "grapheme",
    minLength: Number(minLength),
    maxLength: Math.min(Number(maxLength), 60),
  });
  return format === "uri" ? fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), reelLike) : plain;
}

const code = fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/);
const reelLike = fc
  .tuple(
    fc.constantFrom(
      "https://www.instagram.com",
      "http://instagram.com",
      "https://instagram.com@evil.example",
      "https://www.instagram.com.evil.example",
      "https://l.instagram.com",
      "https://instagram.com:8443",
    ),
    fc.constantFrom(
      "/reel/",
      "/p/",
      "/reels/",
      "/tv/",
      "/share/x/",
      "/stories/",
      "/somebody/reel/",
      "//",
      "/reel/%2e%2e/",
    ),
    code,
    fc.constantFrom("", "/", "/embed/", "?igsh=x", "#x", "/%00", "/../.."),
  )
  .map((parts) => parts.join(""));

export const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    "",
    "\u0000",
    "../../etc/passwd",
    "' or 1=1 --",
    "\uD800",
    [],
    {},
    0,
    -1,
    1e308,
    true,
    "9".repeat(400),
  ),
  fc.string({ unit: "binary" }),
  fc.jsonValue({ maxDepth: 3 }),
);
