import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { icon } from './icon';

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <Tooltip label={isCopied ? 'Copied' : label}>
      <ActionIcon size={24} onClick={() => void copy()} aria-label={label}>
        {isCopied ? <IconCheck {...icon} size={14} /> : <IconCopy {...icon} size={14} />}
      </ActionIcon>
    </Tooltip>
  );
}
