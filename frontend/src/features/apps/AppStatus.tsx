import type { App } from '~/api/types';
import { Status } from '~/components/status/Status';
import { appTable } from './app-state';

export function AppStatus({ app }: { app: App }) {
  const { icon, tone, word } = appTable[app.state];
  return (
    <Status icon={icon} tone={tone}>
      {word}
    </Status>
  );
}
