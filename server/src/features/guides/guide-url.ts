import { operations, restBasePath } from "@reelscript/contract";

export const guideUrl = (baseUrl: string, slug: string): string =>
  `${baseUrl}${restBasePath}${operations.getGuide.http.path.replace("{slug}", slug)}`;
