import { IconPlus } from '@tabler/icons-react';
import { icon } from '~/ui/icon';
import { GatedButton } from '~/ui/inputs/GatedButton';

interface CreateButtonProps {
  label: string;
  to: string;
  disabledReason: string | null;
  /** `md` in an empty list. */
  size: 'sm' | 'md';
}

/** The main action of a list. */
export const CreateButton = ({ label, ...button }: CreateButtonProps) => (
  <GatedButton align="end" leftSection={<IconPlus {...icon} />} {...button}>
    {label}
  </GatedButton>
);
