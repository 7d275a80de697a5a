/** Where the service is: everything before `/api/v1`, checked, without a trailing slash. */
export function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError(
      `The address of the service must be an http(s) URL such as http://127.0.0.1:8787, not "${text}".`,
    );
  if (url.username !== "" || url.password !== "")
    throw new TypeError("The address of the service must not carry a user name or password.");
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Checks that a key can be sent at all, so that a stray line break is not mistaken for a broken connection. */
export function readApiKey(text: string): string {
  const key = text.trim();
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError("The API key must be one word of visible ASCII characters, as it was shown when it was made.");
  return key;
}
