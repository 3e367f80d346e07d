import { ApiProperty } from '@nestjs/swagger';
import { IsString, IsUUID, Length, Validate } from 'class-validator';
import { AdAccountEntry, CheckEntry } from '../../core/http/failure.dto.js';
import { MayBeMissing } from '../../core/http/may-be-missing.decorator.js';
import { IsDay } from '../connections.dto.js';

export class TestConnectionBody {
  /** A selected stream of the connection; the first one if omitted. */
  @MayBeMissing()
  @IsString()
  @Length(1, 64)
  stream?: string;

  /** The provider's id of an account of the source; the first open account if omitted. */
  @MayBeMissing()
  @IsString()
  @Length(1, 64)
  accountId?: string;

  /** A day in the account's time zone; yesterday if omitted. */
  @MayBeMissing()
  @Validate(IsDay)
  day?: string;

  /** Chosen by the caller: repeated in the live events of this test. */
  @MayBeMissing()
  @IsUUID()
  testId?: string;
}

/** One item of a test. */
export class TestItem extends CheckEntry {
  /** Kind of the failure, as in `Failure`; null for items that did not fail. */
  class: string | null;
}

/** The rows that the source returned, without excluded columns. */
export class TestSample {
  columns: string[];
  /** At most 20 rows. */
  @ApiProperty({ type: 'array', items: { type: 'array', items: { type: ['string', 'null'] } } })
  rows: (string | null)[][];
  /** All rows of the day. */
  rowCount: number;
}

/** A request that was sent to the source. */
export class TestRequest {
  method: string;
  /** Without secrets. */
  url: string;
  /** The sent body without secrets; null if there was none. */
  body: string | null;
  /** Null if there was no answer. */
  status: number | null;
  durationMs: number;
  /** The provider's id of the request, for its support. */
  providerRequestId: string | null;
}

/** A statement, request or event of the write, exactly as a run would send it. */
export class TestWriteStep {
  /** What it does. */
  title: string;
  kind: 'sql' | 'request' | 'event';
  /** The statement, the method and address of the request, or the event as JSON. */
  text: string;
  /** Values of a statement, rows of a load, or body of a request; null if it has none. */
  body: string | null;
}

export class TestWrite {
  /** Display name of the table or event. */
  target: string;
  steps: TestWriteStep[];
  /** Events beyond the first 20, which are not listed. */
  omittedSteps: number;
  /** Rows beyond the first 20, which are not listed in the body of the load. */
  omittedRows: number;
}

/** The result of a test, which writes nothing. */
export class ConnectionTest {
  stream: string;
  account: AdAccountEntry;
  day: string;
  sourceItems: TestItem[];
  destinationItems: TestItem[];
  /** Null if the source could not be read. */
  sample: TestSample | null;
  /** At most 100. */
  requests: TestRequest[];
  /** What a run would send for these rows; null if it could not be determined. */
  write: TestWrite | null;
}
