import { BioContent } from "@reelscript/contract";

/**
 * Reads content that was stored under earlier rules of the contract. A page must not vanish because today's rules refuse one of
 * its links: such a link becomes a hidden heading with its title, so that its owner can give it another address.
 */
export function readBioContent(stored: unknown): BioContent {
  const read = BioContent.safeParse(stored);
  if (read.success) return read.data;
  const content = structuredClone(stored) as Record<string, unknown>;
  const badSocials = new Set<unknown>();
  for (const { path } of read.error.issues) {
    const [field, index, part] = path;
    const list = content[String(field)];
    const one: unknown = Array.isArray(list) && typeof index === "number" ? list[index] : undefined;
    if (field === "links" && part === "url")
      Object.assign(one as object, { type: "header", url: null, enabled: false });
    else if (field === "links" && part === "title") Object.assign(one as object, { title: "Untitled", enabled: false });
    else if (field === "socials") badSocials.add(one);
    else clear(content, path);
  }
  if (Array.isArray(content.socials)) content.socials = content.socials.filter((one) => !badSocials.has(one));
  return BioContent.parse(content);
}

/** Every other URL may be missing. A background depends on its type. */
function clear(content: Record<string, unknown>, path: readonly PropertyKey[]): void {
  const whole = path.includes("background") ? path.slice(0, path.indexOf("background") + 1) : path;
  let parent: Record<PropertyKey, unknown> = content;
  for (const part of whole.slice(0, -1)) parent = parent[part] as Record<PropertyKey, unknown>;
  parent[whole.at(-1)!] = null;
}
