import { describe, expect, it } from 'vitest';
import { zipSync } from 'fflate';
import { ReportFile } from '../../../src/connectors/microsoft-ads/report-file.js';
import { unzip } from '../../../src/connectors/microsoft-ads/unzip.js';

const fields = ['TimePeriod', 'CampaignName', 'Spend'];
const header = '"Report Name: a"\r\n"Report Time: 2/1/2026,2/7/2026"\r\n"Rows: 2"\r\n\r\n"TimePeriod","CampaignName","Spend"\r\n';
const rows = '"2026-02-01","a ""b"", c\r\nd","1.00"\r\n"2026-02-02","--","0.50"\r\n';

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield await Promise.resolve(bytes.subarray(start, start + size));
}

async function readText(text: string, size = 1_000): Promise<{ rows: string[][]; counted: number }> {
  const file = new ReportFile(fields);
  const found: string[][] = [];
  for await (const part of file.read(inPieces(Buffer.from(text), size))) found.push(...part);
  return { rows: found, counted: file.rows };
}

async function unpack(archive: Uint8Array, size = 100): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of unzip(inPieces(archive, size))) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

describe('a report', () => {
  it.each([
    ['has no row count', header.replace('"Rows: 2"\r\n', '') + rows, 'count_missing'],
    ['is truncated before its columns', '"Rows: 2"\r\n', 'columns_missing'],
    ['has no columns', `"Rows: 2"\r\n${'x'.repeat(100_000)}`, 'columns_missing'],
    ['is truncated in its columns', '"Rows: 2"\r\n\r\n"TimePeriod","Camp', 'malformed_csv'],
    ['has other columns than requested', header.replace('Spend', 'Clicks') + rows, 'columns_differ'],
    ['has a row with a missing cell', `${header}"2026-02-01","a"\r\n`, 'malformed_csv'],
    ['has a row with an extra cell', `${header}"2026-02-01","a","1.00","2"\r\n`, 'malformed_csv'],
    ['is truncated in a cell', `${header}"2026-02-01","a`, 'malformed_csv'],
  ])('that %s is rejected', async (_, text, code) => {
    await expect(readText(text)).rejects.toMatchObject({ name: 'CorruptAnswer', code: `microsoft_ads.${code}` });
  });

  it.each([1, 7, 1_000])('is read in pieces of %d bytes, with or without a byte order mark', async (size) => {
    const expected = {
      rows: [
        ['2026-02-01', 'a "b", c\r\nd', '1.00'],
        ['2026-02-02', '--', '0.50'],
      ],
      counted: 2,
    };
    expect(await readText(`\uFEFF${header}${rows}`, size)).toEqual(expected);
    expect(await readText(header + rows, size)).toEqual(expected);
  });

  it('can have a header without quotes', async () => {
    expect((await readText(header.replace(/^"(Report Time: .*)"/m, '$1') + rows)).counted).toBe(2);
  });

  it('rethrows errors of its bytes', async () => {
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from(header);
      throw await Promise.resolve(new Error('the line broke'));
    };
    const read = async () => {
      for await (const part of new ReportFile(fields).read(broken())) void part;
    };
    await expect(read()).rejects.toThrow('the line broke');
  });
});

describe('an archive', () => {
  const noise = Array.from({ length: 2_000 }, (_, index) => `${(index * 2_654_435_761) % 4_294_967_296}\n`).join('');
  const whole = zipSync({ 'a.csv': Buffer.from(noise) });

  it('is unpacked completely, however it arrives', async () => {
    for (const size of [50, 5_000, whole.length]) expect(await unpack(whole, size)).toBe(noise);
  });

  it.each([
    ['is truncated', whole.subarray(0, whole.length / 2)],
    ['is empty', new Uint8Array(0)],
    ['is not a ZIP file', Buffer.from('<html>not here</html>')],
    ['contains two files', zipSync({ 'a.csv': Buffer.from('a'), 'b.csv': Buffer.from('b') })],
    ['contains no file', zipSync({})],
  ])('that %s is rejected', async (_, archive) => {
    await expect(unpack(archive)).rejects.toMatchObject({ name: 'CorruptAnswer', code: 'microsoft_ads.broken_archive' });
  });
});
