import { useRef, useState } from 'react';
import { isConflict } from '~/api/http/problem';
import { useAction } from '~/lib/use-action';
import { useUnsavedChanges } from '~/lib/unsaved-changes';
import { useOptimisticLock } from '~/lib/use-optimistic-lock';

interface VersionedFormOptions<Item, Values> {
  /** The newest version of the saved item. */
  latest: Item;
  valuesOf: (item: Item) => Values;
  /** Values with equal texts are equal. */
  textOf?: (values: Values) => string;
  /** Loads the item again. */
  refresh: () => Promise<unknown>;
}

/**
 * A form that edits a saved item. It shows the newest version until the user edits it. After that, a newer version is a conflict
 * and does not replace the edits.
 */
export function useVersionedForm<Item extends { version: number }, Values extends object, Name extends string>({
  latest,
  valuesOf,
  textOf = JSON.stringify,
  refresh,
}: VersionedFormOptions<Item, Values>) {
  const lock = useOptimisticLock(latest);
  const [edited, setEdited] = useState<Values | null>(null);
  /** Edits that an action has ended. They are shown until the version with them is loaded. */
  const [ended, setEnded] = useState<Values | null>(null);
  // Input may come between a save and its end, which does not see the newest state.
  const newest = useRef(edited);
  const keep = (next: Values | null) => {
    newest.current = next;
    setEdited(next);
  };
  const { run, isBusy, busyWith, error } = useAction<Name>();
  const start = valuesOf(lock.base);
  const ownEdits = (own: Values | null): Values | null => (own === ended && !lock.isBehind ? null : own);
  const values = ownEdits(edited) ?? start;
  const isSame = edited === ended || textOf(values) === textOf(start);
  const endGuard = useUnsavedChanges(!isSame);
  return {
    values,
    isSame,
    isBusy,
    busyWith,
    /** The error of the last run. A conflict is not an error; see `conflict`. */
    failure: isConflict(error) ? null : error,
    conflict: {
      isOpen: lock.isConflict && !isSame,
      keepMine: lock.keepMine,
      takeTheirs: () => {
        keep(null);
        lock.takeTheirs();
      },
    },
    change: (part: Partial<Values>) => {
      lock.startEditing();
      keep({ ...(ownEdits(newest.current) ?? start), ...part });
    },
    /** The saved version that the edits are based on. */
    base: lock.base,
    /** Saves the edits with the version that they are based on. Call it within `run`. */
    save: lock.save,
    /** Runs an action that ends the edits, such as saving them. Later edits stay. Returns whether it succeeded. */
    run: (action: () => Promise<unknown>, name?: Name): Promise<boolean> =>
      run(async () => {
        try {
          await action();
        } catch (failure) {
          if (isConflict(failure)) await refresh();
          throw failure;
        }
        await refresh();
        if (newest.current !== edited) return;
        setEnded(edited);
        endGuard();
      }, name),
  };
}
