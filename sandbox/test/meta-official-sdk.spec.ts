import {
  AdAccount,
  CrashReporter,
  CustomData,
  EventRequest,
  FacebookAdsApi,
  ServerEvent,
  UserData,
  type EventResponse,
} from 'facebook-nodejs-business-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { de, johnsEmail, secondsAgo, shop, startMeta, stores } from './meta.ts';

type Parameters = Record<string, unknown>;

/** The SDK's own client. The last argument of `call` replaces the address graph.facebook.com. */
class SandboxApi extends FacebookAdsApi {
  override call<Result>(method: string, path: string | string[], parameters?: Parameters, files?: Parameters): Promise<Result> {
    return super.call<Result>(method, path, parameters, files, false, `${meta.url}/meta-ads`);
  }
}

let meta: Awaited<ReturnType<typeof startMeta>>;
let token: string;
beforeAll(async () => {
  meta = await startMeta();
  token = await meta.signInWith(['ads_read', 'ads_management']);
});
afterAll(() => meta.close());

function event(id: string, userData: UserData): ServerEvent {
  return new ServerEvent()
    .setEventName('Purchase')
    .setEventId(id)
    .setEventTime(secondsAgo(60))
    .setActionSource('website')
    .setEventSourceUrl('https://shop.example/')
    .setUserData(userData)
    .setCustomData(new CustomData().setValue(9.5).setCurrency('EUR').setOrderId('order-1'));
}

const john = (): UserData => new UserData().setEmail(' John_Smith@gmail.com ').setPhone('+1 (650) 555-1212').setCountry('us');

async function send(events: ServerEvent[], appSecret: string | null = null, dataset = shop): Promise<EventResponse> {
  const request = new EventRequest(token, dataset, events);
  if (appSecret !== null) request.setAppSecret(appSecret);
  // Every request starts the SDK's crash reporter, which would send data to Meta, and a client for graph.facebook.com.
  CrashReporter.disable();
  FacebookAdsApi.setDefaultApi(new SandboxApi(token, 'en_US', false));
  return request.execute();
}

/** Of an error that the SDK throws. */
const codesOf = (error: unknown): unknown => {
  const { status, response } = error as { status: number; response: { code: number; error_subcode?: number } };
  return [status, response.code, response.error_subcode];
};

describe("Meta's SDK sends events", () => {
  it('and reads why a batch was rejected', async () => {
    const old = event('old', john()).setEventTime(secondsAgo(8 * 86_400));
    await expect(send([event('new', john()), old]).catch(codesOf)).resolves.toEqual([400, 100, 2_804_003]);
    const thin = event('thin', new UserData().setClientUserAgent('a'));
    await expect(send([thin]).catch(codesOf)).resolves.toEqual([400, 100, 2_804_050]);
    await expect(send([event('any', john())], 'another secret').catch(codesOf)).resolves.toEqual([400, 100, undefined]);
    await expect(send([event('any', john())], null, '710000000000099').catch(codesOf)).resolves.toEqual([400, 100, 33]);
  });

  it('and reads how many were received', async () => {
    const answer = await send([event('a', john()), event('b', john().setExternalId('user-42'))], 'secret', stores);
    expect([answer.events_received, answer.messages]).toEqual([2, []]);
    expect(answer.fbtrace_id).toMatch(/^A/);
  });

  it('that the sandbox stores with the hashes of the SDK', async () => {
    const { body } = await meta.admin(`meta-ads/received?datasetId=${stores}`);
    expect(body).toMatchObject({
      totals: { received: 2, counted: 2, attributed: 2 },
      events: [
        {
          id: 'a',
          event: {
            custom_data: { value: 9.5, currency: 'EUR', order_id: 'order-1' },
            user_data: { em: [johnsEmail], ph: ['e323ec626319ca94ee8bff2e4c87cf613be6ea19919ed1364124e16807ab3176'] },
          },
        },
        { id: 'b', event: { user_data: { external_id: ['user-42'] } } },
      ],
    });
    // The SDK sends null for everything that is not set, and the sandbox must not read it as a text.
    expect(body.events?.[0]).not.toHaveProperty('testEventCode');
  });
});

describe("Meta's SDK lists", () => {
  it('the datasets of an account', async () => {
    const account = new AdAccount(`act_${de}`, {}, undefined, new SandboxApi(token, 'en_US', false));
    const pixels = (await account.getAdsPixels(['id', 'name', 'is_unavailable'])) as unknown as { id: string; name: string }[];
    expect(pixels.map(({ id, name }) => ({ id, name }))).toEqual([{ id: shop, name: 'Northwind "shop"' }]);
  });
});
