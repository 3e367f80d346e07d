import { useMemo } from 'react';
import { useConversionSources } from '~/api/conversions/conversion-setup';
import type { Conversion } from '~/api/types';
import { SourceFields } from '~/components/conversion-rules/SourceFields';
import { fieldsOf } from '~/domain/destinations/json-schema';
import type { FieldValues, SchemaField } from '~/domain/destinations/json-schema';
import { useOrganizationId } from '~/session/organization-context';
import { SettingRow } from '~/ui/layout/SettingRow';

/** The fields of the source's settings, such as a query. None while they are loaded, and for a source without settings. */
export function useSourceFields({ source: { appId, destinationId } }: Conversion): SchemaField[] {
  const { data } = useConversionSources(useOrganizationId());
  const choice = data?.items.find((item) => item.appId === appId && item.destinationId === destinationId);
  const schema = choice?.settingsSchema ?? null;
  return useMemo(() => fieldsOf(schema), [schema]);
}

interface SourceRowProps {
  provider: string;
  fields: SchemaField[];
  values: FieldValues;
  errors: Record<string, string | null>;
  isLocked: boolean;
  onChange: (values: FieldValues) => void;
}

/** Where events are read. */
export const SourceRow = ({ values, onChange, ...shown }: SourceRowProps) => (
  <SettingRow title="Source" hint="After a change, the next run reads from the start. Events that are known are not sent again.">
    <SourceFields {...shown} values={values} onChange={(name, value) => onChange({ ...values, [name]: value })} />
  </SettingRow>
);
