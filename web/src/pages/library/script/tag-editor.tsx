import { useId, useRef, useState, type RefObject } from "react";
import { cutVisible, tagLimits } from "@reelscript/contract/values";
import { queryClient } from "../../../api/call.ts";
import { operationQuery, useChange, useOperation } from "../../../api/use-operation.ts";
import { Button } from "../../../components/button.tsx";
import { Field } from "../../../components/field.tsx";
import { ErrorNote } from "../../../components/page.tsx";
import { useOpenScript } from "./open-script.ts";

const stale = ["getScript", "searchMyScripts", "listTags"] as const;

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The tags of the open script. Each change is saved immediately and leaves other people's changes alone. */
export function TagEditor() {
  const { id, tags = [] } = useOpenScript().script;
  const field = useRef<HTMLInputElement>(null);
  const change = useChange("tagScripts", {
    stale,
    onDone(_output, { add = [], remove = [] }) {
      const { queryKey } = operationQuery("getScript", { id, words: true });
      const newTags = [...tags.filter((tag) => !remove.includes(tag)), ...add].toSorted();
      queryClient.setQueryData(queryKey, (script) => script && { ...script, tags: newTags });
      // The pressed button is gone with its tag.
      field.current?.focus();
    },
  });
  return (
    <section className="stack tight tag-editor" aria-label="Tags">
      {tags.length > 0 && (
        <ul className="row wrap" aria-label="Tags of this script">
          {tags.map((tag) => (
            <li key={tag} className="tag row">
              <bdi>{tag}</bdi>
              <Button
                kind="ghost"
                size="small"
                icon="close"
                iconOnly
                onClick={() => change.isPending || change.mutate({ ids: [id], add: [], remove: [tag] })}
              >{`Remove the tag ${tag}`}</Button>
            </li>
          ))}
        </ul>
      )}
      <AddTag
        field={field}
        tags={tags}
        isBusy={change.isPending}
        onChange={change.reset}
        onAdd={(name, onDone) => change.mutate({ ids: [id], add: [name], remove: [] }, { onSuccess: onDone })}
      />
      <ErrorNote error={change.error} />
    </section>
  );
}

interface AddProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly tags: readonly string[];
  readonly isBusy: boolean;
  readonly onChange: () => void;
  /** `onDone` is called once the script has the tag. */
  readonly onAdd: (name: string, onDone: () => void) => void;
}

/** A field that suggests the account's other tags; Enter adds the typed one. */
function AddTag({ field, tags, isBusy, onChange, onAdd }: AddProps) {
  const listId = useId();
  const [typed, setTyped] = useState("");
  const names = (useOperation("listTags", {}).data?.tags ?? []).map(({ name }) => name);
  const [isRefused, setIsRefused] = useState(false);
  const isFull = tags.length >= tagLimits.perAccount;
  const name = typed.trim().normalize("NFC");
  const add = (): void => {
    if (name === "" || isBusy) return;
    if (tags.some((tag) => isSame(tag, name))) setTyped("");
    else if (isFull) setIsRefused(true);
    else onAdd(names.find((one) => isSame(one, name)) ?? name, () => setTyped(""));
  };
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Field
        label="Add a tag"
        labelHidden
        error={
          isRefused && isFull && `A script has at most ${tagLimits.perAccount} tags. Remove one, then add this one.`
        }
      >
        {(wiring) => (
          <input
            {...wiring}
            ref={field}
            className="input"
            dir="auto"
            placeholder="Add a tag"
            value={typed}
            list={listId}
            autoComplete="off"
            onChange={(event) => {
              setTyped(cutVisible(event.target.value, tagLimits.longest));
              setIsRefused(false);
              onChange();
            }}
          />
        )}
      </Field>
      <datalist id={listId}>
        {names
          .filter((one) => !tags.some((tag) => isSame(tag, one)))
          .map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
      </datalist>
      <Button type="submit" size="small" busy={isBusy && "Saving…"} disabled={name === ""}>
        Add
      </Button>
    </form>
  );
}
