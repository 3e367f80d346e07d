import type { AuthMode } from '../connectors/kit/connector.js';
import type { Need } from '../connectors/kit/excluded-columns.js';
import type { AppProvider, Level, StreamVerification } from '../connectors/kit/contract.js';

export class CatalogScope {
  scope: string;
  /** Why we ask for it. */
  reason: string;
  /** Whether nothing works without it. */
  isRequired: boolean;
}

export class CatalogColumn {
  name: string;
  type: 'text' | 'bigint' | 'double' | 'date' | 'boolean';
  description: string;
  /** Why it is always written: it tells rows apart, proves that all arrived, or says what money is counted in. Null: it can be left out. */
  need: Need | null;
}

export class CatalogStream {
  name: string;
  title: string;
  description: string;
  /** Table at the destination, after its prefix. */
  table: string;
  /** Columns that identify a row. */
  key: string[];
  /** What a row is about. */
  level: Level;
  /** Into what else its rows are split, such as `country`. */
  breakdowns: string[];
  /** Why recent days are read again. */
  lookbackReason: string;
  /**
   * What rows are compared with before they are loaded: the provider's row count, its totals, its totals as a share (only a part is
   * listed), or nothing. Every stream is also compared with what the destination reports back.
   */
  verification: StreamVerification;
  columns: CatalogColumn[];
}

/** A way to connect. */
export class CatalogCredentials {
  authMode: AuthMode;
  scopes: CatalogScope[];
  /** JSON Schema of the secrets that are typed in; null for OAuth, where people sign in at the provider. */
  schema: Record<string, unknown> | null;
}

/** One thing the product can connect to. */
export class CatalogConnector {
  provider: AppProvider;
  name: string;
  roles: ('source' | 'destination')[];
  category: 'advertising' | 'warehouse' | 'product_analytics' | 'custom';
  description: string;
  /** Ways to connect, the usual one first. */
  credentials: CatalogCredentials[];
  /** JSON Schema of its settings, from which forms are drawn; null when there is nothing to set. */
  settingsSchema: Record<string, unknown> | null;
  streams: CatalogStream[];
}

export class Catalog {
  connectors: CatalogConnector[];
}
