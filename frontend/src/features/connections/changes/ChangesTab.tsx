import { Select } from '@mantine/core';
import { useSearchParams } from 'react-router-dom';
import type { Connection } from '~/api/types';
import { Movement } from './Movement';
import { Reconciliation } from './Reconciliation';
import { RestatedDays } from './RestatedDays';
import { SettlingTimes } from './SettlingTimes';

/** How the loaded days changed, and whether they still equal the platform's totals. */
export function ChangesTab({ connection }: { connection: Connection }) {
  const [parameters, setParameters] = useSearchParams();
  const streams = connection.streams.filter(({ isSelected }) => isSelected).map(({ name }) => name);
  const stream = streams.find((name) => name === parameters.get('stream')) ?? streams[0] ?? '';
  const choose = (name: string) =>
    setParameters(
      (before) => {
        before.set('stream', name);
        return before;
      },
      { replace: true },
    );
  return (
    <>
      <Reconciliation connection={connection} />
      <Select w={240} maw="100%" mt={24} label="Stream" data={streams} value={stream} onChange={(name) => name && choose(name)} />
      <SettlingTimes connectionId={connection.id} stream={stream} />
      <Movement key={stream} connection={connection} stream={stream} />
      <RestatedDays connectionId={connection.id} stream={stream} />
    </>
  );
}
