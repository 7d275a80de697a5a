/** What browsers and Node have alike; the language itself knows nothing of it. */
declare const URL: new (text: string) => { readonly username: string; readonly password: string };

/**
 * Whether a browser finds a user name in an absolute URL, which would let a link look as if it led elsewhere. Slashes too many
 * and backslashes hide one from a pattern. Throws for what is no URL.
 */
export function hasUserName(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

// A user name before the host would let a link look as if it led elsewhere.
const linkShape =
  /^(?:https?:\/\/(?![^/?#\\]*@)[^\s\p{Cc}\p{Cs}]+|mailto:[^\s\p{Cc}\p{Cs}@?]+@[^\s\p{Cc}\p{Cs}@]+|tel:\+?\d[\d().-]*)$/iu;

/** Not by `URL.canParse`: after some thousand calls that of Node 20 refuses hosts with letters such as ü. */
export function isLink(text: string): boolean {
  if (!linkShape.test(text)) return false;
  try {
    return !hasUserName(text);
  } catch {
    return false;
  }
}
