import { Anchor, TextInput } from '@mantine/core';
import { useState } from 'react';
import useSWR from 'swr';
import { parsePostgresUrl } from '~/domain/destinations/postgres-url';
import type { FieldValues } from '~/domain/destinations/json-schema';
import { loadConfig } from '~/api/http/config';

/** Fills in the form from a connection URL. The URL itself is not stored. */
export function ConnectionUrl({ onUse }: { onUse: (values: FieldValues) => void }) {
  const { data: config } = useSWR('config', loadConfig, { revalidateOnFocus: false });
  const [text, setText] = useState('');
  const demoValues = config?.demoWarehouseUrl ? parsePostgresUrl(config.demoWarehouseUrl) : null;
  return (
    <TextInput
      label="Connection URL (optional)"
      description={
        <>
          Paste a URL to fill in the fields below.{' '}
          {demoValues && (
            <Anchor component="button" type="button" inherit onClick={() => onUse(demoValues)}>
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
