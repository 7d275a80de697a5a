import { describe, expect, test } from "vitest";
import { instagram } from "../../src/adapters/platforms/instagram/instagram.ts";
import type { Platform } from "../../src/adapters/platforms/platform.ts";
import { tiktok } from "../../src/adapters/platforms/tiktok.ts";
import { youtubeShorts } from "../../src/adapters/platforms/youtube-shorts.ts";
import { ytDlpFailure } from "../../src/adapters/ytdlp/ytdlp-failure.ts";

describe("complaints of yt-dlp", () => {
  test.each<[Platform, string, string]>([
    [
      instagram,
      "This content is only available for registered users who follow this account. Use --cookies",
      "private",
    ],
    [instagram, "Restricted Video: You must be 18 years old or over to see this video. Use --cookies", "ageGated"],
    [instagram, "There is no video in this post", "notVideo"],
    [instagram, "No video formats found!", "notVideo"],
    [
      instagram,
      "Unable to download webpage: HTTP Error 404: Not Found (caused by <HTTPError 404: Not Found>)",
      "deleted",
    ],
    [instagram, "The webpage request was redirected to the login page. You have exceeded the rate-limit", "walled"],
    [instagram, "Unable to download JSON metadata: HTTP Error 401: Unauthorized", "walled"],
    [instagram, "Unable to download webpage: HTTP Error 429: Too Many Requests", "walled"],
    [
      instagram,
      "Instagram sent an empty media response. Check if this post is accessible in your browser without being logged-in",
      "walled",
    ],
    [
      instagram,
      "Unable to download webpage: [Errno 111] Connection refused (caused by TransportError('Connection refused'))",
      "unreachable",
    ],
    [
      instagram,
      "Unable to download webpage: Failed to resolve 'www.instagram.com' ([Errno -3] Temporary failure)",
      "unreachable",
    ],
    [instagram, "Unable to download webpage: The read operation timed out", "unreachable"],
    [instagram, "Unable to download webpage: HTTP Error 503: Service Unavailable", "unreachable"],
    [instagram, "An extractor error has occurred. (caused by KeyError('items')); please report this issue", "changed"],
    [instagram, "yt-dlp: error: no such option: --brand-new", "changed"],
    [
      instagram,
      "The extractor specified to use impersonation for this download, but no impersonate target is available. If you encounter errors, then see https://github.com/yt-dlp/yt-dlp#impersonation",
      "installation",
    ],
    [instagram, 'Impersonate target "chrome" is not available. Use --list-impersonate-targets', "installation"],
    [instagram, "ModuleNotFoundError: No module named 'yt_dlp'", "installation"],
    [
      tiktok,
      "You do not have permission to view this post. Log into an account that has access. Use --cookies",
      "private",
    ],
    [tiktok, "This post may not be comfortable for some audiences. Log in for access. Use --cookies", "ageGated"],
    [tiktok, "TikTok is requiring login for access to this content. Use --cookies", "walled"],
    [tiktok, "Your IP address is blocked from accessing this post", "regionGated"],
    [tiktok, "Video not available, status code 10231; please report this issue", "deleted"],
    [tiktok, "Unable to solve JS challenge", "walled"],
    [tiktok, "Unexpected response from webpage request; please report this issue", "changed"],
    [tiktok, "No video formats found!", "notVideo"],
    [youtubeShorts, "Private video. Sign in if you've been granted access to this video. Use --cookies", "private"],
    [youtubeShorts, "Join this channel to get access to members-only content like this video", "private"],
    [youtubeShorts, "Sign in to confirm your age. This video may be inappropriate for some users.", "ageGated"],
    [youtubeShorts, "Video unavailable. The uploader has not made this video available in your country", "regionGated"],
    [youtubeShorts, "Sign in to confirm you’re not a bot. Use --cookies-from-browser or --cookies", "walled"],
    [
      youtubeShorts,
      "This content isn't available, try again later. The current session has been rate-limited by YouTube for up to an hour.",
      "walled",
    ],
    [youtubeShorts, "Video unavailable. This video has been removed by the uploader", "deleted"],
    [youtubeShorts, "This video isn't available anymore", "deleted"],
    [youtubeShorts, "This live event will begin in 3 hours.", "notVideo"],
    [youtubeShorts, "Requested format is not available. Use --list-formats", "notVideo"],
  ])("$name: %s", ({ ytDlp }, complaint, kind) => {
    const complaints = `WARNING: [x] unrelated, private\nERROR: [x] y: ${complaint}\n`;
    expect(ytDlpFailure(complaints, ytDlp.meanings).kind).toBe(kind);
  });

  test("a picture-only video without a JavaScript runtime is the installation's fault", () => {
    const warning =
      "WARNING: [youtube] x: n challenge solving failed: Some formats may be missing. Ensure you have a supported JavaScript runtime\n";
    const complaint = "ERROR: [youtube] x: Requested format is not available. Use --list-formats\n";
    expect(ytDlpFailure(warning + complaint, youtubeShorts.ytDlp.meanings).kind).toBe("installation");
    const gone = "ERROR: [youtube] x: Video unavailable. This video has been removed by the uploader\n";
    expect(ytDlpFailure(warning + gone, youtubeShorts.ytDlp.meanings).kind).toBe("deleted");
  });
});

describe("a yt-dlp that can't impersonate a browser", () => {
  const warning =
    "WARNING: [Instagram] x: The extractor specified to use impersonation for this download, but no impersonate target is available.";
  test.each([
    ["An extractor error has occurred. (caused by KeyError('items'))", "installation"],
    [
      "Instagram sent an empty media response. Check if this post is accessible without being logged-in",
      "installation",
    ],
    ["Unable to download webpage: HTTP Error 429: Too Many Requests", "walled"],
    ["Unable to download webpage: HTTP Error 404: Not Found", "deleted"],
    ["Restricted Video: You must be 18 years old or over to see this video.", "ageGated"],
  ])("%s", (complaint, kind) => {
    expect(ytDlpFailure(`${warning}\nERROR: [Instagram] x: ${complaint}\n`, instagram.ytDlp.meanings).kind).toBe(kind);
  });
});
