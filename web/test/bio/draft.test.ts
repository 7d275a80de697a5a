import { BioContent } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { changesInWords, patchOf } from "../../src/pages/bio/draft/changes-between.ts";
import {
  draftOf,
  openEditor,
  reduceEditor,
  rebase,
  type EditorAction,
  type EditorState,
} from "../../src/pages/bio/draft/editor-state.ts";
import { moveItem, positionAfterDrag } from "../../src/pages/bio/draft/content.ts";
import { previewContent } from "../../src/pages/bio/draft/preview-content.ts";
import { problemsOf } from "../../src/pages/bio/draft/problems-of.ts";

const linkOf = (id: string, title = id): BioContent["links"][number] => ({
  id,
  type: "link",
  title,
  url: `https://example.com/${id}`,
  thumbnailUrl: null,
  enabled: true,
  highlighted: false,
  startsAt: null,
  endsAt: null,
});
const content = (part: Partial<BioContent> = {}): BioContent => ({ ...BioContent.parse({}), ...part });
const pageOf = (revision: number, part: Partial<BioContent> = {}) => ({
  ...content(part),
  handle: null,
  url: null,
  revision,
  updatedAt: revision === 0 ? null : "2026-11-21T10:00:00.000Z",
  takenDownAt: null,
});

describe("the patch of a draft", () => {
  const base = content({ displayName: "Lena", links: [linkOf("a"), linkOf("b")] });

  test("holds what differs and nothing else", () => {
    expect(patchOf(base, { ...base })).toEqual({});
    const theme = { ...base.theme, colors: { ...base.theme.colors, button: "#7a4a21" } };
    expect(patchOf(base, { ...base, displayName: null, theme })).toEqual({
      displayName: null,
      theme: { colors: { button: "#7a4a21" } },
    });
  });

  test("takes a background away, and changes one of another kind whole", () => {
    const withColor = content({ theme: { ...base.theme, background: { type: "color", value: "#fff" } } });
    expect(patchOf(withColor, base)).toMatchObject({ theme: { background: null } });
    const image = { type: "image", value: "https://example.com/a.jpg" } as const;
    expect(patchOf(withColor, { ...withColor, theme: { ...base.theme, background: image } })).toMatchObject({
      theme: { background: image },
    });
  });

  test("repeats the page's ids, without those of new and deleted links", () => {
    const links = [linkOf("b"), linkOf("new-1"), linkOf("gone")];
    expect(patchOf(base, { ...base, links }).links?.map(({ id }) => id)).toEqual(["b", undefined, undefined]);
  });
});

describe("changes", () => {
  const before = content({ links: [linkOf("a"), linkOf("b"), linkOf("c")] });
  const changesTo = (part: Partial<BioContent>): string[] => changesInWords(before, { ...before, ...part });

  test("are counted as their owner would", () => {
    expect(changesTo({})).toEqual([]);
    expect(changesTo({ links: [linkOf("c"), linkOf("a"), linkOf("b")] })).toEqual(["Order of links"]);
    expect(changesTo({ links: [linkOf("a"), linkOf("c")] })).toEqual(["“b” is gone"]);
    expect(changesTo({ links: [linkOf("n"), linkOf("a", "A"), linkOf("b"), linkOf("c")] })).toEqual([
      "“n” is new",
      "“A” changed",
    ]);
    const socials = [{ platform: "tiktok", url: "https://www.tiktok.com/@a", handle: null }] as const;
    expect(changesTo({ displayName: "Lena", socials: [...socials] })).toEqual(["Profile on TikTok is new", "Name"]);
  });
});

describe("two who change the same page", () => {
  const base = content({ displayName: "Lena", bio: "Bread.", links: [linkOf("a"), linkOf("b"), linkOf("c")] });

  test("both keep what only they changed; of the same field mine stays", () => {
    const mine = { ...base, displayName: "Mine", theme: { ...base.theme, font: "mono" as const } };
    const theirs = { ...base, displayName: "Theirs", bio: "Cake.", theme: { ...base.theme, preset: "rose" as const } };
    expect(rebase(base, mine, theirs)).toMatchObject({
      displayName: "Mine",
      bio: "Cake.",
      theme: { font: "mono", preset: "rose" },
    });
  });

  test("have their links joined one by one", () => {
    const mine = { ...base, links: [linkOf("c"), linkOf("a", "A of mine"), linkOf("b"), linkOf("new-1")] };
    const theirs = { ...base, links: [{ ...linkOf("a"), highlighted: true }, linkOf("c"), linkOf("d")] };
    expect(rebase(base, mine, theirs).links).toEqual([
      linkOf("c"),
      { ...linkOf("a", "A of mine"), highlighted: true },
      linkOf("new-1"),
      linkOf("d"),
    ]);
  });

  test("delete links, unless the other changed them", () => {
    const mine = { ...base, links: [linkOf("a"), linkOf("b")] };
    const changed = { ...base, links: [linkOf("a"), linkOf("b"), linkOf("c", "C")] };
    expect(rebase(base, mine, { ...base, bio: "Cake." }).links).toEqual(mine.links);
    expect(rebase(base, mine, changed).links.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(rebase(base, changed, mine).links.map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });
});

describe("the editor", () => {
  const run = (state: EditorState, ...actions: EditorAction[]): EditorState => actions.reduce(reduceEditor, state);
  const rename = (displayName: string, topic?: string): EditorAction => ({
    kind: "edit",
    change: (was) => ({ ...was, displayName }),
    topic,
  });
  const undo = { kind: "undo" } as const;
  const redo = { kind: "redo" } as const;

  test("undoes and redoes steps, one per field's letters, none without changes", () => {
    const nameAfter = (...actions: EditorAction[]) => draftOf(run(typed, ...actions)).displayName;
    const typed = run(
      openEditor(pageOf(1), undefined),
      rename("a", "name"),
      rename("ab", "name"),
      rename("ab!"),
      rename("ab!"),
    );
    expect(nameAfter(undo)).toBe("ab");
    expect(nameAfter(undo, undo, undo)).toBeNull();
    expect(nameAfter(undo, undo, redo)).toBe("ab");
    expect(nameAfter(undo, redo, redo)).toBe("ab!");
    expect(nameAfter(undo, rename("c"), redo), "a new step forgets what was ahead").toBe("c");
    expect(nameAfter(undo, rename("c"), undo)).toBe("ab");
  });

  test("follows the page without changes here, and asks if there are", () => {
    const other = { kind: "arrived", page: pageOf(2, { bio: "Cake." }) } as const;
    const moved = run(openEditor(pageOf(1), undefined), other);
    expect([moved.base.revision, draftOf(moved).bio, moved.theirs]).toEqual([2, "Cake.", undefined]);
    const state = run(openEditor(pageOf(1), undefined), rename("Mine"), other);
    expect(state).toMatchObject({ base: { revision: 1 }, theirs: { revision: 2 } });
    const mine = run(state, { kind: "keepMine" });
    expect([mine.base.revision, mine.theirs]).toEqual([2, undefined]);
    expect(draftOf(mine)).toMatchObject({ displayName: "Mine", bio: "Cake." });
    const taken = run(state, { kind: "takeTheirs" });
    expect(draftOf(taken)).toMatchObject({ displayName: null, bio: "Cake." });
    expect(draftOf(run(taken, undo)).displayName).toBe("Mine");
    expect(run(state, { kind: "arrived", page: pageOf(1) }), "an old answer is nothing new").toBe(state);
  });

  test("knows new links by generated ids in every step after publishing", () => {
    const add: EditorAction = { kind: "edit", change: (was) => ({ ...was, links: [linkOf("new-1")] }) };
    const before = run(openEditor(pageOf(1), undefined), add, rename("Lena"));
    const sentContent = draftOf(before);
    const published = {
      kind: "published",
      published: sentContent,
      page: pageOf(2, { ...sentContent, links: [{ ...linkOf("new-1"), id: "lnk_1" }] }),
    } as const;
    const changesAfter = (...actions: EditorAction[]) => {
      const after = run(before, ...actions);
      return changesInWords(after.base.content, draftOf(after));
    };
    expect(changesAfter(published)).toEqual([]);
    expect(changesAfter(published, undo)).toEqual(["Name"]);
    expect(changesAfter(rename("Lena B."), published)).toEqual(["Name"]);
  });

  test("continues a draft of the same revision, asks about an older one", () => {
    const saved = { revision: 1, base: content(), draft: content({ displayName: "Kept" }) };
    const opened = [1, 2, 0].map((revision) => openEditor(pageOf(revision), saved));
    expect(opened.map(({ base, theirs }) => [base.revision, theirs?.revision])).toEqual([
      [1, undefined],
      [1, 2],
      [1, undefined],
    ]);
    expect(opened.map((state) => draftOf(state).displayName)).toEqual(["Kept", "Kept", "Kept"]);
  });
});

describe("moving", () => {
  test("puts an item where it is pulled", () => {
    expect(moveItem(["a", "b", "c"], 0, 2)).toEqual(["b", "c", "a"]);
    expect(moveItem(["a", "b", "c"], 2, 0)).toEqual(["c", "a", "b"]);
    const spans = [0, 100, 200].map((top) => ({ top, height: 60 }));
    expect(positionAfterDrag(spans, 0, 0)).toBe(0);
    expect(positionAfterDrag(spans, 0, 69)).toBe(0);
    expect(positionAfterDrag(spans, 0, 71)).toBe(1);
    expect(positionAfterDrag(spans, 0, 900)).toBe(2);
    expect(positionAfterDrag(spans, 2, -900)).toBe(0);
    expect(positionAfterDrag(spans, 1, -69)).toBe(1);
  });
});

describe("a draft that is not ready", () => {
  const draft = content({
    links: [
      { ...linkOf("a", ""), url: "exa" },
      { ...linkOf("b"), startsAt: "2026-12-02T00:00:00Z", endsAt: "2026-12-01T00:00:00Z" },
    ],
    theme: { ...content().theme, colors: { text: "#12", button: null, buttonText: null } },
  });

  test("says what is wrong and where", () => {
    expect(problemsOf(content({ links: [linkOf("a")] }))).toEqual([]);
    expect(problemsOf(draft).map(({ tab, field }) => [tab, field])).toEqual([
      ["links", "links.a.title"],
      ["links", "links.a.url"],
      ["links", "links.b.endsAt"],
      ["look", "theme.colors.text"],
    ]);
  });

  test("can be looked at all the same", () => {
    const preview = previewContent(draft, content());
    expect(problemsOf(preview)).toEqual([]);
    expect(preview.links.map(({ title }) => title)).toEqual(["Untitled link", "b"]);
    const blank = previewContent({ ...content(), displayName: "   " }, content());
    expect([blank.displayName, problemsOf(blank)]).toEqual([null, []]);
  });
});
