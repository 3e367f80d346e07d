import { storage } from '~/lib/storage';

/** A flow over several pages: where it started, its provider, and the source that it has created so far. */
export interface FlowState {
  storedFrom: 'connection' | 'conversion' | 'app' | null;
  storedType: string | null;
  sourceKey: string | null;
}

const isOrigin = (value: string | null): value is 'connection' | 'conversion' | 'app' =>
  value === 'connection' || value === 'conversion' || value === 'app';

export function readFlowState(): FlowState {
  const from = storage.get('storedFrom');
  return { storedFrom: isOrigin(from) ? from : null, storedType: storage.get('storedType'), sourceKey: storage.get('sourceKey') };
}

export function writeFlowState(change: Partial<FlowState>): void {
  for (const [key, value] of Object.entries(change)) {
    if (value === null || value === undefined) storage.remove(key);
    else storage.set(key, value);
  }
}

export const clearFlowState = (): void => writeFlowState({ storedFrom: null, storedType: null, sourceKey: null });
