import type { MixpanelApi } from './api.js';
import type { Expectation } from './expectation.js';
import type { ReadBack } from './read-back.js';
import type { ProjectSettings } from './settings.js';

/** What the slices of one opened destination share. */
export interface Loader {
  project: ProjectSettings;
  api: MixpanelApi;
  readBack: ReadBack;
  now(): Date;
  /** Pauses while Mixpanel does not show yet what it took in. */
  waitsMs: number[];
  maximumSliceRows: number;
  /** Of slices that were written and not yet seen, by slice. */
  expectations: Map<string, Expectation>;
  /** Slices of which Mixpanel shows something else than it was sent: they are set right by what it shows. */
  suspects: Set<string>;
}
