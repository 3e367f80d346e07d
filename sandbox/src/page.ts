import { escapeHtml } from './router.ts';

/** Styles of all pages of the sandbox and the mail catcher: light or dark like the user's system. */
const styles = `
:root{color-scheme:light dark;--canvas:#fff;--sunken:#f8f8f5;--line:#e4e3e1;--control:#8a8984;--ink:#181c21;--ink-2:#484e54;--ink-3:#646a70;--accent:#056585;--fill:#056585;--warn:#8a560c;--warn-soft:#fbf3e2;--hover:#f4f3f0}
@media(prefers-color-scheme:dark){:root{--canvas:#111416;--sunken:#0b0d0f;--line:#262a2e;--control:#6a6f76;--ink:#e9ebee;--ink-2:#b4b8bc;--ink-3:#91969b;--accent:#6ac7e8;--fill:#14779b;--warn:#e8b966;--warn-soft:#2a2214;--hover:#1b1e22}}
*{box-sizing:border-box}body{margin:0;background:var(--sunken);color:var(--ink);font:14px/20px system-ui,sans-serif}
a{color:var(--accent)}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
h1{font-size:20px;line-height:28px;font-weight:600;margin:0}code{font:12px/18px ui-monospace,monospace;overflow-wrap:anywhere}
.card{max-width:460px;margin:32px auto;padding:24px;background:var(--canvas);border:1px solid var(--line);border-radius:10px}
.card.wide{max-width:860px}@media(max-width:520px){.card{margin:0 auto;border-width:0 0 1px;border-radius:0;padding:20px 16px}}
.mark{display:inline-block;margin-bottom:12px;padding:2px 8px;border-radius:4px;background:var(--warn-soft);color:var(--warn);font-size:12px;font-weight:600}
p{margin:8px 0;color:var(--ink-2)}fieldset{border:0;margin:20px 0 0;padding:0}legend{padding:0;font-weight:600;margin-bottom:4px}
label.choice{display:flex;gap:12px;align-items:flex-start;min-height:44px;padding:10px 8px;margin:0 -8px;border-radius:6px;cursor:pointer}
label.choice:hover{background:var(--hover)}label.choice input{margin:2px 0 0;width:16px;height:16px;flex:none;accent-color:var(--fill)}
label.choice span{min-width:0;overflow-wrap:anywhere}label.choice small{display:block;color:var(--ink-3);font-size:12px;line-height:16px}
.buttons{display:flex;gap:12px;justify-content:flex-end;margin-top:24px}button{min-height:44px;padding:0 20px;border-radius:6px;border:1px solid var(--control);background:var(--canvas);color:var(--ink);font:500 14px/20px system-ui,sans-serif;cursor:pointer}
button:hover{background:var(--hover)}button.primary{background:var(--fill);border-color:var(--fill);color:#fff}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:6px 12px 6px 0;border-top:1px solid var(--line)}h2{font-size:14px;line-height:20px;margin:24px 0 8px}`;

export function page(title: string, body: string, extraStyles = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><style>${styles}${extraStyles}</style></head><body>${body}</body></html>`;
}
