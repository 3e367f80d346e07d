import { describeError } from '~/api/http/describe-error';
import { readableText } from '~/api/http/field-errors';
import { Notice } from '~/ui/feedback/Notice';
import { PlanButton } from './PlanLink';
import { withAction } from './with-action';

interface ErrorTextProps {
  error: unknown;
  /** A link to where the cause is fixed. */
  actions?: React.ReactNode;
}

/** The error of a form or a dialog. */
export function ErrorText({ error, actions }: ErrorTextProps) {
  const description = describeError(error);
  const { title, message, requestId, planAction } = description;
  return (
    <Notice
      tone="danger"
      title={title ?? undefined}
      actions={planAction === null ? actions : <PlanButton label={planAction} />}
      isAlert
    >
      {withAction(readableText(message, error), description)}
      {requestId && (
        <span className="label">
          {' '}
          Request <code>{requestId}</code>
        </span>
      )}
    </Notice>
  );
}
