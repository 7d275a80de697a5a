import type { Output } from "../operation-types.ts";
import type { Page } from "./surroundings.ts";
import { showValue, table, wrapText } from "./text.ts";

export function productPage(overview: Output<"getProductOverview">, page: Page): string {
  const { name, description, features, reelUrls, languages, model, howItWorks, links } = overview;
  const text = (paragraph: string) => wrapText(paragraph, page.width).join("\n");
  return [
    `${page.bold(name)}\n${text(description)}`,
    table(
      features,
      [
        { title: "FEATURE", cell: ({ title }) => title },
        { title: "STATUS", cell: ({ status }) => status },
        { title: "WHAT IT DOES", cell: (feature) => feature.description },
      ],
      page,
    ),
    [page.dim("REELS"), ...reelUrls].join("\n"),
    table(
      languages,
      [
        { title: "LANGUAGE", cell: (language) => language.name },
        { title: "CODE", cell: ({ code }) => code },
        { title: "QUALITY", cell: ({ quality }) => quality },
        { title: `WITH ${model}`, cell: ({ meaning }) => meaning },
      ],
      page,
    ),
    ...Object.values(howItWorks).map(text),
    Object.values(links).join("\n"),
  ].join("\n\n");
}

export function plansPage(answer: Output<"getPlans">, page: Page): string {
  const { requestsPerHour: rates, transcriptionsCountedPer, keysPerAccount, free } = answer;
  const amount = ({ limit, period }: { limit: number | null; period: "lifetime" | "month" }) =>
    limit === null ? "unlimited" : `${showValue(limit)} ${period === "month" ? "a month" : "once"}`;
  return [
    table(
      answer.plans,
      [
        { title: "PLAN", cell: ({ name }) => name },
        { title: "A MONTH", right: true, cell: ({ dollarsPerMonth }) => `$${showValue(dollarsPerMonth)}` },
        { title: "TRANSCRIPTIONS", right: true, cell: ({ transcriptions }) => amount(transcriptions) },
        { title: "POSTS ANALYZED", right: true, cell: ({ posts }) => amount(posts) },
      ],
      page,
    ),
    [
      `Transcriptions are per ${transcriptionsCountedPer}; an account has up to ${keysPerAccount} keys.`,
      `In any hour a key may make ${showValue(rates.perKey)} calls, ${showValue(rates.transcriptionsPerKey)} of them transcriptions and ${showValue(rates.bioChangesPerKey)} changes of the bio page; without a key an address may make ${showValue(rates.perAddressWithoutKey)}.`,
      `Nothing is charged for ${free.join("; ")}.`,
    ]
      .map((line) => wrapText(line, page.width).join("\n"))
      .join("\n"),
  ].join("\n\n");
}
