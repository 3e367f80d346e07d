import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '~/domain/navigation/paths';
import { navigation } from './layout/navigation';

/** After G, the second key is waited for this long. */
const SEQUENCE_MS = 1_000;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

interface Overlays {
  onSearch: () => void;
  onHelp: () => void;
}

/** ⌘K or Ctrl K searches, C creates a connection, G and a letter go to a page, ? lists the shortcuts. */
export function useShortcuts(organizationId: string, { onSearch, onHelp }: Overlays): void {
  const navigate = useNavigate();
  const lastG = useRef(0);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        onSearch();
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || document.querySelector('[role="dialog"]'))
        return;
      const key = event.key.toUpperCase();
      const isSequence = Date.now() - lastG.current < SEQUENCE_MS;
      lastG.current = key === 'G' ? Date.now() : 0;
      const entry = isSequence ? navigation.flat().find(({ shortcut }) => shortcut === key) : undefined;
      if (entry) void navigate(entry.to(organizationId));
      else if (key === '?') onHelp();
      else if (key === 'C' && !isSequence) void navigate(paths.createConnection(organizationId));
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [organizationId, onSearch, onHelp, navigate]);
}
