import { defineConversionSource, defineKeySource, type PaymentSourceParts } from '../kit/declaration.js';
import { httpUrl } from '../kit/environment.js';
import { CorruptAnswer, FixSettings } from '../kit/errors.js';
import { listAccounts, mergeAccounts } from './accounts.js';
import { StripeApi, STRIPE_VERSION, type StripeSettings } from './api.js';
import { stripeConversionSource } from './conversion-source.js';
import { permissionMissing } from './errors.js';
import { paymentEventsStream } from './events.js';
import { eventSchema } from './objects.js';
import { readSlice } from './read.js';
import { readRecurringRevenue } from './recurring/read-recurring.js';
import { rights } from './rights.js';
import { sampleRows } from './sample.js';
import { credentialsSchema, PAYMENT_PROVIDER, sourceSettingsSchema } from './settings.js';

/** Fees may be booked a day late, and a first payment may be confirmed within 23 hours. */
const LOOKBACK_DAYS = 3;

/** Where the payments of customers are read; another subject than this installation's own billing. */
const environment = { STRIPE_PAYMENTS_URL: httpUrl.default('https://api.stripe.com') };

export const stripe = defineKeySource({
  provider: PAYMENT_PROVIDER,
  displayName: 'Stripe',
  category: 'payments',
  description: 'Payments, refunds, disputes, subscriptions and trials of your Stripe account, read with a restricted key.',
  streams: [paymentEventsStream],
  historyMonths: null,
  settingsSchema: sourceSettingsSchema,
  signIn: { kind: 'api_key', schema: credentialsSchema },
  environment,
  create: ({ STRIPE_PAYMENTS_URL: baseUrl }, { now }) => stripeConnector({ baseUrl, now }),
});

export const stripeConversions = defineConversionSource({
  provider: PAYMENT_PROVIDER,
  environment,
  create: ({ STRIPE_PAYMENTS_URL: baseUrl }, { now }) => stripeConversionSource({ baseUrl, now }),
});

export function stripeConnector(settings: StripeSettings): PaymentSourceParts {
  return {
    apiVersion: { name: STRIPE_VERSION, endsOn: null },
    rights: rights.map(({ name, label, isOptional }) => ({
      ...{ scope: name, isRequired: !isOptional },
      reason: `To read “${label}”${isOptional ? ', for recurring revenue only' : ''}.`,
    })),
    hintOf: ({ apiKey }) => `${apiKey.slice(0, 'rk_test_'.length)}…${apiKey.slice(-4)}`,
    modeOf: (hint) => (hint.startsWith('rk_test_') ? 'test' : 'live'),
    async check(key, context) {
      const api = new StripeApi(settings, key);
      const missing: string[] = [];
      for (const { name, path, isOptional } of rights) {
        if (isOptional) continue;
        try {
          await api.request(context, path);
        } catch (error) {
          if (!(error instanceof FixSettings) || error.code !== 'stripe.permission_missing') throw error;
          missing.push(name);
        }
      }
      if (missing.length > 0) throw permissionMissing(missing);
      const accounts = await listAccounts(api, context);
      if (accounts.length === 0) throw new CorruptAnswer({ code: 'stripe.no_account', message: 'Stripe named no account.', action: 'Try again' }); // prettier-ignore
      return accounts;
    },
    mergeAccounts,
    open(key, given) {
      const api = new StripeApi(settings, key);
      return {
        provider: PAYMENT_PROVIDER,
        streams: [paymentEventsStream],
        listAccounts: (context) => listAccounts(api, context),
        lookbackDays: () => Promise.resolve(LOOKBACK_DAYS),
        read: (context, slice) => readSlice({ ...settings, api, settings: sourceSettingsSchema.parse(given) }, context, slice),
      };
    },
    async *listEvents(key, context, { from, to, types }) {
      const filter = { 'created[gte]': secondsOf(from), 'created[lte]': secondsOf(to), types };
      yield* new StripeApi(settings, key).list(context, '/v1/events', eventSchema, filter);
    },
    sample: (key, context, given, { account, limit }) => {
      const parts = { api: new StripeApi(settings, key), settings: sourceSettingsSchema.parse(given), now: settings.now };
      return sampleRows(parts, context, account, limit);
    },
    readRecurringRevenue: (key, context) => readRecurringRevenue(new StripeApi(settings, key), context, settings.now()),
  };
}

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1_000);
