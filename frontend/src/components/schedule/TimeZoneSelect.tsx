import { Select } from '@mantine/core';
import { useMemo } from 'react';

interface TimeZoneSelectProps {
  value: string;
  isLocked: boolean;
  onChange: (timeZone: string) => void;
}

/** All IANA time zones of the browser, and the current value if the browser does not have it. */
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
      nothingFoundMessage="No results"
      onChange={(zone) => zone && onChange(zone)}
      aria-label="Time zone"
    />
  );
}
