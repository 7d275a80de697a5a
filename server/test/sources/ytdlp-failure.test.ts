import { describe, expect, test } from "vitest";
import { instagram } from "../../src/adapters/platforms/instagram/instagram.ts";
import { ytDlpFailure } from "../../src/adapters/ytdlp/ytdlp-failure.ts";

describe("complaints of yt-dlp", () => {
  test.each([
    ["This content is only available for registered users who follow this account. Use --cookies", "private"],
    ["Restricted Video: You must be 18 years old or over to see this video. Use --cookies", "ageGated"],
    ["There is no video in this post", "notVideo"],
    ["No video formats found!", "notVideo"],
    ["Unable to download webpage: HTTP Error 404: Not Found (caused by <HTTPError 404: Not Found>)", "deleted"],
    ["The webpage request was redirected to the login page. You have exceeded the rate-limit", "walled"],
    ["Unable to download JSON metadata: HTTP Error 401: Unauthorized", "walled"],
    ["Unable to download webpage: HTTP Error 429: Too Many Requests", "walled"],
    [
      "Instagram sent an empty media response. Check if this post is accessible in your browser without being logged-in",
      "walled",
    ],
    [
      "Unable to download webpage: [Errno 111] Connection refused (caused by TransportError('Connection refused'))",
      "unreachable",
    ],
    ["Unable to download webpage: Failed to resolve 'www.instagram.com' ([Errno -3] Temporary failure)", "unreachable"],
    ["Unable to download webpage: The read operation timed out", "unreachable"],
    ["Unable to download webpage: HTTP Error 503: Service Unavailable", "unreachable"],
    ["An extractor error has occurred. (caused by KeyError('items')); please report this issue", "changed"],
    ["yt-dlp: error: no such option: --brand-new", "changed"],
    [
      "The extractor specified to use impersonation for this download, but no impersonate target is available. If you encounter errors, then see https://github.com/yt-dlp/yt-dlp#impersonation",
      "installation",
    ],
    ['Impersonate target "chrome" is not available. Use --list-impersonate-targets', "installation"],
    ["ModuleNotFoundError: No module named 'yt_dlp'", "installation"],
  ])("%s", (complaint, kind) => {
    const complaints = `WARNING: [Instagram] unrelated, private\nERROR: [Instagram] DLlGZiCOBQ0: ${complaint}\n`;
    expect(ytDlpFailure(complaints, instagram.ytDlpMeanings).kind).toBe(kind);
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
    expect(ytDlpFailure(`${warning}\nERROR: [Instagram] x: ${complaint}\n`, instagram.ytDlpMeanings).kind).toBe(kind);
  });
});
