import "./styles/index.css";

// In pieces: as one, their first run would block a slow phone for a quarter of a second.
const { createRoot } = await import("react-dom/client");
const { Dashboard } = await import("./dashboard.tsx");
createRoot(document.querySelector("#root")!).render(<Dashboard />);
