import * as z from "zod";
import { atMostVisible } from "../at-most-visible.ts";
import { Id, onOne, operation } from "../operation.ts";
import { longestReportTitle } from "../values/limits.ts";
import { reportLinksPerAccount } from "../values/plans.ts";

export const ReportLink = z
  .object({
    id: z.string(),
    url: z
      .url()
      .meta({ description: "Address of the report; anyone who has it can read the report without an account." }),
    reportId: z.string(),
    handle: z.string(),
    title: z.string().optional().meta({ description: "Title above the report, written by the owner." }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "ReportLink" });

const common = { section: "Reports", access: "session" } as const;

export const listReportLinks = operation({
  ...common,
  summary: "List the links of reports",
  description: "Reports that anybody with their link can read, the newest link first.",
  http: { method: "GET", path: "/report-links" },
  output: z.object({ links: z.array(ReportLink), limit: z.int() }),
});

export const createReportLink = operation({
  ...common,
  ...onOne("rep"),
  summary: "Share a report",
  description: `Creates the report's link, or returns the one that it has, with the new title. At most ${reportLinksPerAccount} reports can be shared.`,
  http: { method: "POST", path: "/competitor-reports/{id}/share-link" },
  input: z.strictObject({
    id: Id,
    title: atMostVisible(z.string().trim().min(1), longestReportTitle).optional().meta({
      description: "Title above the report in place of ours, such as the name of an agency.",
    }),
  }),
  output: z.object({ link: ReportLink }),
  errors: ["notFound", "limitReached"],
  reasons: ["shareLinksUsed"],
});

export const revokeReportLink = operation({
  ...common,
  ...onOne("rpl"),
  summary: "Revoke the link of a report",
  description: "The link stops working immediately. Sharing the report again creates another link.",
  http: { method: "DELETE", path: "/report-links/{id}" },
});
