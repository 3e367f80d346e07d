interface WithSettings {
  settings: Record<string, unknown>;
}

/** Identifies what receives the events. Google's API and Meta's event name are other choices, for the same action or dataset. */
export function targetKey({ settings: { api: _, ...settings } }: WithSettings): string {
  return JSON.stringify(settings.datasetId === undefined ? settings : { datasetId: settings.datasetId });
}

export const sameTarget = (one: WithSettings, other: WithSettings): boolean => targetKey(one) === targetKey(other);
