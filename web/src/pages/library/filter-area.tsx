import { useState } from "react";
import { useMedia } from "../../components/use-media.ts";
import { exactNumber } from "../../format.ts";
import type { LibrarySearch } from "../page-search.ts";
import { LibraryFilters, type LibraryFilter, type Sort } from "./library-filters.tsx";
import { MoreFilters } from "./more-filters.tsx";

interface Props {
  readonly search: LibrarySearch;
  readonly filter: LibraryFilter;
  readonly sort: Sort;
  readonly onChange: (change: LibrarySearch) => void;
}

/** All filters; on phones they are folded, so that the first script is in the first screen. */
export function FilterArea({ search, filter, sort, onChange }: Props) {
  const isNarrow = useMedia("(max-width: 820px)");
  const [isOpen, setIsOpen] = useState(false);
  const filters = (
    <>
      <LibraryFilters
        filter={filter}
        sort={sort}
        onFilter={onChange}
        onSort={(order) => onChange({ sort: order === "date" ? undefined : order })}
      />
      <MoreFilters search={search} onFilter={onChange} />
    </>
  );
  if (!isNarrow) return <div className="stack tight">{filters}</div>;
  const active = Object.values(filter).filter((value) => value !== undefined).length + (sort === "date" ? 0 : 1);
  return (
    <details className="folded-filters" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="meta">Filters and sorting{active > 0 && ` (${exactNumber(active)})`}</summary>
      {isOpen && <div className="stack tight">{filters}</div>}
    </details>
  );
}
