import { findLetters, plain } from './find-letters';

/** The positions of the query in the text, or of its letters. */
function positionsOf(text: string, query: string): number[] {
  const [shown, searched] = [plain(text), plain(query.trim())];
  // An accent that is a character of its own moves the positions.
  if (searched === '' || shown.length !== text.length) return [];
  const at = shown.indexOf(searched);
  return at < 0 ? (findLetters(searched, shown) ?? []) : [...searched].map((_, index) => at + index);
}

/** The text, with the first occurrence of the query in bold. */
export function Highlighted({ text, query }: { text: string; query: string }) {
  const positions = positionsOf(text, query);
  if (positions.length === 0) return <>{text}</>;
  const isBold = (index: number) => positions.includes(index);
  const starts = [...text].flatMap((_, index) => (index === 0 || isBold(index) !== isBold(index - 1) ? [index] : []));
  return starts.map((start, index) => {
    const part = text.slice(start, starts[index + 1]);
    return isBold(start) ? <strong key={start}>{part}</strong> : part;
  });
}
