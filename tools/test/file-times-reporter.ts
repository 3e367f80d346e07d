/** A Vitest reporter: writes how long each file took to the file in FILE_TIMES. The report of Vitest has only the tests. */
import type { Reporter, TestModule } from 'vitest/node';
import { saveFileTimes } from './file-times.ts';

function timeOf(file: TestModule) {
  const { collectDuration, setupDuration, duration } = file.diagnostic();
  return { file: file.relativeModuleId, ms: Math.round(collectDuration + setupDuration + duration) };
}

export default class FileTimesReporter implements Reporter {
  onTestRunEnd(files: readonly TestModule[]): void {
    if (process.env.FILE_TIMES) saveFileTimes(process.env.FILE_TIMES, files.map(timeOf));
  }
}
