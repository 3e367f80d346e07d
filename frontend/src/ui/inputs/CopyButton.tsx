import { ActionIcon } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { icon } from '~/ui/icon';

/** Uses `title` instead of a tooltip: error pages are in the main chunk, and a tooltip would add its positioning library. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <ActionIcon size={24} onClick={() => void copy()} aria-label={isCopied ? 'Copied' : label} title={label}>
      {isCopied ? <IconCheck {...icon} size={14} /> : <IconCopy {...icon} size={14} />}
    </ActionIcon>
  );
}
