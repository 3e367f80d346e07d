/** The calendar of the Graph API, with the day on which each version ends. Versions of the Marketing API end much earlier. */
const versions: readonly { version: string; endsOn: string | null }[] = [
  { version: 'v20.0', endsOn: '2026-09-24' },
  { version: 'v21.0', endsOn: '2027-01-21' },
  { version: 'v22.0', endsOn: '2027-05-20' },
  { version: 'v23.0', endsOn: '2027-10-08' },
  { version: 'v24.0', endsOn: '2028-02-18' },
  { version: 'v25.0', endsOn: '2028-07-29' },
  { version: 'v26.0', endsOn: null },
  { version: 'v27.0', endsOn: null },
];

/** The version that answers: the requested one, or the oldest that has not ended. */
export function servedGraphVersion(requested: string, now: Date): string {
  const today = now.toISOString().slice(0, 10);
  const live = versions.filter(({ endsOn }) => endsOn === null || today < endsOn).map(({ version }) => version);
  return live.includes(requested) ? requested : (live[0] as string);
}
