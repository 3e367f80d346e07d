export interface SelectedCell {
  accountId: string;
  from: string;
  to: string;
}

/** Both cells and the days between them, of the account of the first one. */
export const between = (anchor: SelectedCell, other: SelectedCell): SelectedCell => ({
  accountId: anchor.accountId,
  from: anchor.from < other.from ? anchor.from : other.from,
  to: anchor.to > other.to ? anchor.to : other.to,
});

export interface Selection {
  /** Where the selection began: dragging and Shift extend it from here. */
  anchor: SelectedCell;
  chosen: SelectedCell;
}

/** The selection after a cell was chosen, with the earlier one extended if it has the same account. */
export function choose(before: Selection | null, cell: SelectedCell, isExtending: boolean): Selection {
  const isExtended = isExtending && before?.anchor.accountId === cell.accountId;
  return isExtended ? { anchor: before.anchor, chosen: between(before.anchor, cell) } : { anchor: cell, chosen: cell };
}
