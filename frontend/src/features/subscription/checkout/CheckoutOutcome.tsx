import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { sentence } from '~/lib/sentence';
import { useOrganization } from '~/session/organization-context';
import { describeError } from '~/api/http/describe-error';
import { icon } from '~/ui/icon';
import { Notice } from '~/ui/feedback/Notice';
import type { CheckoutAnswer } from './checkout-verdict';
import styles from './Checkout.module.css';

interface Words {
  tone: 'accent' | 'warn' | 'danger';
  title: string;
  text: React.ReactNode;
}

function failureOf(error: unknown): Words {
  const { message, requestId } = describeError(error);
  return {
    tone: 'danger',
    title: sentence(message),
    text: (
      <>
        If you have paid, your payment is safe. It is applied as soon as it is confirmed.
        {requestId && (
          <>
            {' '}
            Request <code>{requestId}</code>
          </>
        )}
      </>
    ),
  };
}

function wordsOf(verdict: Exclude<CheckoutAnswer, { kind: 'open' }>, name: string): Words {
  if (verdict.kind === 'failed') return failureOf(verdict.error);
  if (verdict.kind === 'processing')
    return {
      tone: 'accent',
      title: 'Still processing',
      text: 'Stripe has not confirmed the payment yet. Some banks take minutes. You can close this page. The plan activates automatically.',
    };
  return {
    tone: 'warn',
    title: `This checkout does not belong to ${name}`,
    text: 'The link may be expired, incomplete or for another organization. If you have paid, your plan is listed under Subscription.',
  };
}

interface CheckoutOutcomeProps {
  verdict: CheckoutAnswer;
  onCheckAgain: () => void;
}

/** Outcome of the checks if the plan is not active yet. */
export function CheckoutOutcome({ verdict, onCheckAgain }: CheckoutOutcomeProps) {
  const { id, document } = useOrganization();
  if (verdict.kind === 'open') return null;
  const { tone, title, text } = wordsOf(verdict, document?.company_name ?? 'this organization');
  return (
    <>
      <Notice tone={tone} title={title} isAlert>
        {text}
      </Notice>
      <div className={styles.buttons}>
        <Button leftSection={<IconRefresh {...icon} />} onClick={onCheckAgain}>
          Check again
        </Button>
        <Button component={Link} variant="default" to={paths.subscription(id)}>
          Go to Subscription
        </Button>
      </div>
    </>
  );
}
