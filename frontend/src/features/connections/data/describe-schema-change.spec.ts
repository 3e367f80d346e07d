import { describe, expect, it } from 'vitest';
import { describeConsequence, describeSchemaChange } from './describe-schema-change';

describe('a schema change', () => {
  it('names the stream or the table', () => {
    const change = { stream: 'campaign_daily', targetTable: 'ads_campaign_daily' };
    expect(describeSchemaChange({ ...change, kind: 'columns_added' })).toBe('New columns of campaign_daily');
    expect(describeSchemaChange({ ...change, kind: 'table_changed' })).toContain('ads_campaign_daily');
  });

  it.each([
    [{ kind: 'table_changed', state: 'pending', decidedBy: null } as const, /^Every run fails until the types are restored/],
    [{ kind: 'columns_added', state: 'pending', decidedBy: null } as const, /^Excluded until approved/],
    [{ kind: 'columns_added', state: 'applied', decidedBy: null } as const, /^Applied automatically/],
    [{ kind: 'columns_added', state: 'ignored', decidedBy: 'Anna' } as const, /^Ignored by Anna/],
    [{ kind: 'table_changed', state: 'applied', decidedBy: null } as const, /^Fixed by a re-sync/],
    [{ kind: 'table_changed', state: 'reverted', decidedBy: null } as const, /^Undone/],
  ])('says what follows: %o', (change, text) => {
    expect(describeConsequence(change)).toMatch(text);
  });
});
