import { storage } from '~/lib/storage';

/** Where a flow over several pages began, of which kind its provider is, and the source it has made so far. */
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
