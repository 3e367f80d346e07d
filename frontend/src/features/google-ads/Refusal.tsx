import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useApps } from '../../api/apps';
import { ApiProblem } from '../../api/problem';
import { authorizeApp } from '../../api/authorize-app';
import { readFlowState } from '../../lib/flow-state';
import { paths } from '../../lib/paths';
import { useOrganizationId } from '../../session/organization-context';
import { describeError } from '../../ui/describe-error';
import { Notice } from '../../ui/Notice';
import { ProviderMark } from '../../ui/ProviderMark';
import { toast } from '../../ui/toast';
import styles from './GoogleAdsPage.module.css';

interface Ending {
  title: string;
  text: string;
  again: string;
  tone: 'warn' | 'danger';
}

/** Every way an authorization can end without access, and the way out of each. */
const endings: Record<string, Ending> = {
  'oauth.denied': {
    title: 'Access was not granted',
    text: 'Google’s page was left without agreeing. Nothing was stored.',
    again: 'Ask Google again',
    tone: 'warn',
  },
  'oauth.missing_scope': {
    title: 'One permission is missing',
    text: 'The box for managing Google Ads campaigns was not ticked on Google’s page. Reports cannot be read without it.',
    again: 'Sign in again and tick the box',
    tone: 'warn',
  },
  'oauth.no_accounts': {
    title: 'This Google user has no ad accounts',
    text: 'Sign in with the user that opens Google Ads, or have an administrator of the ad account invite this one.',
    again: 'Sign in as somebody else',
    tone: 'warn',
  },
  'oauth.state_invalid': {
    title: 'This answer belongs to no sign-in of yours',
    text: 'It was used already, or began in another browser. Nothing was stored.',
    again: 'Start again',
    tone: 'danger',
  },
  'oauth.state_expired': {
    title: 'The sign-in took too long',
    text: 'An answer of Google’s is good for ten minutes. Nothing was stored.',
    again: 'Start again',
    tone: 'warn',
  },
  'oauth.other_user': {
    title: 'Another Google user signed in',
    text: 'The app belongs to a different user, whose accounts would be lost. Nothing was changed.',
    again: 'Sign in as the same user',
    tone: 'warn',
  },
};

export function Refusal({ error }: { error: unknown }) {
  const organizationId = useOrganizationId();
  const { data: apps } = useApps(organizationId);
  const [isLeaving, setLeaving] = useState(false);
  const { message, requestId } = describeError(error);
  const code = error instanceof ApiProblem ? error.code : '';
  const ending = endings[code] ?? {
    title: 'Google Ads could not be connected',
    text: message,
    again: 'Start again',
    tone: 'danger',
  };
  const isFromWizard = readFlowState().storedFrom === 'connection';
  const back = isFromWizard
    ? { label: 'Back to the connection', to: paths.createConnection(organizationId, { step: 'source' }) }
    : { label: 'Back to apps', to: paths.apps(organizationId) };
  const again = async () => {
    setLeaving(true);
    await authorizeApp(organizationId, apps?.items ?? [], back.to).catch((thrown: unknown) => {
      setLeaving(false);
      toast.failed(thrown);
    });
  };
  return (
    <>
      <div className={styles.head}>
        <ProviderMark provider="google_ads" size="lg" />
        <h1>Google Ads is not connected</h1>
      </div>
      <Notice tone={ending.tone} title={ending.title} isAlert>
        {ending.text}
        {endings[code] && message !== '' && code === 'oauth.other_user' && ` ${message}`}
        {requestId && !endings[code] && (
          <>
            {' '}
            Request <code>{requestId}</code>
          </>
        )}
      </Notice>
      <div className={styles.buttons}>
        <Button onClick={() => void again()} loading={isLeaving}>
          {ending.again}
        </Button>
        <Button variant="default" component={Link} to={back.to}>
          {back.label}
        </Button>
      </div>
    </>
  );
}
