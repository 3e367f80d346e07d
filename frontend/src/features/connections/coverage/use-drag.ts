import { useEffect, useRef } from 'react';
import type { PointerEvent } from 'react';
import type { SelectedCell } from './selection';

interface Drag {
  onStart: (cell: SelectedCell) => void;
  onMove: (cell: SelectedCell) => void;
}

/**
 * Dragging with a mouse or a pen from the first cell over others. A finger scrolls the page instead. Days of other rows count for the
 * account of the first cell.
 */
export function useDrag({ onStart, onMove }: Drag) {
  const first = useRef<SelectedCell | null>(null);
  const isMoving = useRef(false);
  useEffect(() => {
    const end = () => {
      first.current = null;
    };
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
    return () => {
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
    };
  }, []);
  return (cell: SelectedCell) => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.pointerType === 'touch' || event.button !== 0 || event.shiftKey) return;
      first.current = cell;
      isMoving.current = false;
    },
    onPointerEnter: () => {
      if (first.current === null || (!isMoving.current && first.current.from === cell.from)) return;
      if (!isMoving.current) onStart(first.current);
      isMoving.current = true;
      onMove({ ...cell, accountId: first.current.accountId });
    },
  });
}
