import { Kbd, Modal } from '@mantine/core';
import { usePlan } from '~/session/organization-context';
import { DescriptionList } from '~/ui/data/DescriptionList';
import { entriesFor } from './layout/navigation';

/** The keyboard shortcuts, opened with `?`. */
export default function Shortcuts({ onClose }: { onClose: () => void }) {
  const pages = entriesFor(usePlan()).flat();
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" closeButtonProps={{ 'aria-label': 'Close' }}>
      <DescriptionList
        facts={[
          { label: 'Search or jump to', value: <Keys of={['⌘ or Ctrl', 'K']} /> },
          { label: 'Create connection', value: <Keys of={['C']} /> },
          ...pages.map(({ label, shortcut }) => ({ label, value: <Keys of={['G', shortcut]} /> })),
          { label: 'Keyboard shortcuts', value: <Keys of={['?']} /> },
        ]}
      />
    </Modal>
  );
}

const Keys = ({ of }: { of: string[] }) => (
  <span style={{ display: 'inline-flex', gap: 4 }}>
    {of.map((key) => (
      <Kbd key={key}>{key}</Kbd>
    ))}
  </span>
);
