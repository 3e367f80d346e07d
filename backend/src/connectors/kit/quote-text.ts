const LONGEST_TEXT = 200;

/**
 * What a destination says about its own objects, to be shown to its owner. One line of bounded length: the server may be hostile,
 * and control and direction characters could make other text look different.
 */
export function quoteText(text: string): string {
  const line = text
    .slice(0, 10 * LONGEST_TEXT)
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  const characters = [...line];
  return `"${characters.length > LONGEST_TEXT ? `${characters.slice(0, LONGEST_TEXT - 1).join('')}…` : line}"`;
}
