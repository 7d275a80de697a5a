const mark = "reloaded-for";

/** After a release the parts of pages that are still open are gone from the server: loads the new ones, once for each address. */
export function reloadOnNewRelease(): void {
  addEventListener("vite:preloadError", (event) => {
    if (sessionStorage.getItem(mark) === location.href) return;
    event.preventDefault();
    sessionStorage.setItem(mark, location.href);
    location.reload();
  });
}
