import { useRef, useState } from 'react';

/** Input of the user in a form. */
interface Input<Item> {
  /** The version that the input began with, or the stored one once it is loaded. */
  item: Item;
  /** The version that the form showed when the input began. */
  startVersion: number;
  /** The version that the user chose to overwrite. */
  overwritten: number | null;
  /** The version in which this form stored its input, which `latest` may not yet have reached. */
  stored: number | null;
  /** Whether the stored version contains all of the input. */
  isStored: boolean;
}

/**
 * Optimistic locking for a form. Without input, the form follows the latest version. With input, it keeps the version that the input
 * began with, and a newer version is a conflict that the user resolves. Input is never discarded without a decision of the user.
 * Input during a save, and until the saved version is loaded, continues from the saved version.
 */
export function useOptimisticLock<Item extends { version: number }>(latest: Item) {
  const [known, setInput] = useState<Input<Item> | null>(null);
  const [isSaving, setSaving] = useState(false);
  const changes = useRef(0);
  const input = known?.isStored === true && latest.version >= (known.stored ?? 0) ? null : known;
  // Input that followed a save continues from the saved version.
  if (input && input.stored === latest.version) setInput({ ...input, item: latest, stored: null });
  const base = input?.item ?? latest;
  const startVersion = input?.startVersion ?? latest.version;
  const version = input?.overwritten ?? input?.stored ?? base.version;
  const started = { overwritten: null, stored: null, ...input, item: base, startVersion, isStored: false };
  return {
    /** The version that the form compares its input with. */
    base,
    /** Changes when the form shall show another version instead of its input; use it as the form's key. */
    startVersion,
    isConflict: !isSaving && latest.version > version,
    /** The version that this form has saved is not loaded yet. */
    isBehind: input?.isStored === true,
    startEditing: () => {
      changes.current += 1;
      setInput(started);
    },
    takeTheirs: () => setInput(null),
    keepMine: () => setInput({ ...started, overwritten: latest.version }),
    /** Saves with the version that the input began with, or with the version that the user chose to overwrite. */
    save: async (store: (version: number) => Promise<{ version: number }>) => {
      const before = changes.current;
      setSaving(true);
      try {
        const { version: stored } = await store(version);
        setInput({ ...started, overwritten: null, stored, isStored: changes.current === before });
      } finally {
        setSaving(false);
      }
    },
  };
}
