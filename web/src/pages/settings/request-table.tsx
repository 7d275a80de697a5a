import { summaries } from "@reelscript/contract/summaries";
import type { Output } from "@reelscript/client/core";
import { Chip, Moment } from "../../components/inline.tsx";
import { TableHead } from "../../components/table-head.tsx";

type KeyRequest = Output<"listKeyRequests">["requests"][number];

export function RequestTable({ requests }: { readonly requests: readonly KeyRequest[] }) {
  return (
    <table className="requests" aria-label="Recent requests">
      <TableHead columns={["Time", "Operation", "Via", "Result"]} />
      <tbody>
        {requests.map(({ at, operation, door, status }, index) => (
          <tr key={`${at} ${index}`}>
            <td className="meta">
              <Moment at={at} style="log" />
            </td>
            <td>{summaries[operation] ?? operation}</td>
            <td className="meta">{door === "rest" ? "REST" : "MCP"}</td>
            <td>
              <Chip kind={statusKind(status)}>
                <bdi>{status}</bdi> {statusMeaning(status)}
              </Chip>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const meanings: Readonly<Record<number, string>> = {
  200: "Done",
  202: "In progress",
  400: "Invalid request",
  401: "No valid key",
  403: "Quota used up",
  404: "Not found",
  405: "Wrong method",
  409: "Already in progress",
  412: "Changed in the meantime",
  413: "Too large",
  415: "Wrong format",
  422: "Can’t be processed",
  429: "Rate limited",
  502: "Platform unreachable",
  503: "Unavailable",
};

export function statusMeaning(status: number): string {
  const known = meanings[status];
  if (known !== undefined) return known;
  if (status >= 500) return "Our error";
  if (status >= 400) return "Refused";
  return "Done";
}

/** ok; warn: passes by itself; bad: does not. */
export function statusKind(status: number): "ok" | "warn" | "bad" {
  if (status < 400) return "ok";
  return status === 409 || status === 429 || status >= 500 ? "warn" : "bad";
}
