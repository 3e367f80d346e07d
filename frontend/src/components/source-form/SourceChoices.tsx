import { Checkbox, SegmentedControl } from '@mantine/core';
import { SettingRow } from '~/ui/layout/SettingRow';
import { breakdownsOf, breakdownWord, levelsOf, levelWord, nearestLevel } from '~/api/offered-streams';
import type { Connector, Level, SourceSettings } from '~/api/types';
import styles from './SourceChoices.module.css';

type Choice = Pick<SourceSettings, 'level' | 'breakdowns'>;

interface SourceChoicesProps {
  connector: Connector;
  value: Choice;
  onChange: (choice: Choice) => void;
  isLocked: boolean;
}

/** The level and the breakdowns of a source's reports. Also used for the defaults of an app. */
export function SourceChoices({ connector, value, onChange, isLocked }: SourceChoicesProps) {
  const { level, breakdowns } = value;
  const levels = levelsOf(connector.streams);
  const offered = breakdownsOf(connector.streams);
  return (
    <>
      {levels.length > 1 && (
        <SettingRow title="Level" hint="Loads reports down to this level.">
          <div className={styles.scroll}>
            <SegmentedControl
              aria-label="Level"
              data={levels.map((one) => ({ value: one, label: levelWord(one, connector.provider) }))}
              value={nearestLevel(level, levels) ?? ''}
              disabled={isLocked}
              onChange={(chosen) => onChange({ level: chosen as Level, breakdowns })}
            />
          </div>
        </SettingRow>
      )}
      {offered.length > 0 && (
        <SettingRow title="Breakdowns" hint="Also loads reports with these breakdowns. Each is a separate table.">
          <Checkbox.Group
            aria-label="Breakdowns"
            value={breakdowns}
            onChange={(chosen) => onChange({ level, breakdowns: chosen })}
          >
            <div className={styles.breakdowns}>
              {offered.map((name) => (
                <Checkbox key={name} value={name} label={breakdownWord(name)} disabled={isLocked} />
              ))}
            </div>
          </Checkbox.Group>
        </SettingRow>
      )}
    </>
  );
}
