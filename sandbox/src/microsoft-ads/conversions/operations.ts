import type { Exchange } from '../../router.ts';
import type { Account } from '../accounts.ts';
import { internalError } from '../errors.ts';
import { numberOf, strike } from '../faults.ts';
import type { MicrosoftAdsState } from '../state.ts';
import { adjustOffline, adjustOnline } from './adjustments.ts';
import { occasionOf, partialErrors, type ErrorName } from './batch-errors.ts';
import { dailyReport, goalReport } from './conversion-reports.ts';
import { applyConversions, goalsForUpload, type Upload } from './offline-conversions.ts';
import { ReceivedRows, type ReceivedRow } from './received-rows.ts';
import { tagKey, tagsByIds } from './uet-tags.ts';
import { goalJson } from './upload-goals.ts';

type Json = Record<string, unknown>;
type Row = ReceivedRow & { errors: ErrorName[] };

/** Operations of Campaign Management for conversions. */
export class ConversionOperations {
  readonly received: ReceivedRows;
  readonly #state: MicrosoftAdsState;

  constructor(state: MicrosoftAdsState, dataDir: string | undefined) {
    this.#state = state;
    this.received = new ReceivedRows(dataDir);
  }

  applyOffline = (exchange: Exchange, body: Json, account: Account): Json | null =>
    this.#apply(exchange, 'offline_conversions', account, (upload) => applyConversions(upload, body.OfflineConversions));

  adjustOffline = (exchange: Exchange, body: Json, account: Account): Json | null =>
    this.#apply(exchange, 'offline_adjustments', account, (upload) => adjustOffline(upload, body.OfflineConversionAdjustments));

  adjustOnline = (exchange: Exchange, body: Json, account: Account): Json | null =>
    this.#apply(exchange, 'online_adjustments', account, (upload) => adjustOnline(upload, body.OnlineConversionAdjustments));

  dailyReport = (exchange: Exchange, body: Json, account: Account): Json => dailyReport(this.#upload(exchange, account), body);

  goalReport = (exchange: Exchange, body: Json, account: Account): Json => goalReport(this.#upload(exchange, account), body);

  tags = (_: Exchange, body: Json, account: Account): Json => tagsByIds(account, body);

  tagKey = (exchange: Exchange, body: Json, account: Account): Json =>
    tagKey(this.#state, this.received, exchange, account, body);

  /** Goals for ConversionGoals/QueryByIds. */
  goals(account: Account, ids: string[], types: string[], additionalFields: string[]): Json[] {
    if (!types.includes('OfflineConversion')) return [];
    return goalsForUpload(this.received, account)
      .filter(({ id }) => ids.length === 0 || ids.includes(id))
      .map((goal) => goalJson(account, goal, additionalFields));
  }

  /** Null: there is no answer. */
  #apply(exchange: Exchange, event: string, account: Account, apply: (upload: Upload) => Row[]): Json | null {
    const upload = this.#upload(exchange, account);
    const hit = (name: string) => strike(this.#state.faults, exchange, name, occasionOf(exchange, event));
    const dropped = hit('drop_conversions');
    const rows = apply({ ...upload, lostEveryNth: dropped ? numberOf(dropped, 'everyNth', 1) : null });
    const lostAnswer = hit('fail_after_applying');
    if (lostAnswer?.parameters.drop === true) exchange.response.destroy();
    else if (lostAnswer) throw internalError(500);
    return lostAnswer ? null : { PartialErrors: partialErrors(rows) };
  }

  #upload(exchange: Exchange, account: Account): Upload {
    return {
      state: this.#state,
      received: this.received,
      exchange,
      account,
      now: this.#state.clock.now().getTime(),
      lostEveryNth: null,
    };
  }
}
