import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * The text of a field whose value is in the URL. It follows links, Back and Forward. `willWrite` tells that the field itself is about
 * to write this value: what was typed since then stays.
 */
export function useUrlText(value: string) {
  const [text, setText] = useState(value);
  const written = useRef<string | null>(null);
  useEffect(() => {
    if (written.current !== value) setText(value);
    written.current = null;
  }, [value]);
  const willWrite = useCallback((next: string) => {
    written.current = next;
  }, []);
  return { text, setText, willWrite };
}
