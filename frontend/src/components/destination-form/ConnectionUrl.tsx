import { Anchor, TextInput } from '@mantine/core';
import { useState } from 'react';
import useSWR from 'swr';
import { parsePostgresUrl } from '~/domain/destinations/postgres-url';
import type { FieldValues } from '~/domain/destinations/json-schema';
import { loadConfig } from '~/api/http/config';

/** Fills in the form from a URL; the URL itself is not kept. */
export function ConnectionUrl({ onUse }: { onUse: (values: FieldValues) => void }) {
  const { data: config } = useSWR('config', loadConfig, { revalidateOnFocus: false });
  const [text, setText] = useState('');
  const ofDemo = config?.demoWarehouseUrl ? parsePostgresUrl(config.demoWarehouseUrl) : null;
  return (
    <TextInput
      label="Connection URL (optional)"
      description={
        <>
          Paste one to fill in the fields below.{' '}
          {ofDemo && (
            <Anchor component="button" type="button" inherit onClick={() => onUse(ofDemo)}>
              Use this demo’s warehouse
            </Anchor>
          )}
        </>
      }
      placeholder="postgresql://user:password@host:5432/database"
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => {
        const fields = parsePostgresUrl(event.currentTarget.value);
        setText(fields ? '' : event.currentTarget.value);
        if (fields) onUse(fields);
      }}
    />
  );
}
