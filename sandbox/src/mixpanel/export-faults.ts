import type { Strike } from './faults.ts';

export interface DamagedExport {
  text: string;
  /** True: the connection breaks after the text. */
  isAborted: boolean;
}

const defaultEnd = 'export terminated early';

/** The text of an export with the damage of active faults, or null without one. The status stays 200. */
export function damage(text: string, strike: Strike): DamagedExport | null {
  const truncate = strike('truncate');
  if (truncate) {
    const { atLineEnd, abort, lastLine } = truncate.parameters;
    const isAborted = abort === true;
    return { text: lastLine === true ? cutLastLine(text) : cut(text, atLineEnd === true), isAborted };
  }
  const early = strike('terminate_early');
  if (early) {
    const line = typeof early.parameters.line === 'string' ? early.parameters.line : defaultEnd;
    return { text: `${cut(text, true)}${line}\n`, isAborted: false };
  }
  const split = strike('split_record');
  return split ? { text: splitRecords(text, split.parameters.inText === true), isAborted: false } : null;
}

/** Half of the lines, and half of the next one unless the truncation must go unnoticed. */
function cut(text: string, atLineEnd: boolean): string {
  const lines = text.split('\n');
  const whole = lines.slice(0, Math.floor((lines.length - 1) / 2));
  const next = lines[whole.length] ?? '';
  return whole.map((line) => `${line}\n`).join('') + (atLineEnd ? '' : next.slice(0, Math.floor(next.length / 2)));
}

function cutLastLine(text: string): string {
  const start = text.slice(0, -1).lastIndexOf('\n') + 1;
  return text.slice(0, start + Math.floor((text.length - start) / 2));
}

/** Every second record is broken between two of its properties, or inside of the name of its event. */
function splitRecords(text: string, isInText: boolean): string {
  return text
    .split('\n')
    .map((line, place) =>
      place % 2 === 1 || line === '' ? line : splitAt(line, isInText ? '{"event":"'.length + 1 : line.indexOf(',') + 1),
    )
    .join('\n');
}

function splitAt(line: string, place: number): string {
  return `${line.slice(0, place)}\n${line.slice(place)}`;
}
