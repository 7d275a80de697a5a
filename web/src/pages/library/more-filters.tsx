import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { cutVisible, savedSearchLimits } from "@reelscript/contract/values";
import { useChange, useOperation } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { ChangeDialog } from "../../components/dialog.tsx";
import { Input, Select } from "../../components/field.tsx";
import { ErrorNote } from "../../components/page.tsx";
import { exactNumber } from "../../format.ts";
import type { LibrarySearch } from "../page-search.ts";

const dates = [
  ["postedAfter", "Posted from"],
  ["postedBefore", "Posted before"],
  ["transcribedAfter", "Transcribed from"],
  ["transcribedBefore", "Transcribed before"],
] as const;

interface Props {
  readonly search: LibrarySearch;
  readonly onFilter: (change: LibrarySearch) => void;
}

const hasDateOrTag = (search: LibrarySearch): boolean =>
  search.tag !== undefined || dates.some(([name]) => search[name] !== undefined);

/** Less frequent filters, and saved searches. Nothing moves when they load. */
export function MoreFilters({ search, onFilter }: Props) {
  const [isOpen, setIsOpen] = useState(hasDateOrTag(search));
  return (
    <details className="more-filters" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="meta">Tags, dates and saved searches</summary>
      {isOpen && <Fields search={search} onFilter={onFilter} />}
    </details>
  );
}

function Fields({ search, onFilter }: Props) {
  const tags = useOperation("listTags", {}).data?.tags ?? [];
  const names = [...new Set([...(search.tag === undefined ? [] : [search.tag]), ...tags.map(({ name }) => name)])];
  return (
    <div className="stack tight">
      <div className="row wrap filters">
        <Select
          label="Tag"
          value={search.tag ?? ""}
          options={[
            { value: "", label: "All tags" },
            ...names.map((name) => {
              const scripts = tags.find((tag) => tag.name === name)?.scripts;
              return { value: name, label: scripts === undefined ? name : `${name} (${exactNumber(scripts)})` };
            }),
          ]}
          onChange={(value) => onFilter({ tag: value || undefined })}
        />
        {dates.map(([name, label]) => (
          <Input
            key={name}
            label={label}
            type="date"
            value={search[name] ?? ""}
            onChange={(event) => onFilter({ [name]: event.target.value || undefined })}
          />
        ))}
      </div>
      <SavedSearches search={search} />
    </div>
  );
}

function SavedSearches({ search }: { readonly search: LibrarySearch }) {
  const { data } = useOperation("listSavedSearches", {});
  const [isNaming, setIsNaming] = useState(false);
  const remove = useChange("deleteSavedSearch", { stale: ["listSavedSearches"] });
  const isEmpty = Object.values(search).every((value) => value === undefined);
  return (
    <div className="row wrap">
      {data?.searches.map(({ id, name, search: saved }) => (
        <span key={id} className="row saved-search">
          <Link to="/library" search={saved as LibrarySearch}>
            {name}
          </Link>
          <Button
            kind="ghost"
            size="small"
            icon="close"
            iconOnly
            onClick={() => remove.mutate({ id })}
          >{`Delete the search ${name}`}</Button>
        </span>
      ))}
      <Button size="small" disabled={isEmpty} onClick={() => setIsNaming(true)}>
        Save this search
      </Button>
      <ErrorNote error={remove.error} />
      {isNaming && <NameDialog search={search} onClose={() => setIsNaming(false)} />}
    </div>
  );
}

function NameDialog({ search, onClose }: { readonly search: LibrarySearch; readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const save = useChange("saveSearch", { stale: ["listSavedSearches"], onDone: onClose });
  return (
    <ChangeDialog
      title="Save this search"
      about={`You can keep ${savedSearchLimits.perAccount}. The address of this page is a search, too: you can bookmark it.`}
      action="Save"
      busy="Saving…"
      change={save}
      onClose={onClose}
      onSubmit={() => {
        if (name.trim() !== "") save.mutate({ name, search });
      }}
    >
      <Input
        label="Name"
        value={name}
        required
        onChange={(event) => setName(cutVisible(event.target.value, savedSearchLimits.longestName))}
      />
    </ChangeDialog>
  );
}
