import { codeIn } from "../platform/place.ts";

export interface Tile {
  readonly code: string;
  readonly link: HTMLAnchorElement;
}

/** The reels that the page shows in a grid: links with a picture in them. */
export function gridTiles(): readonly Tile[] {
  const tiles: Tile[] = [];
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href*="/reel/"], a[href*="/p/"]')) {
    if (link.querySelector("img, video, [style*='background']") === null) continue;
    const code = codeIn(link.href);
    if (code !== undefined) tiles.push({ code, link });
  }
  return tiles;
}
