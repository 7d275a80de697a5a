import { useId, useRef, type ReactNode } from "react";

interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: ReactNode;
  readonly content: () => ReactNode;
}

interface Props<Name extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
}

/** Arrow keys go from tab to tab. For tabs that are pages of their own use `TabLinks`. */
export function Tabs<Name extends string>({ label, tabs, chosen, onChoose }: Props<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const current = tabs.find(({ name }) => name === chosen) ?? tabs[0];
  const choose = (index: number): void => {
    const next = (index + tabs.length) % tabs.length;
    onChoose(tabs[next]!.name); // safe: within the length
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  const onKey = (key: string, index: number): boolean => {
    const forward = getComputedStyle(list.current!).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    if (key === "Home") choose(0);
    else if (key === "End") choose(tabs.length - 1);
    else if (key === "ArrowLeft" || key === "ArrowRight") choose(index + (key === forward ? 1 : -1));
    else return false;
    return true;
  };
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} ref={list}>
        {tabs.map((tab, index) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            aria-selected={tab === current}
            aria-controls={`${id}-panel`}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => onChoose(tab.name)}
            onKeyDown={(event) => {
              if (onKey(event.key, index)) event.preventDefault();
            }}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {current && (
        <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current.name}`}>
          {current.content()}
        </div>
      )}
    </>
  );
}
