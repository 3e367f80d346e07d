import { useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';

const MOVES: Record<string, [rows: number, cells: number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

const clamp = (value: number, length: number): number => Math.min(Math.max(value, 0), length - 1);

export type Position = [row: number, cell: number];

interface GridSize {
  rows: number;
  cells: number;
  /** Shift with an arrow within a row: the selection is extended from one cell to the other. */
  onExtend: (from: Position, to: Position) => void;
}

/** Arrow keys, Home and End move the focus between the cells. Only the focused cell is in the tab order. */
export function useGridFocus({ rows, cells, onExtend }: GridSize) {
  const [focus, setFocus] = useState<Position | null>(null);
  const elements = useRef(new Map<string, HTMLButtonElement>());
  const [focusRow, focusCell] = focus ?? [0, cells - 1];
  return {
    onKeyDown: (event: KeyboardEvent) => {
      const step = event.key === 'Home' ? [0, -cells] : event.key === 'End' ? [0, cells] : MOVES[event.key];
      if (!step) return;
      event.preventDefault();
      const isExtending = event.shiftKey && step[0] === 0;
      const row = event.shiftKey ? focusRow : clamp(focusRow + (step[0] ?? 0), rows);
      const next: Position = [row, clamp(focusCell + (step[1] ?? 0), cells)];
      if (isExtending) onExtend([focusRow, clamp(focusCell, cells)], next);
      setFocus(next);
      elements.current.get(next.join())?.focus();
    },
    cellProps: ([row, cell]: Position) => ({
      ref: (element: HTMLButtonElement | null) => {
        if (element) elements.current.set([row, cell].join(), element);
      },
      tabIndex: row === focusRow && cell === clamp(focusCell, cells) ? 0 : -1,
      onFocus: () => setFocus([row, cell]),
    }),
  };
}
