import { bioLimits } from "@reelscript/contract/values";
import { useRef, useState } from "react";
import { useOperation } from "../../../api/use-operation.ts";
import { Button } from "../../../components/button.tsx";
import { EmptyState } from "../../../components/page.tsx";
import { showToast } from "../../../components/toast.tsx";
import { moveItem, newLink, type BioLink } from "../draft/content.ts";
import { useEditor, focusField } from "../draft/editor-context.tsx";
import { LinkRow } from "./link-row.tsx";
import { SortHint, useSortable } from "./use-sortable.tsx";

interface Props {
  readonly open: string | undefined;
  readonly onOpen: (id: string | undefined) => void;
}

export function LinksPanel({ open, onOpen }: Props) {
  const { content, edit } = useEditor();
  const { data: analytics } = useOperation("getBioAnalytics", { days: 30 });
  const heading = useRef<HTMLHeadingElement>(null);
  const [now] = useState(Date.now);
  const { links } = content;
  const { data: health } = useOperation("getBioLinkHealth", {});
  const failing = new Map(health?.failing.map((link) => [link.id, link]));
  const clicks = new Map(analytics?.links.map((link) => [link.id, link.clicks]));
  const change = (next: (links: readonly BioLink[]) => BioLink[], topic?: string): void =>
    edit((before) => ({ ...before, links: next(before.links) }), topic);

  const sorting = useSortable({
    ids: links.map(({ id }) => id),
    nameOf: (id) => links.find((link) => link.id === id)?.title || "Untitled",
    onMove: (from, to) => change((all) => moveItem(all, from, to)),
  });
  const add = (type: BioLink["type"]): void => {
    const link = newLink(type);
    change((all) => [...all, link]);
    onOpen(link.id);
    focusField(`links.${link.id}.title`);
  };
  const remove = (link: BioLink, index: number): void => {
    change((all) => all.filter(({ id }) => id !== link.id));
    heading.current?.focus();
    showToast(`“${link.title || "Untitled"}” was deleted.`, {
      undo: () => change((all) => (all.some(({ id }) => id === link.id) ? [...all] : all.toSpliced(index, 0, link))),
    });
  };
  const full = links.length >= bioLimits.links;
  return (
    <section className="stack tight" aria-labelledby="bio-links">
      <div className="row">
        <h2 id="bio-links" tabIndex={-1} ref={heading}>
          Links
        </h2>
        <span className="at-end row">
          <Button size="small" icon="plus" disabled={full} onClick={() => add("header")}>
            Header
          </Button>
          <Button size="small" icon="plus" disabled={full} onClick={() => add("link")}>
            Link
          </Button>
        </span>
      </div>
      {full && <p className="hint">A page has at most {bioLimits.links} links and headers.</p>}
      {links.length === 0 ? (
        <EmptyState title="No links yet">Add the first one: what should people open from your reels?</EmptyState>
      ) : (
        <ul className="links" {...sorting.listProps}>
          {sorting.inOrder(links).map((link) => (
            <LinkRow
              key={link.id}
              link={link}
              clicks={analytics === undefined ? undefined : (clicks.get(link.id) ?? 0)}
              failing={failing.get(link.id)}
              item={sorting.itemProps(link.id)}
              handle={sorting.handleProps(link.id)}
              isOpen={open === link.id}
              now={now}
              onToggle={() => onOpen(open === link.id ? undefined : link.id)}
              onEdit={(part, topic) =>
                change(
                  (all) => all.map((one) => (one.id === link.id ? { ...one, ...part } : one)),
                  topic && `links.${link.id}.${topic}`,
                )
              }
              onDelete={() => remove(link, links.indexOf(link))}
            />
          ))}
        </ul>
      )}
      <SortHint id={sorting.hintId} announcement={sorting.announcement} />
    </section>
  );
}
