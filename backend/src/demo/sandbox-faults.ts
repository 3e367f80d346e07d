import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ENV, type Env } from '../core/config/env.js';
import { Problem } from '../core/http/problem.js';
import { addDays, dayInTimeZone } from '../connectors/kit/days.js';
import type { DemoFaultName } from './demo.dto.js';

const TIMEOUT_MS = 5_000;
/** Recent days that every run reads again. */
const RESTATED_DAYS = { from: 2, to: 1 };

/** The warehouse loses each row that is a multiple of this. */
const LOST_ROW = 10;

interface Account {
  externalId: string;
  timeZone: string;
}

interface Fault {
  provider: string;
  fault: string;
  [parameter: string]: unknown;
}

const activeFaults = z.object({
  faults: z.array(z.object({ id: z.string(), provider: z.string(), fault: z.string() })),
});

/** Faults of the demo's sandbox. */
@Injectable()
export class SandboxFaults {
  constructor(@Inject(ENV) private readonly env: Env) {}

  async cause(name: DemoFaultName, account: Account): Promise<void> {
    // Rows that did not change are not written again, so only changed days can lose rows.
    if (name === 'drop_rows') await this.call('POST', 'admin/faults', faultOf('restate', account));
    // A second fault of the warehouse would replace the first one, which would then stay in the list.
    if (name === 'drop_rows' && (await this.isLosingRows())) return;
    await this.call('POST', 'admin/faults', faultOf(name, account));
  }

  async isLosingRows(): Promise<boolean> {
    return (await this.losses()).length > 0;
  }

  async stopLosingRows(): Promise<void> {
    for (const { id } of await this.losses()) await this.call('DELETE', `admin/faults/${id}`);
  }

  private async losses(): Promise<{ id: string }[]> {
    const { faults } = activeFaults.parse(await this.call('GET', 'admin/faults'));
    return faults.filter(({ provider, fault }) => provider === 'postgresql' && fault === 'drop_rows');
  }

  private async call(method: string, path: string, body?: Fault): Promise<unknown> {
    const url = new URL(path, this.env.SANDBOX_URL);
    const init = body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
    const response = await fetch(url, { method, ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((cause: unknown) => {
      throw noAnswer(cause);
    });
    if (!response.ok) throw noAnswer(new Error(`${method} ${url.pathname} returned ${response.status}`));
    return response.json();
  }
}

const noAnswer = (cause: unknown): Problem =>
  new Problem(
    'provider.unavailable',
    { detail: 'The sandbox of the demo does not respond.', action: 'Restart the demo with make start' },
    { cause },
  );

function faultOf(name: DemoFaultName, { externalId, timeZone }: Account): Fault {
  const google = { provider: 'google-ads', fault: name };
  switch (name) {
    case 'expire_token':
      return { ...google, times: 1 };
    case 'throttle':
      return { ...google, times: 2, retryDelaySeconds: 5 };
    case 'restate': {
      const today = dayInTimeZone(new Date(), timeZone);
      const range = { from: addDays(today, -RESTATED_DAYS.from), to: addDays(today, -RESTATED_DAYS.to) };
      return { ...google, customerId: externalId, ...range };
    }
    case 'drop_rows':
      return { provider: 'postgresql', fault: name, everyNth: LOST_ROW };
  }
}
