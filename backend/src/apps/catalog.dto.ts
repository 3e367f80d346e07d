export class CatalogScope {
  scope: string;
  /** Why we ask for it. */
  reason: string;
}

export class CatalogColumn {
  name: string;
  type: 'text' | 'bigint' | 'double' | 'date' | 'boolean';
  description: string;
}

export class CatalogStream {
  name: string;
  title: string;
  description: string;
  /** Table at the destination, after its prefix. */
  table: string;
  /** Columns that identify a row. */
  key: string[];
  /** Why recent days are read again. */
  lookbackReason: string;
  columns: CatalogColumn[];
}

/** One thing the product can connect to. */
export class CatalogConnector {
  provider: 'google_ads' | 'postgresql';
  name: string;
  roles: ('source' | 'destination')[];
  category: 'advertising' | 'warehouse' | 'product_analytics';
  description: string;
  authMode: 'oauth2' | 'password';
  scopes: CatalogScope[];
  /** JSON Schema of its settings, from which forms are drawn. */
  settingsSchema: Record<string, unknown> | null;
  /** JSON Schema of its secrets. */
  credentialsSchema: Record<string, unknown> | null;
  streams: CatalogStream[];
}

export class Catalog {
  connectors: CatalogConnector[];
}
