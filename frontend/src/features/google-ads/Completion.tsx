import { useEffect, useState } from 'react';
import { useSWRConfig } from 'swr';
import { completeAuthorization } from '../../api/apps';
import type { AuthorizationAnswer } from '../../api/apps';
import { keysOf } from '../../api/keys';
import type { App } from '../../api/types';
import { ChooseAccounts } from './ChooseAccounts';
import { Progress } from './Progress';
import { Reconnected } from './Reconnected';
import { Refusal } from './Refusal';

interface Completed {
  app: App;
  returnTo: string | null;
}

/** The answer may be used once: a page that is drawn twice, as React does while developing, must still ask only once. */
const asked = new Map<string, Promise<Completed>>();

function completeOnce(organizationId: string, answer: AuthorizationAnswer): Promise<Completed> {
  const known = asked.get(answer.state) ?? completeAuthorization(organizationId, answer);
  asked.set(answer.state, known);
  return known;
}

interface CompletionProps {
  organizationId: string;
  answer: AuthorizationAnswer;
}

export function Completion({ organizationId, answer }: CompletionProps) {
  const [completed, setCompleted] = useState<Completed | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const { mutate } = useSWRConfig();
  const { state, code, error } = answer;
  useEffect(() => {
    completeOnce(organizationId, { state, code, error }).then(setCompleted, setFailure);
    return () => void mutate(keysOf(organizationId, 'apps', 'app', 'sources', 'connections', 'connection'));
  }, [organizationId, state, code, error, mutate]);
  if (failure !== null) return <Refusal error={failure} />;
  if (completed === null) return <Progress />;
  if (completed.app.usedBy.sources > 0) return <Reconnected app={completed.app} returnTo={completed.returnTo} />;
  return <ChooseAccounts appId={completed.app.id} />;
}
