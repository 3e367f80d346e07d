import type { z } from 'zod';
import type { DestinationCredentials } from './connector.js';
import type { ConnectorContext, ProviderName } from './contract.js';

/** Where a conversion reads its events: a warehouse query, an analytics project or a payment account. */

/** A field of a record. Numbers that JavaScript cannot hold exactly are text. */
export type RecordValue = string | number | boolean | null;

/** One event as the source returns it, by field name. Nested objects are flattened: `properties.plan`. It is kept in memory only. */
export type SourceRecord = Record<string, RecordValue>;

/** Where the next read continues. JSON, defined by the connector; stored by the engine after the records are stored. */
export type SourceCursor = Record<string, RecordValue>;

export interface RecordPage {
  /** At most 1,000 records. */
  records: SourceRecord[];
  /** Bytes read for this page. */
  bytes: number;
  /** Null: the page ends inside a part that can only be read again as a whole. */
  cursor: SourceCursor | null;
}

export interface RecordSample {
  records: SourceRecord[];
  /** All field names, in the order of the source. */
  fields: string[];
  /** Whether the source has more records than these. */
  hasMore: boolean;
  /** Bytes that the provider reads, and may bill, for the sample and again for each read of this size. Missing: reads are free. */
  bytesProcessed?: number;
}

/** Reads the events of one conversion. Repeated records are expected: the ledger of the conversion removes them by their dedupe key. */
export interface ConversionSource {
  /** The newest records, for the mapping and the preview. Changes nothing. */
  sample(context: ConnectorContext, limit: number): Promise<RecordSample>;
  /**
   * Everything after the cursor, and again what may still have changed or arrived late, but nothing that is known to be from before
   * `since`.
   * @param cursor null: the first read, which begins at `since`
   */
  read(context: ConnectorContext, cursor: SourceCursor | null, since: Date): AsyncIterable<RecordPage>;
  close(): Promise<void>;
}

/** Public interface of a connector that conversions read from. */
export interface ConversionSourceConnector {
  provider: ProviderName;
  name: string;
  /** Fields of the form: the query, or the name of the event. Strict; none of them is secret. */
  settingsSchema: z.ZodType<Record<string, unknown>>;
  /**
   * The field that identifies a record and the field with its time, if the connector knows them. They are the default of the mapping.
   */
  defaultFields: { id: string | null; occurredAt: string | null };
  /**
   * @param place settings of the destination whose app has the credentials, such as host and database; `{}` for an app without one
   */
  open(settings: Record<string, unknown>, place: Record<string, unknown>, access: DestinationCredentials): ConversionSource;
}
