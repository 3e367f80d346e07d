export interface BadgePicture {
  label: string;
  message: string;
  tone: 'good' | 'danger' | 'idle';
}

/** White text on each has a contrast of at least 4.5 to 1. */
const FILLS: Record<BadgePicture['tone'], string> = { good: '#247148', danger: '#b72d29', idle: '#5f656b' };
const LABEL_FILL = '#484e54';
const PADDING = 8;
/** Width of a character of the 11 px font, on average. `textLength` fits the text to the box, whatever font the reader has. */
const CHARACTER = 6.4;

/** A picture without scripts, links or external resources. All texts are escaped here. */
export function drawBadge({ label, message, tone }: BadgePicture): string {
  const [left, right] = [widthOf(label), widthOf(message)];
  const total = left + right + 4 * PADDING;
  const edge = left + 2 * PADDING;
  const [name, value] = [escapeXml(label), escapeXml(message)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${total}" height="20" viewBox="0 0 ${total} 20" role="img" aria-label="${name}: ${value}">
<title>${name}: ${value}</title>
<clipPath id="r"><rect width="${total}" height="20" rx="4"/></clipPath>
<g clip-path="url(#r)"><rect width="${edge}" height="20" fill="${LABEL_FILL}"/><rect x="${edge}" width="${total - edge}" height="20" fill="${FILLS[tone]}"/></g>
<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">
<text x="${PADDING}" y="14" textLength="${left}" lengthAdjust="spacingAndGlyphs">${name}</text>
<text x="${edge + PADDING}" y="14" textLength="${right}" lengthAdjust="spacingAndGlyphs">${value}</text>
</g>
</svg>
`;
}

const widthOf = (text: string): number => Math.max(8, Math.round([...text].length * CHARACTER));

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
/** Control characters, surrogates and the two noncharacters are not allowed in XML, not even escaped. */
const NOT_XML = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu;
const escapeXml = (text: string): string =>
  text.replace(NOT_XML, ' ').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
