import type { AuthMode } from '../connectors/kit/connector.js';
import type { Need } from '../connectors/kit/rows/excluded-columns.js';
import type { Category, Level, ProviderName, StreamVerification } from '../connectors/kit/contract.js';
import { allProviders } from '../connectors/registry.js';
import { ProviderOf } from './provider.decorator.js';

export class CatalogScope {
  scope: string;
  /** Why the product requests it. */
  reason: string;
  /** Whether the connection fails without it. */
  isRequired: boolean;
}

export class CatalogColumn {
  name: string;
  type: 'text' | 'bigint' | 'double' | 'date' | 'boolean';
  description: string;
  /**
   * Why the column is always written: it identifies rows, verifies that all rows arrived, or holds the currency. Null if it can
   * be excluded.
   */
  need: Need | null;
  /** Whether it can be stored as a hash. */
  canHash: boolean;
}

export class CatalogStream {
  name: string;
  title: string;
  description: string;
  /** Table at the destination, without the prefix. */
  table: string;
  /** Columns that identify a row. */
  key: string[];
  /** What a row describes. */
  level: Level;
  /** Dimensions that split its rows, such as `country`. */
  breakdowns: string[];
  /** Why recent days are read again. */
  lookbackReason: string;
  /**
   * What rows are compared with before they are loaded: the provider's row count, its totals, its totals as a share (the stream
   * lists only a part), or nothing. Every stream is also compared with the rows that the destination reports.
   */
  verification: StreamVerification;
  columns: CatalogColumn[];
}

/** One way to connect. */
export class CatalogCredentials {
  authMode: AuthMode;
  scopes: CatalogScope[];
  /** JSON Schema of the secrets that a user enters; null for OAuth, where users sign in at the provider. */
  schema: Record<string, unknown> | null;
}

/** One platform, warehouse or tool that the product can connect to. */
export class CatalogConnector {
  @ProviderOf(allProviders)
  provider: ProviderName;
  name: string;
  roles: ('source' | 'destination')[];
  category: Category;
  description: string;
  /** Ways to connect, the most common first. */
  credentials: CatalogCredentials[];
  /** JSON Schema of its settings, used to render the form; null if it has no settings. */
  settingsSchema: Record<string, unknown> | null;
  streams: CatalogStream[];
}

export class Catalog {
  connectors: CatalogConnector[];
}
