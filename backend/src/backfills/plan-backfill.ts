import { Injectable } from '@nestjs/common';
import type { AdAccount } from '../connectors/kit/contract.js';
import { addDays, dayInTimeZone } from '../connectors/kit/days.js';
import { notFound, Problem } from '../core/http/problem.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { type OpenSource, SourcesService } from '../sources/index.js';
import type { BackfillBody, BackfillModeName, Preset } from './backfills.dto.js';

export interface Selected {
  connectionId: string;
  name: string;
  streams: string[];
  accounts: AdAccount[];
  from: string;
  to: string;
  source: OpenSource;
}

/** What a backfill reads. */
export interface BackfillPlan extends Selected {
  mode: BackfillModeName;
  requestedFrom: string;
  /** Null: the first day was not moved. */
  adjustedReason: string | null;
}

interface Wanted {
  streams?: string[] | undefined;
  accounts?: string[] | undefined;
}

/** Resolves a request to streams, accounts and days of a connection. */
@Injectable()
export class PlanBackfill {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly sources: SourcesService,
  ) {}

  async plan(organizationId: string, connectionId: string, body: BackfillBody): Promise<BackfillPlan> {
    const parts = await this.select(organizationId, connectionId, body);
    const { from: requestedFrom, to } = rangeOf(body, parts);
    const { earliestAvailable: earliest, providerName } = parts.source;
    const isMoved = earliest !== null && requestedFrom < earliest;
    const from = isMoved ? earliest : requestedFrom;
    if (from > to) throw historyGone(providerName, from);
    const adjustedReason =
      isMoved && body.preset !== 'all_available' ? `${providerName} no longer has days before ${earliest}.` : null;
    return { ...parts, mode: body.mode, requestedFrom: adjustedReason ? requestedFrom : from, from, to, adjustedReason };
  }

  /** All days that the platform still has of those that the connection has or wants. Days before them are copied. */
  async planResync(organizationId: string, connectionId: string, stream: string): Promise<BackfillPlan> {
    const parts = await this.select(organizationId, connectionId, { streams: [stream] });
    const first = await this.tenants.of(organizationId).coverage.findFirst({
      where: { connectionId, stream, firstLoadedAt: { not: null } },
      orderBy: { day: 'asc' },
      select: { day: true },
    });
    const loadedFrom = first?.day.toISOString().slice(0, 10) ?? parts.historyFrom;
    const wanted = loadedFrom < parts.historyFrom ? loadedFrom : parts.historyFrom;
    const { earliestAvailable: earliest } = parts.source;
    const from = earliest !== null && wanted < earliest ? earliest : wanted;
    const now = new Date();
    const to = parts.accounts.reduce((last, { timeZone }) => {
      const today = dayInTimeZone(now, timeZone);
      return today > last ? today : last;
    }, from);
    return { ...parts, mode: 'replace', requestedFrom: from, from, to, adjustedReason: null };
  }

  /** The exact days of a reload. */
  async planDays(organizationId: string, connectionId: string, body: Wanted & { from: string; to: string }): Promise<Selected> {
    const { from, to } = body;
    const parts = await this.select(organizationId, connectionId, body);
    if (from > to) throw invalidRange('from must not be after to');
    const { earliestAvailable: earliest, providerName } = parts.source;
    if (earliest !== null && from < earliest) throw historyGone(providerName, earliest);
    return { ...parts, from, to };
  }

  private async select(organizationId: string, connectionId: string, { streams, accounts }: Wanted): Promise<Parts> {
    const connection = await this.tenants
      .of(organizationId)
      .connection.findFirst({ where: { id: connectionId, deletedAt: null } });
    if (!connection) throw notFound('The connection');
    const source = await this.sources.open(organizationId, connection.sourceId);
    const unknown = (streams ?? []).filter((name) => !connection.streams.includes(name));
    if (unknown.length > 0)
      throw new Problem('connection.unknown_stream', {
        detail: `${connection.name} does not load ${unknown.join(', ')}.`,
        action: 'Choose streams of the connection',
      });
    return {
      connectionId,
      name: connection.name,
      historyFrom: connection.historyFrom.toISOString().slice(0, 10),
      streams: streams ?? connection.streams,
      accounts: chosen(source, accounts),
      source,
    };
  }
}

type Parts = Omit<Selected, 'from' | 'to'> & { historyFrom: string };

function chosen(source: OpenSource, ids: string[] | undefined): AdAccount[] {
  const unknown = (ids ?? []).filter((id) => !source.accounts.some(({ externalId }) => externalId === id));
  if (unknown.length > 0)
    throw new Problem('connection.unknown_account', {
      detail: `The source does not contain ${unknown.join(', ')}.`,
      action: 'Choose accounts of the source',
    });
  return source.accounts.filter(({ externalId }) => ids === undefined || ids.includes(externalId));
}

function rangeOf({ preset, from, to }: BackfillBody, parts: Parts): { from: string; to: string } {
  if (preset) {
    if (from !== undefined || to !== undefined) throw invalidRange('from and to must be omitted with a preset');
    return rangeOfPreset(preset, parts);
  }
  if (from === undefined || to === undefined) throw invalidRange('a preset, or from and to are required');
  if (from > to) throw invalidRange('from must not be after to');
  return { from, to };
}

/** Ends on the last day that is over in the time zones of all accounts. */
function rangeOfPreset(preset: Preset, { source, accounts, historyFrom }: Parts): { from: string; to: string } {
  const now = new Date();
  const [today = dayInTimeZone(now, 'UTC')] = accounts.map(({ timeZone }) => dayInTimeZone(now, timeZone)).sort();
  const to = addDays(today, -1);
  const firstDays: Record<Preset, string> = {
    last_30_days: addDays(to, -29),
    last_90_days: addDays(to, -89),
    this_year: `${to.slice(0, 4)}-01-01`,
    last_400_days: addDays(to, -399),
    all_available: source.earliestAvailable ?? historyFrom,
  };
  return { from: firstDays[preset], to };
}

const invalidRange = (message: string): Problem =>
  new Problem('request.invalid', { detail: message, errors: [{ field: 'from', message }] });

const historyGone = (providerName: string, earliest: string): Problem =>
  new Problem('connection.history_gone', {
    detail: `${providerName} no longer has daily data of these days. Its first day is ${earliest}.`,
    action: `Choose ${earliest} or a later day`,
  });
