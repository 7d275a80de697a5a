import { paletteKeys, type Overlay } from "./use-palette.ts";
import { Dialog } from "../../components/dialog.tsx";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState, type KeyboardEvent } from "react";
import { Icon } from "../../components/icon.tsx";
import { usePaletteEntries, type PaletteEntry } from "./use-palette-entries.ts";

const shortcuts: readonly { readonly keys: readonly string[]; readonly what: string }[] = [
  { keys: paletteKeys, what: "Search, or go to a page" },
  { keys: ["/"], what: "Search on this page" },
  { keys: ["↓", "↑"], what: "Move between results" },
  { keys: ["Enter"], what: "Transcribe the pasted links" },
  { keys: ["Shift", "Enter"], what: "New line" },
  { keys: [paletteKeys[0], "Z"], what: "Undo a bio page change" },
  { keys: [paletteKeys[0], "Shift", "Z"], what: "Redo a bio page change" },
  { keys: ["?"], what: "This list" },
];

function Shortcuts({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <table className="shortcuts">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Keys</th>
            <th scope="col">What they do</th>
          </tr>
        </thead>
        <tbody>
          {shortcuts.map(({ keys, what }) => (
            <tr key={what}>
              <td>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </td>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

interface Props {
  readonly shown: Overlay;
  readonly onClose: () => void;
}

/** What lies over the page. Not part of the first load. */
export const Overlays = ({ shown, onClose }: Props) => (
  <>
    <Dialog
      open={shown === "palette"}
      onClose={onClose}
      title={<span className="visually-hidden">Search or go to</span>}
    >
      <Palette onClose={onClose} />
    </Dialog>
    <Shortcuts open={shown === "shortcuts"} onClose={onClose} />
  </>
);

function Palette({ onClose }: Pick<Props, "onClose">) {
  const id = useId();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState<string>();
  const { entries, isSearching } = usePaletteEntries(typed);
  const chosen = Math.max(
    0,
    entries.findIndex((entry) => entry.id === active),
  );
  const follow = ({ to, search, run }: PaletteEntry): void => {
    onClose();
    run?.();
    if (to !== undefined) void navigate({ to, search: search ?? {} });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const entry = entries[chosen];
    if (step !== 0) {
      event.preventDefault();
      const next = entries[(chosen + step + entries.length) % Math.max(1, entries.length)];
      setActive(next?.id);
      document.querySelector(`#${CSS.escape(`${id}-${next?.id}`)}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && entry !== undefined) {
      event.preventDefault();
      follow(entry);
    }
  };
  return (
    <div className="palette">
      <div className="search">
        <Icon name="search" />
        <input
          className="input"
          role="combobox"
          aria-label="Search or go to"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={entries[chosen] && `${id}-${entries[chosen].id}`}
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
          dir="auto"
          placeholder="A page, words in your library, a reel link"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog is opened to type into it
          autoFocus
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setActive(undefined);
          }}
          onKeyDown={onKey}
        />
      </div>
      <div role="listbox" id={`${id}-list`} aria-label="Results" aria-busy={isSearching}>
        {entries.map((entry, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field keeps the focus and takes the keys
          <div
            key={entry.id}
            id={`${id}-${entry.id}`}
            role="option"
            aria-selected={index === chosen}
            onPointerMove={() => setActive(entry.id)}
            onClick={() => follow(entry)}
          >
            <Icon name={entry.icon} />
            <span className="one-line" dir="auto">
              {entry.label}
            </span>
            {entry.hint && (
              <span className="meta one-line">
                <bdi>{entry.hint}</bdi>
              </span>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
