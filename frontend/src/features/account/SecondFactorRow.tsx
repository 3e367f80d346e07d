import { Button } from '@mantine/core';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { localDay, formatDay } from '~/lib/dates';
import { useAction } from '~/lib/use-action';
import { useNow } from '~/lib/use-now';
import { loadIdentity } from '~/session/load-identity';
import type { EnrolledFactor, FactorSetup } from '~/session/second-factor/second-factor';
import { useSession } from '~/session/session-context';
import { useEnrolledFactors } from '~/session/second-factor/use-enrolled-factors';
import { Skeleton, Loading } from '~/ui/feedback/Skeleton';
import { ConfirmDialog } from '~/components/feedback/ConfirmDialog';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { SettingRow } from '~/ui/layout/SettingRow';
import { toast } from '~/components/feedback/toast';
import styles from './Account.module.css';
import { IdentityFailure } from './IdentityFailure';
import { SetUpForm } from './SetUpForm';

function Enrolled({ factor, onChanged }: { factor: EnrolledFactor; onChanged: () => Promise<void> }) {
  const now = useNow();
  const [isConfirming, setConfirming] = useState(false);
  const { run, error } = useAction();
  const remove = async () => {
    setConfirming(false);
    await run(async () => {
      await (await (await loadIdentity()).secondFactor()).remove(factor.id);
      toast.done('Two-step sign-in disabled');
      await onChanged();
    });
  };
  return (
    <div className={styles.stack}>
      <p>Enabled with an authenticator app since {formatDay(localDay(new Date(factor.enrolledAt)), now)}.</p>
      <Button variant="default" onClick={() => setConfirming(true)}>
        Remove
      </Button>
      {error !== null && <IdentityFailure error={error} />}
      <ConfirmDialog
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        title="Remove two-step sign-in?"
        stops={['You sign in with your password or Google account only', 'You lose access to organizations that require it']}
        stays={['Your account, your organizations and your API keys']}
        confirmLabel="Remove two-step sign-in"
        onConfirm={remove}
      />
    </div>
  );
}

function NotEnrolled({ onChanged }: { onChanged: () => Promise<void> }) {
  const { isEmailVerified } = useSession();
  const [setup, setSetup] = useState<FactorSetup | null>(null);
  const { run, isBusy, error } = useAction();
  const begin = async () => setSetup(await (await (await loadIdentity()).secondFactor()).begin());
  const done = async () => {
    setSetup(null);
    toast.done('Two-step sign-in enabled');
    await onChanged();
  };
  if (setup) return <SetUpForm setup={setup} onDone={done} onCancel={() => setSetup(null)} />;
  return (
    <div className={styles.stack}>
      <p>Disabled. You sign in with your password or Google account only.</p>
      <GatedButton
        disabledReason={isEmailVerified ? null : 'Verify your email address first'}
        loading={isBusy}
        onClick={() => void run(begin)}
      >
        Set up two-step sign-in
      </GatedButton>
      {error !== null && <IdentityFailure error={error} />}
    </div>
  );
}

export function SecondFactorRow() {
  const { data: factors, error, mutate: reload } = useEnrolledFactors();
  const { mutate } = useSWRConfig();
  // Organizations that require a second factor can be accessible now.
  const onChanged = async () => {
    await reload();
    await mutate(() => true);
  };
  const [factor] = factors ?? [];
  return (
    <SettingRow
      title="Two-step sign-in"
      hint="Requires a code from an authenticator app in addition to your password or Google account."
    >
      {error !== undefined && <IdentityFailure error={error} />}
      {!factors && error === undefined && (
        <Loading label="Loading two-step sign-in">
          <Skeleton width={240} height={32} radius={6} />
        </Loading>
      )}
      {factor && <Enrolled factor={factor} onChanged={onChanged} />}
      {factors && !factor && <NotEnrolled onChanged={onChanged} />}
    </SettingRow>
  );
}
