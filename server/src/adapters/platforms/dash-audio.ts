/** Sound in a codec that every decoder knows; xHE-AAC (`mp4a.40.42`) is none. */
const commonAudio = /\bcodecs="(mp4a\.40\.(?:2|5|29)|opus)"/;

/**
 * Address of the smallest audio track of an MPEG-DASH manifest of whole files (one `BaseURL` per track, no segments), or
 * `undefined`.
 */
export function dashAudioUrl(manifest: string): string | undefined {
  const tracks = manifest
    .split("<Representation")
    .slice(1)
    .flatMap((track) => {
      const [attributes = "", ...content] = (track.split("</Representation>", 1)[0] ?? "").split(">");
      const url = /<BaseURL[^<>]*>([^<]+)<\/BaseURL>/.exec(content.join(">"))?.[1]?.trim();
      if (url === undefined || !commonAudio.test(attributes)) return [];
      return [{ url: unescapeXml(url), bandwidth: Number(/\bbandwidth="(\d+)"/.exec(attributes)?.[1] ?? Infinity) }];
    });
  const [smallest] = tracks.toSorted((one, other) => one.bandwidth - other.bandwidth);
  return smallest !== undefined && URL.canParse(smallest.url) ? smallest.url : undefined;
}

/** Seconds that an MPEG-DASH manifest states, or `undefined`. */
export function dashSeconds(manifest: string): number | undefined {
  const stated = /\bmediaPresentationDuration="PT(?:(\d{1,3})H)?(?:(\d{1,3})M)?(?:([\d.]{1,12})S)?"/.exec(manifest);
  if (stated === null) return undefined;
  const [hours, minutes, seconds] = stated.slice(1).map((part) => Number(part ?? 0));
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0) || undefined;
}

function unescapeXml(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}
