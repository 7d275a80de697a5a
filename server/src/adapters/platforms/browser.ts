/** A desktop browser as of November 2026. Platforms answer years-old browsers with an empty page. */
export const browserUserAgent =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36";

type Headers = Readonly<Record<string, string>>;

const page = {
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "accept-language": "en-US,en;q=0.9",
  "sec-fetch-mode": "navigate",
  "upgrade-insecure-requests": "1",
};

/** Somebody types an address. */
export const asNavigation: Headers = {
  ...page,
  "sec-fetch-dest": "document",
  "sec-fetch-site": "none",
  "sec-fetch-user": "?1",
};

/** A page of another site shows this one in a frame. */
export const asFrame: Headers = { ...page, "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site" };

/** A page's own script asks its own site. */
export const asQuery: Headers = {
  accept: "*/*",
  "accept-language": "en-US,en;q=0.9",
  "sec-fetch-dest": "empty",
  "sec-fetch-mode": "cors",
  "sec-fetch-site": "same-origin",
};
