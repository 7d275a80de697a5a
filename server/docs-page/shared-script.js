// The buttons of a shared script; without this file they stay hidden and the page can still be read.
const copy = document.getElementById("copy");
const play = document.getElementById("play");
const cue = document.querySelector(".cue");

if (copy && navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    const lines = document.querySelectorAll(".lines p[lang], .said");
    const words = Array.from(lines, (line) => line.textContent.trim()).join(" ");
    await navigator.clipboard.writeText(words);
    copy.textContent = "Copied";
    document.getElementById("copied").textContent = "Copied";
    setTimeout(() => (copy.textContent = "Copy"), 2_000);
  });
}

if (play && cue) {
  play.hidden = false;
  play.addEventListener("click", () => {
    const isVideo = play.dataset.kind === "video";
    const player = document.createElement(isVideo ? "video" : "iframe");
    if (isVideo) Object.assign(player, { controls: true, autoplay: true, playsInline: true, crossOrigin: "anonymous" });
    else {
      player.title = "Reel";
      player.allow = "autoplay; encrypted-media; fullscreen";
      player.referrerPolicy = "no-referrer";
      player.setAttribute("sandbox", "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox");
    }
    player.src = play.dataset.address;
    cue.append(player);
    play.remove();
    if (isVideo) player.focus();
  });
}
