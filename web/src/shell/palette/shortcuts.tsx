import { Dialog } from "../../components/dialog.tsx";
import { paletteKeys } from "./use-palette.ts";

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

export function Shortcuts({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
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
