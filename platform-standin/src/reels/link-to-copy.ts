import { escapeHtml } from "../doors/markup.ts";

/** The address in a field, with a button that `copyScript` brings to life; without scripts the field alone. */
export const linkToCopy = (url: string, name: string): string =>
  `<div class="link"><input readonly dir="ltr" aria-label="Link of ${escapeHtml(name)}" value="${escapeHtml(url)}">` +
  `<button type="button" hidden aria-label="Copy the link of ${escapeHtml(name)}">Copy</button></div>`;

export const copyScript = `<script>
for (const button of document.querySelectorAll(".link button")) {
  const field = button.previousElementSibling;
  button.hidden = false;
  button.onclick = async () => {
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { if (!document.execCommand("copy")) return; }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  };
}
</script>`;
