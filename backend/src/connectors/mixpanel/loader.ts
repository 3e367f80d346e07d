import type { MixpanelApi } from './api.js';
import type { Expectation } from './expectation.js';
import type { ReadBack } from './read-back.js';
import type { ProjectSettings } from './settings.js';

/** State shared by the slices of one opened destination. */
export interface Loader {
  project: ProjectSettings;
  api: MixpanelApi;
  readBack: ReadBack;
  now(): Date;
  /** Pauses while Mixpanel does not return accepted events yet. */
  waitsMs: number[];
  maximumSliceRows: number;
  /** Written slices that were not verified yet, by slice. */
  expectations: Map<string, Expectation>;
  /** Slices whose content in Mixpanel differs from what was sent. They are repaired from what Mixpanel returns. */
  suspects: Set<string>;
}
