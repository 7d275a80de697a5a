import { useOperation } from "../../api/use-operation.ts";
import { Select } from "../../components/field.tsx";
import { exactNumber } from "../../format/number.ts";
import type { LibrarySearch } from "../../router/page-search.ts";

export type Sort = NonNullable<LibrarySearch["sort"]>;

const sorts: readonly { readonly value: Sort; readonly label: string }[] = [
  { value: "date", label: "Last added" },
  { value: "views", label: "Most views" },
  { value: "engagement", label: "Most engagement" },
];

interface Props {
  readonly account: string | undefined;
  readonly sort: Sort;
  readonly onAccount: (account: string | undefined) => void;
  readonly onSort: (sort: Sort) => void;
}

export function LibraryFilters({ account, sort, onAccount, onSort }: Props) {
  const { data } = useOperation("listScriptAccounts", {});
  const known = data?.accounts ?? [];
  const same = (handle: string): boolean => handle.toLowerCase() === account?.toLowerCase();
  const chosen = known.find(({ handle }) => same(handle))?.handle ?? account ?? "";
  const options = [
    { value: "", label: "All accounts" },
    ...(chosen !== "" && !known.some(({ handle }) => same(handle)) ? [{ value: chosen, label: `@${chosen}` }] : []),
    ...known.map(({ handle, scripts }) => ({ value: handle, label: `@${handle} (${exactNumber(scripts)})` })),
  ];
  return (
    <div className="filters">
      <Select
        label="Account"
        labelHidden
        value={chosen}
        options={options}
        onChange={(value) => onAccount(value === "" ? undefined : value)}
      />
      <Select label="Sort" labelHidden value={sort} options={sorts} onChange={onSort} />
    </div>
  );
}
