import { operations, restBasePath } from "@reelscript/contract";

export const guideUrl = (baseUrl: string, slug: string): string =>
  `${baseUrl}${restBasePath}${operations.getGuide.http.path.replace("{slug}", slug)}`;

/** Guides are written for the usual address of development; a reader gets the one that the service has. */
export const withAddress = (text: string, baseUrl: string): string => text.replaceAll("http://127.0.0.1:8787", baseUrl);
