import { useState } from 'react';

/**
 * Optimistic locking for a form. Without input, the form follows the latest version. With input, it keeps the version that the input
 * began with, and a newer version is a conflict that the user resolves. Input is never discarded without a decision of the user.
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
    /** The version that the form shows; use it as the form's key. */
    base,
    isConflict: !isSaving && latest.version !== version,
    noteTyping: () => setTypedOver(base),
    takeTheirs: settle,
    keepMine: () => setKeptOver(latest.version),
    /** Saves with the version that the input began with, or with the version that the user chose to overwrite. */
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

export type TypedOver<Item extends { version: number }> = ReturnType<typeof useTypedOver<Item>>;
