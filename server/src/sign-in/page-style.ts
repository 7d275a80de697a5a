/** The whole style of the pages that are shown while signing in; they load nothing but two fonts. */
export const style = `
@font-face{font-family:"Instrument Sans";src:url(/docs/sans-latin.woff2) format("woff2");font-weight:400 700;font-display:swap}
@font-face{font-family:"Instrument Sans Condensed";src:url(/docs/title-latin.woff2) format("woff2");font-weight:640;font-display:swap}
:root{color-scheme:light dark;--base:#f3f2f1;--sheet:#fff;--line:#e5e2e3;--edge:#8d868f;--ink:#1d1820;--ink-2:#5a545c;--ink-3:#6e6770;--act-hover:#3a323e;--voice:#ffd84a;--focus:#2257d6;--bad:#b3261e;--lift:0 1px 2px #1d182014,0 6px 20px -6px #1d182024}
@media (prefers-color-scheme:dark){:root{--base:#121013;--sheet:#1b181d;--line:#302b33;--edge:#756e79;--ink:#f2eff3;--ink-2:#b5aeb8;--ink-3:#958e98;--act-hover:#fff;--focus:#8fb4ff;--bad:#ff9186;--lift:0 1px 2px #0006,0 6px 20px -6px #0009}}
*,::before,::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100svh;display:grid;place-items:center;padding:16px;background:var(--base);color:var(--ink);font:400 .875rem/1.5 "Instrument Sans",system-ui,sans-serif;-webkit-font-smoothing:antialiased}
main{width:min(100%,440px);background:var(--sheet);border:1px solid var(--line);border-radius:18px;box-shadow:var(--lift);padding:40px}
.brand{display:inline-flex;align-items:center;gap:8px;margin-bottom:28px;color:inherit;text-decoration:none;font:640 1.125rem/1 "Instrument Sans Condensed","Instrument Sans",system-ui,sans-serif}
.brand svg{display:block}.frame{fill:var(--ink)}.lines{fill:var(--voice);stroke:var(--sheet);stroke-width:3;paint-order:stroke}
h1{margin:0;font:640 2.125rem/1.1 "Instrument Sans Condensed","Instrument Sans",system-ui,sans-serif;letter-spacing:-.005em;text-wrap:balance}
p{margin:8px 0 0;color:var(--ink-2);text-wrap:pretty}
form{margin:28px 0 0}
label{display:block;margin-bottom:4px;font-weight:500}
input{width:100%;height:44px;padding:0 12px;border:1px solid var(--edge);border-radius:8px;background:var(--sheet);color:inherit;font:inherit;font-size:1rem}
input[aria-invalid=true]{border-color:var(--bad)}
.error{color:var(--bad)}
.hint{color:var(--ink-3);font-size:.8125rem}
.button{display:flex;align-items:center;justify-content:center;width:100%;min-height:44px;margin-top:20px;padding:0 20px;border:0;border-radius:8px;background:var(--ink);color:var(--sheet);font:600 .875rem/1 "Instrument Sans",system-ui,sans-serif;text-decoration:none;cursor:pointer;transition:background 120ms cubic-bezier(.2,.7,.2,1)}
.button:hover{background:var(--act-hover)}.button:active{transform:translateY(1px)}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
@media (max-width:480px){main{padding:28px 20px}h1{font-size:1.75rem}}
@media (prefers-reduced-motion:reduce){.button{transition:none}.button:active{transform:none}}
`;
