import type { PaletteItem } from './find-items';

/** An item of the palette: opens a page or does something. */
export interface Command extends PaletteItem {
  mark: React.ReactNode;
  hint?: string;
  aside?: React.ReactNode;
  /** The page that it opens. */
  to?: string;
  act?: () => void;
  /** Why it is disabled: `Requires the Editor role`. */
  disabledReason?: string | null;
}
