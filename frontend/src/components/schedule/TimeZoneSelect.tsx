import { Select } from '@mantine/core';
import { useMemo } from 'react';

interface TimeZoneSelectProps {
  value: string;
  isLocked: boolean;
  onChange: (timeZone: string) => void;
}

/** Every IANA zone the browser knows, and the one that is set even if it does not. */
export function TimeZoneSelect({ value, isLocked, onChange }: TimeZoneSelectProps) {
  const zones = useMemo(() => [...new Set([value, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort(), [value]);
  return (
    <Select
      w={220}
      data={zones}
      value={value}
      searchable
      allowDeselect={false}
      limit={100}
      disabled={isLocked}
      nothingFoundMessage="No such time zone"
      onChange={(zone) => zone && onChange(zone)}
      aria-label="Time zone"
    />
  );
}
