import layerStyle from "./layer.css?inline";

/** What Reelscript draws over a page: in a closed shadow root, so that the page can neither read nor change it. */
export function createLayer(): ShadowRoot {
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "closed" });
  addStyle(root);
  document.documentElement.append(host);
  // Pages that draw themselves again throw out what they do not know.
  new MutationObserver(() => {
    if (!host.isConnected) document.documentElement.append(host);
  }).observe(document.documentElement, { childList: true });
  return root;
}

function addStyle(root: ShadowRoot): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(layerStyle);
    root.adoptedStyleSheets = [sheet];
  } catch {
    // Firefox hands scripts of extensions a list that they cannot set.
    const style = document.createElement("style");
    style.textContent = layerStyle;
    root.append(style);
  }
}
