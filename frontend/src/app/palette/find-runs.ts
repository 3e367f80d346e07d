import { findItems } from './find-items';
import { wordsOf } from './find-letters';

/** One run, the latest runs of a connection, or the latest run of each connection. */
export type RunQuestion = { runId: string } | { connectionId: string | null };

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const FILLERS = ['latest', 'last', 'of', 'now'];

const isRunWord = (word: string): boolean => word === 'run' || word === 'runs';

/** Which runs a query asks for: the ID of a run, or `runs of search`. Null: none. */
export function runQuestionOf(query: string, connections: readonly { id: string; name: string }[]): RunQuestion | null {
  const id = query.trim();
  if (ID.test(id)) return { runId: id.toLowerCase() };
  const words = wordsOf(query);
  if (!words.some(isRunWord)) return null;
  const name = words.filter((word) => !isRunWord(word) && !FILLERS.includes(word));
  if (name.length === 0) return { connectionId: null };
  const items = connections.map((connection) => ({
    id: connection.id,
    group: 'Connections' as const,
    label: connection.name,
  }));
  const connectionId = findItems(items, name.join(' '))[0]?.items[0]?.id;
  return connectionId === undefined ? null : { connectionId };
}
