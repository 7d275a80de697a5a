import { startTransition } from "react";
import "./styles/index.css";

// Loaded in chunks: running it all at once would block a slow phone for a quarter of a second.
const { createRoot } = await import("react-dom/client");
const { Dashboard } = await import("./dashboard.tsx");
const root = createRoot(document.querySelector("#root")!);
// Transitions are rendered in slices, between which the window stays responsive.
startTransition(() => root.render(<Dashboard />));
