import { z } from 'zod';
import { costOfAgents, costOfJudges, type RunDocument } from '../../packages/salvo/src/run/record/run-document.ts';
import { knownUsd } from '../../packages/salvo/src/stats/cost.ts';
import { trialCostSchema } from '../../packages/salvo/src/store/stored-documents.ts';
import { documentOf } from '../../test/cli/cli-fixture.ts';
import { CALL_USD } from '../../test/faults/paid-server.ts';
import { callsNeeded } from './chaos-project.ts';
import type { ChaosRun } from './chaos-run.ts';

export interface ChaosCheck {
  /** What must be true. */
  what: string;
  /** What was found instead; null if it is true. */
  found: string | null;
}

function check(what: string, isTrue: boolean, found: string): ChaosCheck {
  return { what, found: isTrue ? null : found };
}

/** Whether every trial is stored, counted and billed once, and nothing is left. */
export async function checkTrials(
  run: ChaosRun,
  { trials, passing }: { trials: number; passing: number },
): Promise<ChaosCheck[]> {
  const { result, report, server } = run;
  const bills = await billsOf(run);
  const scored = bills.filter(({ status }) => status !== 'unscored').length;
  const passed = bills.filter((bill) => bill.passed).length;
  const twice = bills.filter(({ billed, called }) => billed > called);
  const short = bills.filter(({ n, billed, called, isExact }) => isExact && billed < Math.max(called, callsNeeded(n)));
  const billed = bills.reduce((sum, bill) => sum + bill.billed, 0);
  const calls = server.calls.agent + server.calls.judge;
  const list = (some: typeof bills): string =>
    some.map((bill) => `trial ${bill.n} has ${bill.billed} of ${bill.called} calls`).join(', ');
  return [
    endedCheck(run),
    check(
      `${trials} trials are stored once each, all scored, ${passing} passed`,
      same([bills.length, new Set(bills.map(({ n }) => n)).size, scored, passed], [trials, trials, trials, passing]),
      `${bills.length} stored, ${scored} scored, ${passed} passed`,
    ),
    ...(result?.code === 0 ? countChecks(documentOf(result), { trials, passing }) : []),
    check(`no call is billed twice: ${billed} of ${calls} calls are billed`, twice.length === 0, list(twice)),
    check('a bill that lacks a call says that it is a lower bound', short.length === 0, list(short)),
    check(
      'the report has the sum of the bills',
      report?.code === 0 && callsOnBill(documentOf(report)) === billed,
      `${report?.code === 0 ? callsOnBill(documentOf(report)) : report?.stderr} instead of ${billed}`,
    ),
    ...(await commonChecks(run)),
  ];
}

function same(one: readonly number[], other: readonly number[]): boolean {
  return one.join() === other.join();
}

function endedCheck({ result }: ChaosRun): ChaosCheck {
  return check('it ended in time, with a verdict', result?.code === 0, `exit code ${result?.code}\n${result?.stderr}`);
}

function countChecks(
  { scenarios }: RunDocument,
  { trials, passing }: { trials: number; passing: number },
): ChaosCheck[] {
  const counted = ['trials_total', 'trials_scored', 'trials_passed'] as const;
  const sums = counted.map((count) => scenarios.reduce((sum, scenario) => sum + scenario[count], 0));
  const listed = scenarios.flatMap((scenario) => scenario.trials.map((trial) => trial.case));
  return [
    check('the report counts each of them once', same(sums, [trials, trials, passing]), sums.join(', ')),
    check(
      'the report lists each of them once',
      same([listed.length, new Set(listed).size], [trials, trials]),
      `${listed.length} trials, ${new Set(listed).size} different`,
    ),
  ];
}

const resultSchema = trialCostSchema.extend({ passed: z.boolean(), status: z.string() });

/** The stored trials, each with the calls on its bill and those that the provider has counted for it. */
async function billsOf({ database, server }: ChaosRun) {
  const rows = await database.query('SELECT "case", result, earlier_cost FROM salvo.trials WHERE result IS NOT NULL');
  return rows.map((row) => {
    const n = Number(row.case);
    const { passed, status, ...own } = resultSchema.parse(JSON.parse(String(row.result)));
    const earlier = row.earlier_cost === null ? [] : [trialCostSchema.parse(JSON.parse(String(row.earlier_cost)))];
    const costs = [own, ...earlier].flatMap((cost) => [
      { usd: cost.cost_usd, at_least: cost.cost_at_least },
      { usd: cost.judge_cost_usd, at_least: cost.judge_cost_at_least },
    ]);
    const billed = callsFor(costs.reduce((sum, cost) => sum + knownUsd(cost), 0));
    const isExact = costs.every(({ usd }) => usd !== null);
    return { n, passed, status, billed, isExact, called: server.callsAbout.get(n) ?? 0 };
  });
}

function callsFor(usd: number): number {
  return Math.round(usd / CALL_USD);
}

function callsOnBill({ scenarios }: RunDocument): number {
  const usdOf = (summary: RunDocument['scenarios'][number]): number =>
    knownUsd(costOfAgents(summary)) + knownUsd(costOfJudges(summary));
  return callsFor(scenarios.reduce((sum, summary) => sum + usdOf(summary), 0));
}

const experimentSchema = z.object({
  games: z.object({ planned: z.int(), scored: z.int() }),
  manifests: z.array(z.object({ codes: z.int() })),
  cost_usd: z.object({ known: z.number(), killed: z.boolean().optional() }),
});

/** Whether every game is stored, counted and billed once, and nothing is left. */
export async function checkGames(run: ChaosRun, games: number): Promise<ChaosCheck[]> {
  const { server, report, database } = run;
  const stored = await database.query('SELECT game_id FROM salvo.games');
  const shown = report?.code === 0 ? experimentSchema.parse(JSON.parse(report.stdout)) : null;
  const counted = [shown?.games.planned ?? 0, shown?.games.scored ?? 0, shown?.manifests[0]?.codes ?? 0];
  const billed = callsFor(shown?.cost_usd.known ?? 0);
  const { red, blue, judge } = server.calls;
  const calls = red + blue + judge;
  const isLowerBound = shown?.cost_usd.killed === true;
  return [
    endedCheck(run),
    check(`${games} games are stored`, stored.length === games, `${stored.length}`),
    check('the report counts each of them once, scored', same(counted, [games, games, games]), counted.join(', ')),
    check(`no call is billed twice: ${billed} of ${calls} calls are billed`, billed <= calls, `${billed}`),
    check('a bill that lacks a call says that it is a lower bound', billed === calls || isLowerBound, `${billed}`),
    ...(await commonChecks(run)),
  ];
}

async function commonChecks({ database, workerCodes, complaints }: ChaosRun): Promise<ChaosCheck[]> {
  const [left] = await database.query(`SELECT
    (SELECT count(*) FROM salvo.jobs)::int AS jobs,
    (SELECT count(*) FROM salvo.work_orders)::int AS orders,
    (SELECT count(*) FROM salvo.leases WHERE holder IS NOT NULL)::int AS leases`);
  const isEmpty = same([Number(left?.jobs), Number(left?.orders), Number(left?.leases)], [0, 0, 0]);
  const haveLeft = workerCodes.every((code) => code === 0);
  return [
    check('no job, no order and no lease is left', isEmpty, JSON.stringify(left)),
    check('all workers that were asked to leave did', haveLeft, `exit codes ${workerCodes.join()}`),
    check('no program reported an internal error', complaints.length === 0, complaints.join('\n')),
  ];
}
