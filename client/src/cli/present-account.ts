import type { Output } from "../operation-types.ts";
import type { Page } from "./surroundings.ts";
import { lines, showValue, table } from "./text.ts";

/** Shows the account and key that call, and how much of each limit is left. */
export function mePage({ account, key, transcriptions, rateLimits }: Output<"getMe">, page: Page): string {
  const limits = [
    { name: "All calls", ...rateLimits.default },
    { name: "Transcriptions", ...rateLimits.transcribe },
    { name: "Bio changes", ...rateLimits.bioWrite },
  ];
  const { used, limit, resetsAt } = transcriptions;
  return [
    lines(
      [
        ["Account", `${account.email} (${account.plan})`],
        ["Since", showValue(account.createdAt)],
        ["Key", key === null ? "–" : keyLine(key)],
        [
          "Transcriptions",
          `${showValue(used)} of ${showValue(limit)} used${resetsAt === null ? "" : `, renewed ${showValue(resetsAt)}`}`,
        ],
      ],
      page,
    ),
    table(
      limits,
      [
        { title: "IN AN HOUR", cell: ({ name }) => name },
        { title: "LEFT", right: true, cell: ({ remaining }) => showValue(remaining) },
        { title: "OF", right: true, cell: (one) => showValue(one.limit) },
      ],
      page,
    ),
  ].join("\n\n");
}

const keyLine = ({ name, lastFour, readOnly, expiresAt }: NonNullable<Output<"getMe">["key"]>): string =>
  [
    `${name} (…${lastFour})`,
    ...(readOnly ? ["read-only"] : []),
    ...(expiresAt === null ? [] : [`expires ${showValue(expiresAt)}`]),
  ].join(", ");

/** A reel before it is transcribed. */
export function reelPage(reel: Output<"resolveReel">, page: Page): string {
  const { author, dimensions, durationSeconds, transcript } = reel;
  return lines(
    [
      ["Reel", reel.url],
      ["Account", author.handle === null ? "–" : `@${author.handle}${author.verified ? " (verified)" : ""}`],
      ["Caption", showValue(reel.caption)],
      ["Posted", showValue(reel.postedAt)],
      ["Views", showValue(reel.views)],
      ["Likes", showValue(reel.likes)],
      ["Comments", showValue(reel.comments)],
      [
        "Video",
        [
          durationSeconds === null ? undefined : `${showValue(durationSeconds)} s`,
          dimensions === null ? undefined : `${dimensions.width} × ${dimensions.height}`,
        ]
          .filter((part) => part !== undefined)
          .join(", ") || "–",
      ],
      ["Transcribing", transcript.cost === 0 ? "free, from the shared cache" : "1 transcription"],
    ],
    page,
  );
}
