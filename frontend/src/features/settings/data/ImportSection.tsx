import { Button } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { applyConfiguration, planConfiguration, UnknownImportOutcome } from '~/api/configuration';
import { ApiProblem } from '~/api/http/problem';
import type { ConfigurationFile, ConfigurationPlan, ImportResult } from '~/api/types';
import { plural } from '~/lib/numbers';
import { useAction } from '~/lib/use-action';
import { useOrganizationId } from '~/session/organization-context';
import { usePermissionGate } from '~/session/permissions';
import { FileChoice } from '~/ui/inputs/FileChoice';
import { GatedButton } from '~/ui/inputs/GatedButton';
import { icon } from '~/ui/icon';
import { Section } from '~/ui/layout/Page';
import { Notice } from '~/ui/feedback/Notice';
import styles from './Data.module.css';
import { EndedPlan, ImportError } from './ImportError';
import type { EndOfPlan } from './ImportError';
import { PlanTable } from './PlanTable';
import { parseFile } from './parse-file';

interface Chosen {
  name: string;
  file: ConfigurationFile;
  plan: ConfigurationPlan;
}

/** From the file to the plan, and from the plan to the result. */
function useImport() {
  const organizationId = useOrganizationId();
  const { mutate } = useSWRConfig();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [result, setResult] = useState<ImportResult | null>(null);
  const { run, busyWith, error, reset } = useAction<'plan' | 'apply'>();
  const makePlan = async (name: string, file: ConfigurationFile) =>
    setChosen({ name, file, plan: await planConfiguration(organizationId, file) });
  const choose = async (given: File) => {
    setChosen(null);
    setResult(null);
    await run(async () => makePlan(given.name, parseFile(await given.text())), 'plan');
  };
  const replan = () => run(() => (chosen ? makePlan(chosen.name, chosen.file) : Promise.resolve()), 'plan');
  const apply = () =>
    run(async () => {
      if (!chosen) return;
      setResult(await applyConfiguration(organizationId, chosen.file, chosen.plan.digest));
      setChosen(null);
      // Lists of every kind may have new items.
      await mutate(() => true);
    }, 'apply');
  const cancel = () => {
    setChosen(null);
    reset();
  };
  return { chosen, result, busyWith, error, choose, replan, apply, cancel };
}

function Result({ result }: { result: ImportResult }) {
  const { create, change, conflict, notImportable, needsCredentials } = result.counts;
  const skipped = conflict + notImportable;
  return (
    <>
      <Notice tone={skipped > 0 || needsCredentials > 0 ? 'warn' : 'accent'} title="Imported" isAlert>
        {plural(create, 'item')} created, {plural(change, 'item')} changed{skipped > 0 && `, ${plural(skipped, 'item')} skipped`}.
        {needsCredentials > 0 && ` ${plural(needsCredentials, 'item needs', 'items need')} credentials, see below.`}
      </Notice>
      <PlanTable items={result.items} label="Result" />
    </>
  );
}

function Plan({
  chosen,
  isBusy,
  onApply,
  onCancel,
}: {
  chosen: Chosen;
  isBusy: boolean;
  onApply: () => void;
  onCancel: () => void;
}) {
  const { counts, items } = chosen.plan;
  const disabledReason = usePermissionGate('configuration.write');
  const writes = counts.create + counts.change;
  return (
    <>
      <h3 className={styles.title}>Plan for {chosen.name}</h3>
      <p className={styles.text}>Nothing is changed until you apply the plan.</p>
      <PlanTable items={items} label="Plan" />
      <div className={styles.actions}>
        <GatedButton
          disabledReason={disabledReason}
          waitsFor={writes === 0 ? 'Nothing to import' : null}
          loading={isBusy}
          onClick={onApply}
        >
          {writes === 0 ? 'Apply' : `Apply ${plural(writes, 'change')}`}
        </GatedButton>
        <Button variant="default" disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
        <span role="status" className="label">
          {isBusy ? `Importing ${plural(writes, 'item')}` : ''}
        </span>
      </div>
    </>
  );
}

function endOf(error: unknown): EndOfPlan | null {
  if (error instanceof UnknownImportOutcome) return 'unknown';
  return error instanceof ApiProblem && error.code === 'configuration.changed' ? 'outdated' : null;
}

export function ImportSection() {
  const { chosen, result, busyWith, error, choose, replan, apply, cancel } = useImport();
  const end = endOf(error);
  return (
    <Section title="Import">
      <p className={styles.text}>
        Choose a file that was exported here or in another organization. You see a plan before anything is changed. Items are
        matched by their names; an import never deletes, pauses or resumes anything.
      </p>
      <FileChoice
        accept="application/json,.json"
        onChoose={(file) => void choose(file)}
        inputProps={{ 'aria-label': 'Configuration file' }}
      >
        {(props) => (
          <Button {...props} variant="default" leftSection={<IconUpload {...icon} />} loading={busyWith === 'plan'}>
            Choose a file
          </Button>
        )}
      </FileChoice>
      <div className={styles.outcome} aria-live="polite">
        {end && <EndedPlan end={end} onReplan={() => void replan()} />}
        {error !== null && !end && <ImportError error={error} />}
        {/* Not while a new plan is made: the outdated one could be applied. */}
        {chosen && !end && busyWith !== 'plan' && (
          <Plan chosen={chosen} isBusy={busyWith === 'apply'} onApply={() => void apply()} onCancel={cancel} />
        )}
        {result && <Result result={result} />}
      </div>
    </Section>
  );
}
