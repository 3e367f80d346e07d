export interface Row {
  id: string;
  object: string;
  created: number;
}

/** Objects of one type, oldest first. Objects of the same second keep the order in which they were added. */
export class Table<T extends Row> {
  readonly #rows: T[] = [];
  readonly #byId = new Map<string, T>();

  get rows(): readonly T[] {
    return this.#rows;
  }

  get(id: string): T | undefined {
    return this.#byId.get(id);
  }

  add(row: T): T {
    // Back-dated objects are rare, so the place is nearly always the end.
    let place = this.#rows.length;
    while (place > 0 && (this.#rows[place - 1] as T).created > row.created) place -= 1;
    this.#rows.splice(place, 0, row);
    this.#byId.set(row.id, row);
    return row;
  }
}
