const drawings = {
  alert: "M12 7.500v5.500M12 16.500h.01M20.500 12a8.500 8.500 0 1 1-17 0 8.500 8.500 0 0 1 17 0",
  back: "m15 6-6 6 6 6",
  bin: "M4.500 7h15M9 7V4.500h6V7M6.500 7l1 13h9l1-13M10 11v5.500M14 11v5.500",
  book: "M12 6.500C10 5 7 4.500 3.500 5v13.500c3.500-.500 6.500 0 8.500 1.500 2-1.500 5-2 8.500-1.500V5C17 4.500 14 5 12 6.500v13.500",
  camera:
    "M8.500 4h7A4.500 4.500 0 0 1 20 8.500v7a4.500 4.500 0 0 1-4.500 4.500h-7A4.500 4.500 0 0 1 4 15.500v-7A4.500 4.500 0 0 1 8.500 4M15.500 12a3.500 3.500 0 1 1-7 0 3.500 3.500 0 0 1 7 0M16.500 7.500h.01",
  chart: "M4 4v14.500A1.500 1.500 0 0 0 5.500 20H20M9 15.500v-4M13.500 15.500V6M18 15.500V9",
  check: "m5 12.500 4.500 4.500L19 7.500",
  clock: "M20.500 12a8.500 8.500 0 1 1-17 0 8.500 8.500 0 0 1 17 0M12 7v5.500l3.500 2",
  close: "m6 6 12 12M18 6 6 18",
  copy: "M11 8.500h7a2.500 2.500 0 0 1 2.500 2.500v7a2.500 2.500 0 0 1-2.500 2.500h-7A2.500 2.500 0 0 1 8.500 18v-7A2.500 2.500 0 0 1 11 8.500M15.500 5.500A2 2 0 0 0 13.500 3.500h-8a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2",
  down: "m6 9 6 6 6-6",
  download: "M12 3.500v11M7.500 10.500l4.500 4.500 4.500-4.500M4 20h16",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  eye: "M2.500 12s3.500-6.500 9.500-6.500 9.500 6.500 9.500 6.500-3.500 6.500-9.500 6.500S2.500 12 2.500 12M15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0",
  forward: "m9 6 6 6-6 6",
  gauge: "M4.500 18a9 9 0 1 1 15 0M12 14l4-5",
  gear: "M4 7h9M19 7h1M4 17h1M11 17h9M18.500 7a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0M10.500 17a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0",
  grip: "M9 6h.01M9 12h.01M9 18h.01M15 6h.01M15 12h.01M15 18h.01",
  key: "M12 15.500a4 4 0 1 1-8 0 4 4 0 0 1 8 0M11 12.500l8.500-8.500M16 7.500l3 3",
  library: "M5.500 4h3a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-3a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2M14 7h6.500M14 12h6.500M14 17h4",
  lock: "M7.500 10.500h9A2.500 2.500 0 0 1 19 13v5a2.500 2.500 0 0 1-2.500 2.500h-9A2.500 2.500 0 0 1 5 18v-5a2.500 2.500 0 0 1 2.500-2.500M8.500 10.500V8a3.500 3.500 0 0 1 7 0v2.500",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  open: "M7 17 17 7M9 7h8v8",
  page: "M9 2.500h6a3 3 0 0 1 3 3v13a3 3 0 0 1-3 3H9a3 3 0 0 1-3-3v-13a3 3 0 0 1 3-3M9.500 9h5M9.500 13h5M11 17.500h2",
  pause: "M8.500 5v14M15.500 5v14",
  person: "M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0M4.500 20.500c.500-4 3.500-6 7.500-6s7 2 7.500 6",
  play: "M7.500 4.500v15l12-7.500z",
  plus: "M12 5v14M5 12h14",
  search: "M17.500 11a6.500 6.500 0 1 1-13 0 6.500 6.500 0 0 1 13 0M16 16l4.500 4.500",
  signOut:
    "M14 4H6.500A1.500 1.500 0 0 0 5 5.500v13A1.500 1.500 0 0 0 6.500 20H14M10 12h10.500M17 8.500l3.500 3.500-3.500 3.500",
  sound: "M4 10v4h3l5 4V6L7 10zM16 9.500a4 4 0 0 1 0 5M18.500 7a8 8 0 0 1 0 10",
  trend: "m3.500 16 5.500-5.500 4 4L20.500 7M15.500 7h5v5",
  undo: "M8 5 4 9l4 4M4.500 9H14a5 5 0 0 1 0 10h-3",
  up: "m6 15 6-6 6 6",
  warn: "M12 4 2.800 19.500h18.400zM12 10v4.500M12 17h.01",
  wave: "M3.500 10v4M8 6.500v11M12 3.500v17M16 8v8M20.500 10.500v3",
} as const;

export type IconName = keyof typeof drawings;

const mirrored: ReadonlySet<IconName> = new Set(["back", "forward", "open", "signOut", "undo"]);

/** Always beside a word, so it says nothing itself. Chevrons flip where text runs to the left. */
export function Icon({ name, small = false }: { readonly name: IconName; readonly small?: boolean }) {
  const names = ["icon", small && "small", mirrored.has(name) && "flips"].filter(Boolean).join(" ");
  return (
    <svg className={names} viewBox="0 0 24 24" aria-hidden="true">
      <path d={drawings[name]} />
    </svg>
  );
}

export const classNames = (...names: readonly (string | false | undefined)[]): string =>
  names.filter(Boolean).join(" ");
