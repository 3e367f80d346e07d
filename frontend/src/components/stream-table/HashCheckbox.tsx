import { Checkbox } from '@mantine/core';

interface HashCheckboxProps {
  field: string;
  stream: string;
  isHashed: boolean;
  isLocked: boolean;
  onToggle: () => void;
}

/** For fields that can be hashed. */
export const HashCheckbox = ({ field, stream, isHashed, isLocked, onToggle }: HashCheckboxProps) => (
  <Checkbox label="Hash" aria-label={`Hash ${field} of ${stream}`} checked={isHashed} disabled={isLocked} onChange={onToggle} />
);
