/**
 * Entries of the file and existing items are matched by these texts, because ids differ between installations. Items with the same
 * text are numbered in the order of their creation, which is also their order in the file.
 */
export const identityOf = {
  app: ({ provider, name }: { provider: string; name: string }) => join(provider, name),
  source: (app: string, name: string) => join(app, name),
  destination: (provider: string, name: string) => join(provider, name),
  connection: (source: string, destination: string, name: string) => join(source, destination, name),
  conversion: (name: string) => join(name),
  payment: (app: string) => join(app),
  webhook: (url: string) => join(url),
  rule: (channel: string, webhook: string | null) => join(channel, webhook ?? ''),
};

const join = (...parts: string[]): string => JSON.stringify(parts);

/** Numbers repeated texts: the second `Search` becomes `Search#2`. */
export function numbered(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return count === 1 ? text : `${text}#${count}`;
  };
}

/** Sorts by text, numbers by value: `#10` after `#9`. The order does not depend on the language of the machine. */
const order = new Intl.Collator('en', { numeric: true });
export const byText = (left: string, right: string): number =>
  order.compare(left, right) || (left < right ? -1 : Number(left > right));
