export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]!);
}

/** The plain look that all pages without a dashboard share. */
export function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>
:root{color-scheme:light dark}body{font:16px/1.55 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem}
h2{margin-top:3rem;border-top:1px solid #8884;padding-top:1rem;font-size:1.15rem}h3{font-size:1rem;margin-bottom:.3rem}small{font-weight:400;opacity:.7}
code,pre{font:14px/1.5 ui-monospace,monospace}pre{overflow:auto;padding:1rem;background:#8881;border-radius:6px}
table{border-collapse:collapse;width:100%}td{border-bottom:1px solid #8883;padding:.35rem .6rem .35rem 0;vertical-align:top}
.contents{list-style:none;padding:0}a{color:inherit}</style></head><body>${body}</body></html>`;
}
