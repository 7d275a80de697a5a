import type { BioAnalytics } from "@reelscript/contract";
import { Chip } from "../../components/chip.tsx";
import { exactNumber, percent } from "../../format/number.ts";
import { shownAddress } from "../../format/shown-address.ts";

/** Every link of the page, and deleted ones that were clicked in the period. */
export function LinkTable({ links }: Pick<BioAnalytics, "links">) {
  if (links.length === 0) return undefined;
  return (
    <section className="card" aria-labelledby="link-clicks">
      <h2 id="link-clicks">Links</h2>
      <table className="links">
        <thead>
          <tr>
            <th scope="col">Link</th>
            <th scope="col" className="number">
              Clicks
            </th>
            <th scope="col" className="number">
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {links.map(({ id, title, url, clicks, share, deleted }) => (
            <tr key={id}>
              <th scope="row">
                <span className="row wrap">
                  <b dir="auto">{title}</b>
                  {deleted && <Chip kind="outline">Deleted</Chip>}
                </span>
                <bdi className="meta">{shownAddress(url)}</bdi>
              </th>
              <td className="number">
                <b>{exactNumber(clicks)}</b>
              </td>
              <td className="number">{percent(share * 100, 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
