import { startTransition } from "react";
import "./styles/index.css";

// In pieces: as one, their first run would block a slow phone for a quarter of a second.
const { createRoot } = await import("react-dom/client");
const { Dashboard } = await import("./dashboard.tsx");
const root = createRoot(document.querySelector("#root")!);
// A transition is drawn in slices, between which the window answers.
startTransition(() => root.render(<Dashboard />));
