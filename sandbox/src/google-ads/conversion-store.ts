import { Journal } from '../journal.ts';

/** Through which API a conversion came. Google Ads groups its upload summaries by it. */
export type UploadClient = 'GOOGLE_ADS_API' | 'ADS_DATA_CONNECTOR';

export interface ConversionVersion {
  at: string;
  requestId: string;
  value: number;
  currency: string;
}

export interface StoredConversion {
  customerId: string;
  actionId: string;
  client: UploadClient;
  transactionId: string | null;
  clickId: string | null;
  /** ISO 8601 in UTC. */
  eventTime: string;
  value: number;
  currency: string;
  count: number;
  hasUserData: boolean;
  isRetracted: boolean;
  /** The value of every upload and adjustment, oldest first. */
  versions: ConversionVersion[];
  /** Time of the newest adjustment through the Google Ads API. */
  adjustedAt: string | null;
}

/** The events of one request for one conversion action. Times are in milliseconds. */
export interface Upload {
  customerId: string;
  actionId: string;
  client: UploadClient;
  jobId: string;
  at: number;
  /** Until then the events are pending. */
  readyAt: number;
  successful: number;
  /** Failed events by reason: that of the Data Manager API, or category and code of the Google Ads API (`dateError.…`). */
  failures: Record<string, number>;
}

export type ConversionKey = Pick<StoredConversion, 'actionId' | 'transactionId' | 'clickId' | 'eventTime'>;

type Entry = { conversion: StoredConversion } | { upload: Upload };

/** All recorded conversions, shared by the Google Ads API and the Data Manager API. */
export class ConversionStore {
  readonly #journal = new Journal<Entry>();
  readonly #conversions = new Map<string, StoredConversion>();
  readonly #uploads: Upload[] = [];
  #unwritten: Entry[] = [];

  open(dataDir: string | undefined): void {
    for (const entry of this.#journal.open(dataDir, 'conversions.jsonl')) {
      if ('upload' in entry) this.#uploads.push(entry.upload);
      else this.#conversions.set(keyOf(entry.conversion), entry.conversion);
    }
  }

  find(key: ConversionKey): StoredConversion | undefined {
    return this.#conversions.get(keyOf(key));
  }

  /** Adds or replaces a conversion. It is written to the data folder by the next `addUpload`. */
  put(conversion: StoredConversion): void {
    this.#conversions.set(keyOf(conversion), conversion);
    this.#unwritten.push({ conversion });
  }

  addUpload(upload: Upload): void {
    this.#uploads.push(upload);
    this.#journal.append([...this.#unwritten, { upload }]);
    this.#unwritten = [];
  }

  conversions(): StoredConversion[] {
    return [...this.#conversions.values()];
  }

  uploadsOf(customerId: string): Upload[] {
    return this.#uploads.filter((upload) => upload.customerId === customerId);
  }
}

/** A transaction id identifies a conversion within its action; without one, the click and the time do. */
function keyOf({ actionId, transactionId, clickId, eventTime }: ConversionKey): string {
  return transactionId === null ? `${actionId} click ${clickId} ${eventTime}` : `${actionId} id ${transactionId}`;
}
