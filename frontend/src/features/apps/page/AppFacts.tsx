import { IconCheck, IconX } from '@tabler/icons-react';
import { useCatalog } from '~/api/catalog';
import type { App } from '~/api/types';
import { formatMoment } from '~/lib/dates';
import { formatDayOf, inDays } from '~/domain/time/days-left';
import { formatCount } from '~/lib/numbers';
import { signInName } from '~/domain/accounts/providers';
import { formatFuture } from '~/lib/relative-time';
import { useNow } from '~/lib/use-now';
import { DescriptionList } from '~/ui/data/DescriptionList';
import type { Fact } from '~/ui/data/DescriptionList';
import { icon } from '~/ui/icon';
import { Meter } from '~/ui/data/Meter';
import { Notice } from '~/ui/feedback/Notice';
import { Section } from '~/ui/layout/Page';
import { RelativeTime } from '~/ui/data/RelativeTime';
import { appCan } from '~/features/apps/app-state';
import { waitingText } from '~/features/apps/describe-app';
import styles from './AppPage.module.css';

function Scopes({ app }: { app: App }) {
  const { data } = useCatalog();
  const reasons =
    data?.connectors.find(({ provider }) => provider === app.provider)?.credentials.flatMap(({ scopes }) => scopes) ?? [];
  const scopes = [
    ...app.grantedScopes.map((scope) => ({ scope, isGranted: true })),
    ...app.missingScopes.map((scope) => ({ scope, isGranted: false })),
  ];
  if (scopes.length === 0) return null;
  return (
    <Section title="Scopes">
      <ul className={styles.scopes}>
        {scopes.map(({ scope, isGranted }) => (
          <li key={scope}>
            {isGranted ? <IconCheck {...icon} color="var(--t-good)" /> : <IconX {...icon} color="var(--t-danger)" />}
            <span>
              <code>{scope}</code>
              <span className="visually-hidden">{isGranted ? ' granted' : ' missing'}</span>
              {!isGranted && <span className={styles.missing}>Missing</span>}
              <span className={styles.why}>{reasons.find((reason) => reason.scope === scope)?.reason}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The meter shows a warning from this value. */
const HIGH_PERCENT = 80;

/** While the platform throttles the app: why, until when, and what waits. */
function QuotaPause({ pause }: { pause: NonNullable<App['quotaPause']> }) {
  const now = useNow();
  return (
    <Notice tone="warn" title={`Throttled, continues ${formatFuture(pause.until, now)}`}>
      {pause.reason} {waitingText(pause.waitingRuns)} Runs continue automatically, and nothing is lost.
    </Notice>
  );
}

function Quota({ app: { quota, quotaPause } }: { app: App }) {
  const now = useNow();
  if (!quota && !quotaPause) return null;
  return (
    <Section title="Quota">
      {quotaPause && <QuotaPause pause={quotaPause} />}
      {quota && <QuotaMeter quota={quota} now={now} />}
    </Section>
  );
}

function QuotaMeter({ quota, now }: { quota: NonNullable<App['quota']>; now: Date }) {
  const isReset = quota.resetAt !== null && Date.parse(quota.resetAt) <= now.getTime();
  const percent = isReset ? 0 : Math.round(quota.usedPercent);
  const reset = quota.resetAt && !isReset ? `, resets ${formatFuture(quota.resetAt, now)}` : '';
  return (
    <>
      <Meter
        label="Quota used"
        value={percent}
        max={100}
        valueText={`${percent}% used`}
        tone={percent >= HIGH_PERCENT ? 'warn' : 'plain'}
      />
      <p className={styles.quota}>
        {percent}% used{reset}
      </p>
    </>
  );
}

/** Daily budget of platform requests that users trigger manually. */
function RequestBudget({ app: { requestBudget, provider } }: { app: App }) {
  const now = useNow();
  if (!requestBudget) return null;
  const { used, limit, resetAt } = requestBudget;
  const words = `${formatCount(used)} of ${formatCount(limit)} used`;
  return (
    <Section title="Manual requests today">
      <Meter
        label="Manual requests today"
        value={used}
        max={limit}
        valueText={words}
        tone={used * 100 >= limit * HIGH_PERCENT ? 'warn' : 'plain'}
      />
      <p className={styles.quota}>
        {words}, resets {formatFuture(resetAt, now)}
      </p>
      <p className="quiet">
        Account lists, tests and estimates of all {signInName(provider)} apps of this organization. Runs are not counted.
      </p>
    </Section>
  );
}

const accountFacts = ({ accounts, provider }: App): Fact[] =>
  accounts.length === 0
    ? []
    : [
        {
          label: provider === 'stripe' ? 'Currencies' : 'Ad accounts',
          value: `${accounts.length}, ${[...new Set(accounts.map(({ currency }) => currency))].toSorted().join(', ')}`,
        },
      ];

/** `in 60 days, Jan 19, 2027` */
const formatSignInAgain = (at: string, now: Date): string => `${inDays(at, now)}, ${formatDayOf(at, now)}`;

function useSignInFacts(app: App): Fact[] {
  const now = useNow();
  if (app.authMode !== 'oauth2' || appCan.mustReconnect(app)) return [];
  return [
    {
      label: 'Next sign-in',
      value: app.signInAgainAt ? formatSignInAgain(app.signInAgainAt, now) : 'Not required, auto-renews',
    },
    { label: 'Renewed', value: <RelativeTime at={app.lastRefreshAt} isFocusable /> },
  ];
}

/** Time of the last test, or of the sign-in's end if that is later. */
function LastCheck({ app: { lastProbeAt, needsReauthSince, failure } }: { app: App }) {
  const at = [lastProbeAt, needsReauthSince]
    .filter((one) => one !== null)
    .toSorted()
    .at(-1);
  if (at === undefined) return '—';
  return (
    <>
      {failure ? 'Failed' : 'Works'}, <RelativeTime at={at} isFocusable />
    </>
  );
}

/** Member who signed in last or entered the credentials, and when. */
function authorizedFacts({ authorised }: App, now: Date): Fact[] {
  if (authorised === null) return [];
  const who = authorised.way === 'link' ? 'Reconnect link' : (authorised.email ?? 'Former member');
  return [
    { label: 'Authorized by', value: who },
    { label: 'Authorized on', value: formatMoment(authorised.at, now) },
  ];
}

export function AppFacts({ app }: { app: App }) {
  const now = useNow();
  const signIn = useSignInFacts(app);
  return (
    <>
      <DescriptionList
        facts={[
          {
            label: app.authMode === 'oauth2' ? 'Signed in as' : 'Access',
            value: app.externalUser ?? app.credentialHint ?? '—',
          },
          ...authorizedFacts(app, now),
          { label: 'Roles', value: app.roles.map((role) => (role === 'source' ? 'Source' : 'Destination')).join(', ') },
          ...accountFacts(app),
          ...signIn,
          { label: 'Last check', value: <LastCheck app={app} /> },
        ]}
      />
      <Scopes app={app} />
      <Quota app={app} />
      <RequestBudget app={app} />
    </>
  );
}
