import { Autocomplete } from '@mantine/core';
import { metaEvents } from '~/domain/conversions/meta-event';

const MAX_LENGTH = 50;

interface MetaEventFieldProps {
  value: string;
  isLocked?: boolean;
  onChange: (eventName: string) => void;
}

/** The name under which Meta counts the events. */
export const MetaEventField = ({ value, isLocked = false, onChange }: MetaEventFieldProps) => (
  <Autocomplete
    label="Event name"
    description="A standard event of Meta, or a name of your own. Meta requires value and currency for Purchase"
    data={metaEvents}
    maxLength={MAX_LENGTH}
    value={value}
    error={value.trim() === '' && 'Enter an event name'}
    disabled={isLocked}
    onChange={onChange}
  />
);
