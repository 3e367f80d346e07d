import { Button, Modal } from '@mantine/core';
import { IconMessage } from '@tabler/icons-react';
import type { RuntimeConfig } from '~/api/types';
import { useOptionalOrganizationId } from '~/session/organization-context';
import { openMessenger } from '~/session/support';
import { DescriptionList } from '~/ui/data/DescriptionList';
import { icon } from '~/ui/icon';
import { CopyButton } from '~/ui/inputs/CopyButton';
import styles from './SupportDialog.module.css';

function Contact({ config, onClose }: { config: RuntimeConfig; onClose: () => void }) {
  const chat = () => {
    openMessenger();
    onClose();
  };
  if (config.intercom)
    return (
      <Button leftSection={<IconMessage {...icon} />} onClick={chat}>
        Start a chat
      </Button>
    );
  if (config.supportUrl)
    return (
      <Button component="a" href={config.supportUrl} target="_blank" rel="noreferrer">
        Contact support
      </Button>
    );
  return <p>Ask the people who run this instance of Tributary. They have not set a contact for support.</p>;
}

/** How to get help, and the details that support asks for. */
export default function SupportDialog({ config, onClose }: { config: RuntimeConfig; onClose: () => void }) {
  const organizationId = useOptionalOrganizationId();
  const details = [
    ...(organizationId === null ? [] : [{ label: 'Organization', value: organizationId }]),
    { label: 'Version', value: config.build },
  ];
  const text = details.map(({ label, value }) => `${label}: ${value}`).join('\n');
  return (
    <Modal opened onClose={onClose} title="Support" closeButtonProps={{ 'aria-label': 'Close' }}>
      <div className={styles.support}>
        <Contact config={config} onClose={onClose} />
        <p className="label">
          Include these details, and the request ID if an error shows one. <CopyButton text={text} label="Copy the details" />
        </p>
        <DescriptionList facts={details.map(({ label, value }) => ({ label, value: <code>{value}</code> }))} />
      </div>
    </Modal>
  );
}
