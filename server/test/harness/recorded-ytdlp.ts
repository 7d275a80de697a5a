import { writeFile } from "node:fs/promises";
import path from "node:path";

interface Video {
  readonly id: string;
  readonly seconds: number;
  readonly isLive?: boolean;
  /** Printed as an error instead of the video's facts. */
  readonly complaint?: string;
  /** Content of the media file. */
  readonly media?: string;
  readonly handle?: string;
  readonly description?: string;
}

/**
 * A program that replaces yt-dlp for YouTube, whose player nobody can imitate: it prints the same fields as the extractor of
 * yt-dlp 2026.10.26, and applies its filters. Returns its path.
 */
export async function recordedYtDlp(folder: string, videos: readonly Video[]): Promise<string> {
  const file = path.join(folder, "yt-dlp");
  const answers = Object.fromEntries(
    videos.map(({ id, complaint, media, ...video }) => [
      `https://www.youtube.com/shorts/${id}`,
      complaint === undefined
        ? { information: informationOf({ id, ...video }), media }
        : { complaint: `ERROR: [youtube] ${id}: ${complaint}` },
    ]),
  );
  await writeFile(file, `#!${process.execPath}\nconst answers = ${JSON.stringify(answers)};\n${program}`, {
    mode: 0o755,
  });
  return file;
}

const program = `
const fs = require("node:fs");
const args = process.argv.slice(2);
const valueOf = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
if (args.includes("--version")) console.log("2026.10.26");
else if (args.includes("--list-impersonate-targets")) console.log("-".repeat(20) + "\\nChrome  -  curl_cffi");
else {
  const { information, media, complaint } = answers[args.at(-1)] ?? { complaint: "ERROR: [youtube] Video unavailable" };
  const [, most] = /^!is_live & duration<=(\\d+)$/.exec(valueOf("--match-filters")) ?? [];
  if (complaint) {
    console.error(complaint);
    process.exitCode = 1;
  } else if (!information.is_live && information.duration <= Number(most)) {
    console.log(JSON.stringify(information));
    const output = valueOf("--output");
    if (output && media) fs.copyFileSync(media, output.replaceAll("%%", "%"));
    process.exitCode = 101;
  }
}
`;

function informationOf({ id, seconds, isLive = false, handle = "lena.bakes", description = "Nine loaves" }: Video) {
  return {
    id,
    title: description,
    fulltitle: description,
    description,
    channel: "Lena Bakes",
    channel_id: "UCxxxxxxxxxxxxxxxxxxxxxx",
    uploader: "Lena Bakes",
    uploader_id: `@${handle}`,
    uploader_url: `https://www.youtube.com/@${handle}`,
    duration: isLive ? null : seconds,
    is_live: isLive,
    live_status: isLive ? "is_live" : "not_live",
    media_type: seconds <= 180 ? "short" : "video",
    view_count: 1_284_903,
    like_count: 79_118,
    comment_count: 3_100,
    timestamp: 1_793_000_000,
    availability: "public",
    age_limit: 0,
    webpage_url: `https://www.youtube.com/shorts/${id}`,
    extractor: "youtube",
    extractor_key: "Youtube",
    thumbnails: [
      { url: `https://i.ytimg.com/vi/${id}/3.jpg`, preference: -37, id: "0" },
      { url: `https://i.ytimg.com/vi/${id}/hqdefault.jpg`, height: 360, width: 480, preference: -7, id: "32" },
      { url: `https://i.ytimg.com/vi/${id}/oardefault.jpg`, height: 1920, width: 1080, preference: -1, id: "40" },
      { url: `https://i.ytimg.com/vi_webp/${id}/maxresdefault.webp`, preference: 0, id: "41" },
    ],
    formats: [
      {
        format_id: "sb0",
        format_note: "storyboard",
        ext: "mhtml",
        acodec: "none",
        vcodec: "none",
        width: 27,
        height: 48,
      },
      { format_id: "140", ext: "m4a", acodec: "mp4a.40.2", vcodec: "none", width: null, height: null, language: "en" },
      { format_id: "251", ext: "webm", acodec: "opus", vcodec: "none", width: null, height: null, language: "en" },
      { format_id: "248", ext: "webm", acodec: "none", vcodec: "vp9", width: 1080, height: 1920 },
    ],
    format_id: "140",
    ext: "m4a",
    acodec: "mp4a.40.2",
    vcodec: "none",
    width: null,
    height: null,
  };
}
