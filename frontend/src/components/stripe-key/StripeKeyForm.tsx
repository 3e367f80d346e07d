import { Anchor, Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import useSWR from 'swr';
import { useCatalog } from '~/api/catalog';
import { loadConfig } from '~/api/http/config';
import { ErrorText } from '~/components/feedback/ErrorText';
import { useAction } from '~/lib/use-action';
import { GatedButton } from '~/ui/inputs/GatedButton';
import styles from './StripeKeyForm.module.css';

const KEY = /^rk_(live|test)_\w{8,240}$/;

/** Opens Stripe's form for a new restricted key, with the permissions selected. */
function createKeyUrl(rights: string[]): string {
  const query = new URLSearchParams([['name', 'Tributary'], ...rights.map((right) => ['permissions[]', right])]);
  return `https://dashboard.stripe.com/apikeys/create?${query}`;
}

function Permissions() {
  const { data } = useCatalog();
  const scopes = data?.connectors.find(({ provider }) => provider === 'stripe')?.credentials[0]?.scopes ?? [];
  if (scopes.length === 0) return null;
  return (
    <details className={styles.permissions}>
      <summary>Permissions of the key</summary>
      <ul>
        {scopes.map(({ scope, reason }) => (
          <li key={scope}>
            <code>{scope}</code> <span className="label">{reason}</span>
          </li>
        ))}
      </ul>
      <p>
        <a href={createKeyUrl(scopes.map(({ scope }) => scope))} target="_blank" rel="noreferrer">
          Create the key in Stripe
        </a>
      </p>
    </details>
  );
}

function Hint({ isLocked, onUse }: { isLocked: boolean; onUse: (key: string) => void }) {
  const { data: config } = useSWR('config', loadConfig, { revalidateOnFocus: false });
  const demoKey = config?.demoStripeKey ?? null;
  return (
    <>
      In Stripe under Developers, API keys.{' '}
      {demoKey !== null && (
        <Anchor component="button" type="button" inherit disabled={isLocked} onClick={() => onUse(demoKey)}>
          Use this demo’s key
        </Anchor>
      )}
    </>
  );
}

interface StripeKeyFormProps {
  /** Checks and saves the key. */
  onSubmit: (apiKey: string) => Promise<unknown>;
  submitLabel: string;
  disabledReason: string | null;
  onCancel?: () => void;
}

/** A restricted key, which is checked before it is saved and never shown again. */
export function StripeKeyForm({ onSubmit, submitLabel, disabledReason, onCancel }: StripeKeyFormProps) {
  const [text, setText] = useState('');
  const { run, isBusy, error } = useAction();
  const key = text.trim();
  const isWrong = key !== '' && !KEY.test(key);
  const submit = () => void run(() => onSubmit(key));
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (KEY.test(key)) submit();
      }}
    >
      <PasswordInput
        label="Restricted key"
        description={<Hint isLocked={disabledReason !== null} onUse={setText} />}
        placeholder="rk_live_…"
        autoComplete="off"
        spellCheck={false}
        disabled={disabledReason !== null}
        value={text}
        error={isWrong ? 'Enter a restricted key, which begins with rk_live_ or rk_test_' : null}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Permissions />
      {error !== null && <ErrorText error={error} />}
      <span className={styles.buttons}>
        <GatedButton
          type="submit"
          disabledReason={disabledReason}
          waitsFor={key === '' ? 'Enter a key' : isWrong ? 'Not a restricted key' : null}
          loading={isBusy}
        >
          {submitLabel}
        </GatedButton>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </span>
    </form>
  );
}
