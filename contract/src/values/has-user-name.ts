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
