import { afterEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';

let app: TestApp;
afterEach(() => app?.stop());

async function configWith(settings: Record<string, string>) {
  app = await startTestApp(settings);
  const answer = await fetch(`${app.url}/config.json`);
  const { intercom } = (await answer.json()) as { intercom: object | null };
  return { intercom, policy: answer.headers.get('content-security-policy') ?? '' };
}

describe('the messenger', () => {
  it('is absent from the web app settings and the content security policy when it is not configured', async () => {
    const { intercom, policy } = await configWith({});
    expect(intercom).toBeNull();
    expect(policy).not.toContain('intercom');
  });

  it('is in the web app settings and the content security policy when it is configured', async () => {
    const region = 'https://api-iam.eu.intercom.io';
    const { intercom, policy } = await configWith({ INTERCOM_APP_ID: 'abc123', INTERCOM_API_BASE: region });
    expect(intercom).toEqual({ appId: 'abc123', apiBase: region });
    expect(policy).toMatch(/script-src [^;]*https:\/\/widget\.intercom\.io https:\/\/js\.intercomcdn\.com/);
    expect(policy).toMatch(/connect-src [^;]*wss:\/\/\*\.intercom\.io/);
  });
});
