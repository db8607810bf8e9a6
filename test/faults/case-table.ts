import type { Reporter, TestCase, TestModule } from 'vitest/node';

declare module 'vitest' {
  interface TaskMeta {
    /** How many cases a test tried; one if it does not say. */
    cases?: number;
  }
}

interface Row {
  name: string;
  tried: number;
  survived: number;
  skipped: number;
}

/** Prints how many cases each file of the fault suite tried, and how many were survived. */
export default class CaseTable implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.map(rowOf).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const total = {
      name: 'total',
      tried: sum(rows, 'tried'),
      survived: sum(rows, 'survived'),
      skipped: sum(rows, 'skipped'),
    };
    const width = Math.max(...[...rows, total].map(({ name }) => name.length));
    const line = (name: string, ...cells: (string | number)[]) =>
      `${name.padEnd(width)}${cells.map((cell) => String(cell).padStart(10)).join('')}`;
    const lines = [...rows, total].map(({ name, tried, survived, skipped }) => line(name, tried, survived, skipped));
    console.log(['', line('', 'tried', 'survived', 'skipped'), ...lines, ''].join('\n'));
  }
}

function rowOf(module: TestModule): Row {
  const tests = [...module.children.allTests()];
  const withState = (state: string) => tests.filter((test) => test.result().state === state);
  return {
    name: module.relativeModuleId.replace(/^test\/faults\//, '').replace(/\.test\.ts$/, ''),
    tried: casesOf([...withState('passed'), ...withState('failed')]),
    survived: casesOf(withState('passed')),
    skipped: casesOf(withState('skipped')),
  };
}

function casesOf(tests: readonly TestCase[]): number {
  return tests.reduce((cases, test) => cases + (test.meta().cases ?? 1), 0);
}

function sum(rows: readonly Row[], key: 'tried' | 'survived' | 'skipped'): number {
  return rows.reduce((total, row) => total + row[key], 0);
}
