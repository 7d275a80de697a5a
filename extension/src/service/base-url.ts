/** The address of a service as people type it, or what is wrong with it. */
export function readBaseUrl(typed: string): { readonly baseUrl: string } | { readonly problem: string } {
  const trimmed = typed.trim();
  const isLocal = /^(?:localhost|127\.0\.0\.1)(?:[:/]|$)/.test(trimmed);
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `${isLocal ? "http" : "https"}://${trimmed}`;
  if (trimmed === "" || !URL.canParse(text))
    return { problem: "Enter the address of your Reelscript, such as https://reels.example.com." };
  const url = new URL(text);
  const { protocol, hostname, username, password } = url;
  if (username !== "" || password !== "") return { problem: "Leave user name and password out of the address." };
  const mayBePlain = hostname === "localhost" || hostname === "127.0.0.1";
  if (protocol !== "https:" && !(protocol === "http:" && mayBePlain))
    return { problem: "The address must begin with https://. Only a service on this computer may use http://." };
  const path = url.pathname.replace(/\/+$/, "").replace(/\/app(?:\/.*)?$/, "");
  return { baseUrl: url.origin + path };
}

/** Patterns for permissions contain no port, because Firefox doesn't support one there. */
export function permissionsFor(baseUrl: string): string[] {
  const { protocol, hostname } = new URL(baseUrl);
  return [`${protocol}//${hostname}/*`, platformPattern];
}

export const platformPattern = "https://www.instagram.com/*";
