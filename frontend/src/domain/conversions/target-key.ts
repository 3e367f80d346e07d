interface WithSettings {
  settings: Record<string, unknown>;
}

/** Identifies what receives the events. Google's API and Meta's event name are other choices, for the same action or dataset. */
export const targetKey = ({ settings: { api: _api, eventName: _eventName, ...settings } }: WithSettings): string =>
  JSON.stringify(settings);

export const sameTarget = (one: WithSettings, other: WithSettings): boolean => targetKey(one) === targetKey(other);
