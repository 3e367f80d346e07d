const LONGEST_TEXT = 200;

/**
 * Quotes a destination's text about its own objects for display. Returns one line of limited length. The server may be hostile:
 * control and direction characters could disguise other text.
 */
export function quoteText(text: string): string {
  const line = text
    .slice(0, 10 * LONGEST_TEXT)
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  const characters = [...line];
  return `"${characters.length > LONGEST_TEXT ? `${characters.slice(0, LONGEST_TEXT - 1).join('')}…` : line}"`;
}
