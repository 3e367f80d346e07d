import { randomBytes } from 'node:crypto';
import { sendJson } from '../../router.ts';
import { accounts, languages, type Language } from '../accounts.ts';
import { authenticate, reachAccount, requireAdsScope, type Caller } from '../access.ts';
import type { Call } from '../call.ts';
import { badParameter, GraphError, notGranted, unknownObject } from '../errors.ts';
import { numberOf, strike, strikeAccount, strikePageLimit } from '../faults.ts';
import { pageOf, undamaged } from '../paging.ts';
import type { MetaAdsState } from '../state.ts';
import { datasets, datasetsOf, type Dataset } from './datasets.ts';
import { readData, readEvents, type ServerEvent } from './events.ts';
import type { Batch, ReceivedEvents } from './received-events.ts';
import { missingSubcode, rejectionIn, type Reject } from './rejections.ts';

/** The Conversions API and the datasets to which it sends. */
export class Conversions {
  readonly #state: MetaAdsState;
  readonly #received: ReceivedEvents;

  constructor(state: MetaAdsState, received: ReceivedEvents) {
    this.#state = state;
    this.#received = received;
  }

  /** GET act_<id>/adspixels. The edge kept its name when pixels became datasets. */
  list(call: Call): unknown {
    const caller = authenticate(call, this.#state);
    requireAdsScope(caller);
    const account = reachAccount(caller.user, call.params.accountId ?? '');
    strikeAccount(this.#state.faults, call, call.occasion, account.id);
    const all = datasetsOf(account.id);
    const limit = strikePageLimit(this.#state.faults, call, call.occasion);
    const nodes = all.map((dataset) => node(dataset, call.parameters.get('fields')));
    const page = pageOf(call, nodes, call.parameters, caller.token, { ...undamaged, limit });
    const hasSummary = (call.parameters.get('summary') ?? '').includes('total_count');
    return { ...page, ...(hasSummary && { summary: { total_count: all.length } }) };
  }

  /** GET <dataset>. */
  read(call: Call): unknown {
    const caller = authenticate(call, this.#state);
    return node(this.#reach(call, caller, 'get'), call.parameters.get('fields'));
  }

  /** POST <dataset>/events. One invalid event rejects all of them. */
  receive(call: Call): void {
    const caller = authenticate(call, this.#state);
    const dataset = this.#reach(call, caller, 'post');
    checkAgent(call.parameters.get('partner_agent'));
    const sent = readData(call.parameters.get('data'));
    const testEventCode = call.parameters.get('test_event_code');
    const batch: Batch = {
      datasetId: dataset.id,
      channel: 'server',
      receivedAt: this.#state.clock.now().getTime(),
      ...(testEventCode && { testEventCode }),
    };
    const events = this.#check(call, batch, sent, rejectionIn(languageOf(call, caller)));
    this.#answer(call, batch, events, sent);
  }

  #check(call: Call, batch: Batch, sent: unknown[], reject: Reject): ServerEvent[] {
    try {
      const events = readEvents(sent, this.#state.nowSeconds(), reject);
      this.#strikeEvent(call, events, reject);
      return events;
    } catch (error) {
      if (error instanceof GraphError) this.#received.reject(batch, sent, error.extra.subcode ?? error.code);
      throw error;
    }
  }

  /** A fault for one event, which rejects every batch that contains it. */
  #strikeEvent(call: Call, events: ServerEvent[], reject: Reject): void {
    const { faults } = this.#state;
    const ids = new Set(events.map(({ id }) => id));
    const isSent = faults
      .list()
      .some(({ fault, parameters }) => fault === 'reject_event' && ids.has(parameters.eventId as string));
    const fault = isSent ? strike(faults, call, 'reject_event', call.occasion) : undefined;
    if (fault) throw reject({ is: 'invalid', subcode: numberOf(fault, 'subcode', missingSubcode) });
  }

  #answer(call: Call, batch: Batch, events: ServerEvent[], sent: unknown[]): void {
    const hit = (name: string) => strike(this.#state.faults, call, name, call.occasion);
    const fewer = hit('fewer_events_received');
    const lostCount = fewer ? Math.min(events.length, numberOf(fewer, 'missing', 1)) : 0;
    this.#received.accept(batch, events, sent, lostCount, hit('deduplicate_server_events') !== undefined);
    const lostAnswer = hit('fail_after_applying');
    if (lostAnswer?.parameters.drop === true) return void call.response.destroy();
    if (lostAnswer) throw new GraphError(2, 'Service temporarily unavailable', { httpStatus: 500, isTransient: true });
    const messages = hit('event_messages');
    sendJson(
      call.response,
      200,
      {
        events_received: events.length - lostCount,
        messages: messages ? [textOf(messages.parameters.text)] : [],
        fbtrace_id: `A${randomBytes(16).toString('base64url')}`,
      },
      call.headers,
    );
  }

  /** A user with `ads_management` and one of its accounts, or a token created for this dataset. */
  #reach(call: Call, caller: Caller, method: 'get' | 'post'): Dataset {
    const { datasetId = '' } = call.params;
    const dataset = datasets.get(datasetId);
    const isOther = strike(this.#state.faults, call, 'other_dataset', call.occasion) !== undefined;
    if (!dataset || isOther) throw unknownObject(datasetId, method);
    strikeAccount(this.#state.faults, call, call.occasion, dataset.ownerAccountId);
    if (caller.claims.datasetId !== undefined) {
      if (caller.claims.datasetId !== datasetId) throw unknownObject(datasetId, method);
      return dataset;
    }
    const { accountIds, deniedAccountIds } = caller.user;
    if (!dataset.accountIds.some((id) => accountIds.includes(id))) throw unknownObject(datasetId, method);
    const isAllowed = dataset.accountIds.some((id) => accountIds.includes(id) && !deniedAccountIds.includes(id));
    const scopes = method === 'get' ? ['ads_read', 'ads_management'] : ['ads_management'];
    if (!isAllowed || !scopes.some((scope) => caller.claims.scopes.includes(scope))) throw notGranted();
    return dataset;
  }
}

/** Of the parameter `locale`, such as es_ES, or of the user. */
function languageOf({ parameters }: Call, { user, claims }: Caller): Language {
  const requested = languages.find((language) => parameters.get('locale')?.startsWith(`${language}_`));
  return requested ?? (claims.datasetId === undefined ? user.language : 'it');
}

function node(dataset: Dataset, fields: string | null): Record<string, unknown> {
  const owner = accounts.get(dataset.ownerAccountId);
  const all: Record<string, unknown> = {
    name: dataset.name,
    is_unavailable: owner?.status === 101,
    owner_ad_account: { account_id: dataset.ownerAccountId, id: `act_${dataset.ownerAccountId}` },
    ...(owner?.business && { owner_business: owner.business }),
  };
  const requested = (fields ?? 'id').split(',');
  return { ...Object.fromEntries(Object.entries(all).filter(([name]) => requested.includes(name))), id: dataset.id };
}

/** The platform from which events are sent: below 23 characters, with at least two letters. */
function checkAgent(agent: string | null): void {
  if (agent === null || (agent.length < 23 && (agent.match(/[a-z]/gi) ?? []).length >= 2)) return;
  throw badParameter('Param partner_agent must have less than 23 characters and at least 2 letters');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : 'Some events may not be used for attribution';
}
