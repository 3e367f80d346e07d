/** Content of a mail. Modules provide the content; all mails share one layout. */
export interface Mail {
  to: string;
  subject: string;
  heading: string;
  paragraphs: string[];
  /** The main action. */
  button: { label: string; url: string };
  /** Small print: why the person receives the mail, and when the link expires. */
  note: string;
}

export const renderMail = (mail: Mail): { text: string; html: string } => ({ text: renderText(mail), html: renderHtml(mail) });

const renderText = ({ heading, paragraphs, button, note }: Mail): string =>
  [heading, ...paragraphs, `${button.label}:\n${button.url}`, `-- \nTributary\n${note}`].join('\n\n');

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const FONT = `font-family:'Geist Variable',Geist,system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;

/** Inline styles define the light colors. Mail programs with dark mode use these styles. */
const DARK = `:root{color-scheme:light dark;supported-color-schemes:light dark}
a:focus-visible{outline:2px solid #056585;outline-offset:2px}
@media (prefers-color-scheme:dark){
.ground{background:#0B0D0F!important}.sheet{background:#111416!important;border-color:#262A2E!important}
.ink{color:#E9EBEE!important}.ink-2{color:#B4B8BC!important}.ink-3{color:#91969B!important}
.fill{background:#14779B!important}.link{color:#6AC7E8!important}.line{border-color:#262A2E!important}}
@media (max-width:480px){.sheet{padding:24px!important}.fill a{display:block!important;text-align:center!important}}`;

function renderHtml({ subject, heading, paragraphs, button, note }: Mail): string {
  const url = escapeHtml(button.url);
  const text = paragraphs
    .map((paragraph) => `<p class="ink-2" style="margin:0 0 16px;color:#484E54">${escapeHtml(paragraph)}</p>`)
    .join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${DARK}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#F8F8F5;${FONT};font-size:15px;line-height:24px">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(paragraphs[0] ?? heading)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="ground" style="background:#F8F8F5"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px"><tr><td class="sheet" style="background:#FFFFFF;border:1px solid #E4E3E1;border-radius:10px;padding:32px">
<p class="ink" style="margin:0 0 24px;font-size:14px;line-height:20px;font-weight:600;color:#181C21">Tributary</p>
<h1 class="ink" style="margin:0 0 12px;font-size:20px;line-height:28px;font-weight:600;color:#181C21">${escapeHtml(heading)}</h1>
${text}
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:24px 0"><tr><td class="fill" bgcolor="#056585" style="background:#056585;border-radius:6px"><a href="${url}" style="display:inline-block;padding:12px 20px;color:#FFFFFF;font-weight:600;font-size:15px;line-height:20px;text-decoration:none">${escapeHtml(button.label)}</a></td></tr></table>
<p class="ink-3" style="margin:0;font-size:13px;line-height:20px;color:#646A70">Or open this link: <a class="link" href="${url}" style="color:#056585;overflow-wrap:anywhere;word-break:break-all">${url}</a></p>
<p class="ink-3 line" style="margin:24px 0 0;padding-top:16px;border-top:1px solid #E4E3E1;font-size:13px;line-height:20px;color:#646A70">${escapeHtml(note)}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}
