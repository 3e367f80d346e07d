import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { parseTimeOfDay } from '~/domain/connections/schedule';

interface TimeOfDayProps {
  label: string;
  value: string;
  isLocked: boolean;
  onChange: (time: string) => void;
}

/** A text field, because the browser's time field uses 12 hours in some locales. */
export function TimeOfDay({ label, value, isLocked, onChange }: TimeOfDayProps) {
  // Only while the user types: a newer version of the schedule changes the value.
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? value;
  return (
    <TextInput
      w={72}
      value={text}
      disabled={isLocked}
      error={parseTimeOfDay(text) === null}
      inputMode="numeric"
      aria-label={label}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        const next = parseTimeOfDay(event.currentTarget.value);
        if (next) onChange(next);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
