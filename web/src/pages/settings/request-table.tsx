import { operationSummaries } from "virtual:operation-summaries";
import type { Output } from "../../api/operation-types.ts";
import { Chip } from "../../components/chip.tsx";
import { exactDate } from "../../format/date.ts";
import { logTime } from "./log-time.ts";
import { statusKind, statusMeaning } from "./status-meaning.ts";

type KeyRequest = Output<"listKeyRequests">["requests"][number];

export function RequestTable({ requests }: { readonly requests: readonly KeyRequest[] }) {
  return (
    <table className="requests" aria-label="Recent requests">
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Operation</th>
          <th scope="col">Via</th>
          <th scope="col">Result</th>
        </tr>
      </thead>
      <tbody>
        {requests.map(({ at, operation, door, status }, index) => (
          <tr key={`${at} ${index}`}>
            <td className="meta">
              <LogTime at={at} />
            </td>
            <td>{operationSummaries[operation] ?? operation}</td>
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

function LogTime({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exactDate(at)}>
      <bdi>{logTime(at)}</bdi>
    </time>
  );
}
