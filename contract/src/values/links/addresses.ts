/** Declared here because browsers and Node both have it, but the language's types don't. */
declare const URL: new (text: string) => { readonly username: string; readonly password: string };

/**
 * True if a browser finds a user name in an absolute URL, which could disguise the link's target. Extra slashes and backslashes
 * hide one from a pattern. Throws if it is not a URL.
 */
export function hasUserName(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

// A user name before the host could disguise the link's target.
const linkShape =
  /^(?:https?:\/\/(?![^/?#\\]*@)[^\s\p{Cc}\p{Cs}]+|mailto:[^\s\p{Cc}\p{Cs}@?]+@[^\s\p{Cc}\p{Cs}@]+(?:,[^\s\p{Cc}\p{Cs}@?,]+@[^\s\p{Cc}\p{Cs}@]+)*|(?:tel|sms):\+?\d[\d().-]*)$/iu;

/** `URL.canParse` isn't reliable: after some thousand calls, that of Node 20 refuses hosts with letters such as ü. */
export function isLink(text: string): boolean {
  if (!linkShape.test(text)) return false;
  try {
    return !hasUserName(text);
  } catch {
    return false;
  }
}

/** A space or a format character. Flags of regions end with tags, which are format characters too and stay. */
const edge = /^(?![\u{E0000}-\u{E007F}])[\s\p{Cf}]$/u;
const encoded = /^(?:%[\da-f]{2}){1,4}$/i;
/** Lengths of an edge in code units, plain and percent-encoded. */
const edgeLengths = [1, 2, 3, 6, 9, 12];

function isEdge(text: string): boolean {
  if (edge.test(text)) return true;
  if (!encoded.test(text)) return false;
  try {
    return edge.test(decodeURIComponent(text));
  } catch {
    return false;
  }
}

/**
 * Removes spaces and format characters at an address's ends, even percent-encoded ones. Messengers and documents add them to
 * copied text, nobody sees them, and no address needs them there.
 */
export function trimAddress(text: string): string {
  let start = 0;
  let end = text.length;
  const lengthOf = (edgeOf: (length: number) => string): number =>
    edgeLengths.find((length) => length <= end - start && isEdge(edgeOf(length))) ?? 0;
  for (;;) {
    const before = lengthOf((length) => text.slice(start, start + length));
    start += before;
    const after = lengthOf((length) => text.slice(end - length, end));
    end -= after;
    if (before + after === 0) return text.slice(start, end);
  }
}

const shape = /^(?:https?:\/\/[^/?#\\\s@]+)?(\/media\/images\/([\w-]{22})\.webp)$/;

/** The path of an image that a service stores, from its URL or the path itself; `undefined` for every other URL. */
export const hostedImagePath = (url: string): string | undefined => shape.exec(url)?.[1];

export const hostedImageId = (url: string): string | undefined => shape.exec(url)?.[2];
