/**
 * The explanation of each choice in a description such as `delta: sends the difference. resend: sends the row again.`.
 * Null when a choice is not explained.
 */
export function explainChoices(description: string | null, choices: string[]): Record<string, string> | null {
  if (description === null || choices.length === 0) return null;
  const starts = choices.map((choice) => startOf(description, choice));
  if (starts.includes(-1)) return null;
  const meaningOf = (choice: string, start: number): string => {
    const end = Math.min(description.length, ...starts.filter((other) => other > start));
    const meaning = description.slice(start + choice.length + 1, end).trim();
    return meaning.charAt(0).toUpperCase() + meaning.slice(1);
  };
  return Object.fromEntries(choices.map((choice, index) => [choice, meaningOf(choice, starts[index] ?? 0)]));
}

/** A choice is explained at the beginning of a sentence, followed by a colon. */
function startOf(description: string, choice: string): number {
  if (description.startsWith(`${choice}:`)) return 0;
  const found = description.indexOf(`. ${choice}:`);
  return found < 0 ? -1 : found + 2;
}
