import { useState } from 'react';

/**
 * Optimistic locking for a form. Without input, the form follows the latest version. With input, it keeps the version that the input
 * began with, and a newer version is a conflict that the user resolves. Input is never discarded without a decision of the user.
 */
export function useOptimisticLock<Item extends { version: number }>(latest: Item) {
  const [editedItem, setEditedItem] = useState<Item | null>(null);
  const [overwrittenVersion, setOverwrittenVersion] = useState<number | null>(null);
  const [isSaving, setSaving] = useState(false);
  const base = editedItem ?? latest;
  const version = overwrittenVersion ?? base.version;
  const reset = () => {
    setEditedItem(null);
    setOverwrittenVersion(null);
  };
  return {
    /** The version that the form shows; use it as the form's key. */
    base,
    isConflict: !isSaving && latest.version !== version,
    startEditing: () => setEditedItem(base),
    takeTheirs: reset,
    keepMine: () => setOverwrittenVersion(latest.version),
    /** Saves with the version that the input began with, or with the version that the user chose to overwrite. */
    save: async (store: (version: number) => Promise<unknown>) => {
      setSaving(true);
      try {
        await store(version);
        reset();
      } finally {
        setSaving(false);
      }
    },
  };
}
