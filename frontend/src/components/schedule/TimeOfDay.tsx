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
  const [text, setText] = useState(value);
  const parsed = parseTimeOfDay(text);
  return (
    <TextInput
      w={72}
      value={text}
      disabled={isLocked}
      error={parsed === null}
      inputMode="numeric"
      aria-label={label}
      onChange={(event) => {
        setText(event.currentTarget.value);
        const next = parseTimeOfDay(event.currentTarget.value);
        if (next) onChange(next);
      }}
      onBlur={() => setText(parsed ?? value)}
    />
  );
}
