import { useState } from 'react';

/**
 * What is typed belongs to the version it was typed over: a newer one that arrives meanwhile is taken up only while nothing is typed,
 * and otherwise the reader says which of the two counts. Nothing typed is dropped without being asked for.
 */
export function useTypedOver<Item extends { version: number }>(latest: Item) {
  const [typedOver, setTypedOver] = useState<Item | null>(null);
  const [keptOver, setKeptOver] = useState<number | null>(null);
  const [isSaving, setSaving] = useState(false);
  const base = typedOver ?? latest;
  const version = keptOver ?? base.version;
  const settle = () => {
    setTypedOver(null);
    setKeptOver(null);
  };
  return {
    /** What the form began with: its key. */
    base,
    isConflict: !isSaving && latest.version !== version,
    noteTyping: () => setTypedOver(base),
    takeTheirs: settle,
    keepMine: () => setKeptOver(latest.version),
    /** Stores what was typed over the version it belongs to, or over the one it was kept against. */
    save: async (store: (version: number) => Promise<unknown>) => {
      setSaving(true);
      try {
        await store(version);
        settle();
      } finally {
        setSaving(false);
      }
    },
  };
}
