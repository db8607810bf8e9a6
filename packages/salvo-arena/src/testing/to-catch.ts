import { relative, resolve } from 'node:path';
import { readTextFile } from 'salvo/kit/cli';
import { maskSecrets } from 'salvo/kit/secrets';
import { formatPercent, formatPlural } from 'salvo/kit/stats';
import {
  type Catch,
  type CatchOptions,
  type Expectation,
  HOLDS,
  type MatchersDoor,
  shareOption,
  type TrialExpectation,
  UnscoredError,
} from 'salvo/kit/testing';
import { SalvoError, safeLine } from 'salvo/kit/text';
import type { Finding } from '../match/claims/finding.ts';
import type { Manifest } from '../match/claims/vulnerability.ts';
import { JudgeAgent } from '../match/judge-agent.ts';
import { type FindingsInput, readAnswer, readFindings } from '../match/read-findings.ts';
import { type ManifestInput, readManifest } from '../match/read-manifest.ts';
import { type GateOutcome, gateScore } from '../match/results/score-gate.ts';
import type { ScoreResults } from '../match/results/score-results.ts';
import { claimLine, findingPlace } from '../report/score/describe-claim.ts';

interface Demands {
  recall: number | null;
  precision: number | null;
  f1: number | null;
}

const MOST_LISTED = 20;

/** What `toCatch` demands. */
interface Demanded {
  isNot: boolean;
  options: CatchOptions;
  demands: Demands;
  manifest: Manifest;
  /** How messages call the manifest. */
  name: string;
  /** Paths are relative to it. */
  folder: string;
}

/** `input` is a manifest, the text of one, or the path of its file. */
async function readCatch(
  input: ManifestInput,
  how: { isNot: boolean; options: CatchOptions; folder: string },
): Promise<Catch> {
  const demands = readDemands(how.options, how.isNot);
  const { text, name = 'the manifest' } = await readIfPath(input, how.folder);
  const manifest = readManifest(text, { name });
  if (manifest.vulnerabilities.length === 0)
    throw new UnscoredError(`${name} has no flaws, so there is nothing to catch`);
  const demanded: Demanded = { ...how, demands, manifest, name };
  return { ofFindings: (received) => expectCaught(received, demanded), ofTrials: catchExpectation(demanded) };
}

/** Whether findings catch the flaws of a manifest; with `isNot`, whether they catch none. */
async function expectCaught(received: FindingsInput, demanded: Demanded): Promise<Expectation> {
  const { isNot, demands, manifest, name } = demanded;
  const { text, ...source } = await readIfPath(received, demanded.folder);
  const findings = readFindings(text, source);
  const results = scoreWith(demanded, findings);
  if (isNot) {
    return results.truePositives === 0 ? HOLDS : { holds: false, message: maskSecrets(caughtText(results, demanded)) };
  }
  const gate = gateOf(results, demands);
  if (gate.status === 'unscored') throw new UnscoredError(gate.messages.join('; '));
  if (gate.status === 'passed') return HOLDS;
  return {
    holds: false,
    message: maskSecrets(
      [
        `Expected the findings to catch ${demandText(demands, name)}, but ${gate.messages.join(' and ')}.`,
        ...lists(results, { manifest, findings }),
      ].join('\n\n'),
    ),
    expected: manifest.vulnerabilities.map(({ id }) => id).sort(),
    actual: results.matches.map(({ vulnerabilityId }) => vulnerabilityId).sort(),
  };
}

/** What is demanded of each trial: of the findings in its final answer. */
function catchExpectation(demanded: Demanded): TrialExpectation {
  const { isNot, demands, manifest, name } = demanded;
  return {
    what: `catch ${isNot ? `a flaw of ${name}` : demandText(demands, name)}`,
    check: {
      type: 'findings',
      id: `toCatch ${name}`,
      evaluate(trace) {
        const read = readAnswer(trace.final_content ?? '');
        if ('problem' in read) return { score: 0, passed: false, details: read.problem };
        const results = scoreWith(demanded, read.findings);
        const gate = isNot ? null : gateOf(results, demands);
        if (gate?.status === 'unscored') return { score: null, details: gate.messages.join('; ') };
        const { truePositives, falsePositives, evaded, f1Score } = results;
        const found = `${truePositives} of ${manifest.vulnerabilities.length} found, ${formatPlural(falsePositives, 'false alarm')}`;
        const missed = evaded.length === 0 ? '' : `; evaded: ${evaded.slice(0, MOST_LISTED).join(', ')}`;
        return {
          score: f1Score,
          passed: gate ? gate.status === 'passed' : truePositives > 0,
          details: [...(gate?.messages ?? []), `${found}${missed}`].join('; '),
        };
      },
    },
  };
}

function readDemands(options: CatchOptions, isNot: boolean): Demands {
  const precision = shareOption('precision', options.precision);
  const f1 = shareOption('f1', options.f1);
  const recall = shareOption('recall', options.recall);
  const isBare = recall === null && f1 === null && precision === null;
  if (isNot && !isBare) {
    throw new SalvoError(
      'OPTIONS_INVALID',
      '`.not.toCatch` means that no flaw is found, so recall, precision and f1 have no meaning there.',
    );
  }
  return { recall: isBare ? 1 : recall, precision, f1 };
}

function scoreWith(
  { options: { matcher = 'evidence' }, manifest }: Demanded,
  findings: readonly Finding[],
): ScoreResults {
  return new JudgeAgent({ matcher }).score(manifest, findings);
}

function gateOf(results: ScoreResults, { recall, precision, f1 }: Demands): GateOutcome {
  return gateScore(results, {
    minRecall: recall ?? undefined,
    minPrecision: precision ?? undefined,
    minF1: f1 ?? undefined,
  });
}

/** A text that begins like JSON is the document itself, any other the path of its file. */
async function readIfPath<T>(input: T, folder: string): Promise<{ text: T | string; name?: string }> {
  if (typeof input !== 'string' || /^\s*[[{]/.test(input)) return { text: input };
  // As it is seen from the working directory, so that messages say where a missing file was looked for.
  const name = relative(process.cwd(), resolve(folder, input));
  return { text: await readTextFile(name, { cwd: process.cwd() }), name };
}

function demandText({ recall, precision, f1 }: Demands, name: string): string {
  const flaws =
    recall === null
      ? `the flaws of ${name}`
      : recall >= 1
        ? `every flaw of ${name}`
        : `at least ${formatPercent(recall)} of the flaws of ${name}`;
  const others = [
    ...(precision === null ? [] : [`a precision of ${formatPercent(precision)}`]),
    ...(f1 === null ? [] : [`an F1 of ${formatPercent(f1)}`]),
  ];
  return [flaws, ...others].join(' with ');
}

function lists(
  results: ScoreResults,
  { manifest, findings }: { manifest: Manifest; findings: readonly Finding[] },
): string[] {
  const flaws = new Map(manifest.vulnerabilities.map((flaw) => [flaw.id, flaw]));
  const evaded = results.evaded.map((id) => `${id}: ${place(flaws.get(id))}${claimLine(flaws.get(id))}`);
  const alarms = results.falseAlarms.map(
    (index) => `finding ${index}: ${place(findings[index])}${claimLine(findings[index])}`,
  );
  return [
    section(`Evaded (${evaded.length} of ${manifest.vulnerabilities.length}):`, evaded),
    section(`False alarms (${alarms.length} of ${findings.length}):`, alarms),
  ].flatMap((part) => (part === null ? [] : [part]));
}

function caughtText(results: ScoreResults, { manifest, name }: Demanded): string {
  const flaws = new Map(manifest.vulnerabilities.map((flaw) => [flaw.id, flaw]));
  const caught = results.matches.map(
    ({ vulnerabilityId: id, findingIndex }) => `${id} by finding ${findingIndex}: ${claimLine(flaws.get(id))}`,
  );
  return [
    `Expected no flaw of ${name} to be found, but ${results.truePositives} of ${manifest.vulnerabilities.length} were.`,
    section('Found:', caught),
  ].join('\n\n');
}

function section(title: string, lines: readonly string[]): string | null {
  if (lines.length === 0) return null;
  const more = lines.length > MOST_LISTED ? [`  and ${lines.length - MOST_LISTED} more`] : [];
  return [title, ...lines.slice(0, MOST_LISTED).map((line) => `  ${safeLine(line, 160)}`), ...more].join('\n');
}

function place(claim: { file?: string | null | undefined; line?: number | null | undefined } | undefined): string {
  const where = findingPlace(claim);
  return where === '' ? '' : `${where} `;
}

export const matchersDoor: MatchersDoor = { readCatch };
