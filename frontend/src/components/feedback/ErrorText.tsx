import { describeError } from '~/api/http/describe-error';
import { readableText } from '~/api/http/field-errors';
import { sentence } from '~/lib/sentence';
import { Notice } from '~/ui/feedback/Notice';
import { PlanButton } from './PlanLink';

/** The error of a form or a dialog. */
export function ErrorText({ error }: { error: unknown }) {
  const { title, message, action, requestId, planAction } = describeError(error);
  return (
    <Notice tone="danger" title={title ?? undefined} actions={planAction !== null && <PlanButton label={planAction} />} isAlert>
      {sentence(readableText(message, error))}
      {action && action !== planAction && ` ${sentence(action)}`}
      {requestId && (
        <span className="label">
          {' '}
          Request <code>{requestId}</code>
        </span>
      )}
    </Notice>
  );
}
