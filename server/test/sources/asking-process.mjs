// A service that asks yt-dlp for a reel, to be killed meanwhile.
import { createYtDlpSource } from "../../dist/adapters/ytdlp/ytdlp-source.js";

const { settings, reel } = JSON.parse(process.argv[2]);
await createYtDlpSource(settings).resolve(reel, new AbortController().signal);
