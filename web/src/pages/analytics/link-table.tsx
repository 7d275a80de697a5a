import type { BioAnalytics } from "@reelscript/contract";
import { Chip } from "../../components/inline.tsx";
import { TableHead } from "../../components/page.tsx";
import { ScrolledTable } from "../../components/scrolled-table.tsx";
import { exactNumber, percent, shownAddress } from "../../format.ts";

/** The links of a bio page, with their clicks. */
export function LinkTable({ links }: Pick<BioAnalytics, "links">) {
  if (links.length === 0) return undefined;
  return (
    <section className="card" aria-labelledby="link-clicks">
      <h2 id="link-clicks">Links</h2>
      <ScrolledTable className="link-clicks" headingId="link-clicks">
        <TableHead columns={["Link", { figures: "Clicks" }, { figures: "Share" }]} />
        <tbody>
          {links.map(({ id, title, url, clicks, share, deleted }) => (
            <tr key={id}>
              <th scope="row">
                <p>
                  <b className="semibold" dir="auto">
                    {title}
                  </b>{" "}
                  {deleted && <Chip kind="outline">Deleted</Chip>}
                </p>
                <bdi className="meta">{shownAddress(url)}</bdi>
              </th>
              <td className="number">
                <b className="semibold">{exactNumber(clicks)}</b>
              </td>
              <td className="number">{percent(share * 100, 0)}</td>
            </tr>
          ))}
        </tbody>
      </ScrolledTable>
    </section>
  );
}
