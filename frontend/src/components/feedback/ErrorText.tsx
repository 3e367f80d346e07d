import { describeError } from '~/api/http/describe-error';
import { readableText } from '~/api/http/field-errors';
import { Notice } from '~/ui/feedback/Notice';
import { PlanButton } from './PlanLink';
import { withAction } from './with-action';

/** The error of a form or a dialog. */
export function ErrorText({ error }: { error: unknown }) {
  const description = describeError(error);
  const { title, message, requestId, planAction } = description;
  return (
    <Notice tone="danger" title={title ?? undefined} actions={planAction !== null && <PlanButton label={planAction} />} isAlert>
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
