// A service that asks yt-dlp for a reel, to be killed meanwhile.
import { instagram } from "../../dist/adapters/platforms/instagram/instagram.js";
import { createYtDlpSource } from "../../dist/adapters/ytdlp/ytdlp-source.js";

const { settings, reel } = JSON.parse(process.argv[2]);
await createYtDlpSource({ ...settings, platform: instagram }).resolve(reel, new AbortController().signal);
