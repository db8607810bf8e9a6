import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { cohenKappa } from '../packages/salvo/src/stats/agreement/cohen-kappa.ts';
import { seededRandom } from '../packages/salvo/src/stats/seeded-random.ts';
import { stem, wordsOf } from '../packages/salvo/src/text/words/words.ts';
import type { MatcherName } from '../packages/salvo-arena/src/match/candidates/matcher.ts';
import { readClaim } from '../packages/salvo-arena/src/match/claims/read-claim.ts';
import { createEvidenceMatcher } from '../packages/salvo-arena/src/match/evidence/evidence-matcher.ts';
import { JudgeAgent } from '../packages/salvo-arena/src/match/judge-agent.ts';
import { EVIDENCE_THRESHOLD } from '../packages/salvo-arena/src/match/judge-agent-options.ts';
import type { ManifestInput } from '../packages/salvo-arena/src/match/read-manifest.ts';
import { agreementOf, type HeldOutPair, trainMatcher } from '../scripts/matcher/train.ts';
import { readTrainingData } from '../scripts/matcher/training-data.ts';

/** One planted flaw, and for each tool what people say: did it report the flaw? */
const caseSchema = z.object({
  case: z.string(),
  target: z.string(),
  readme: z.string().nullable(),
  tools: z.record(
    z.string(),
    z.object({ human_caught: z.boolean(), findings: z.array(z.record(z.string(), z.unknown())) }),
  ),
});

interface Verdict {
  tool: string;
  human: boolean;
  manifest: ManifestInput;
  findings: Record<string, unknown>[];
}

const besideProject = (name: string): string => fileURLToPath(new URL(`../../shared/data/${name}`, import.meta.url));
const FILE = process.env.SALVO_TOOL_COMPARE ?? besideProject('tool-compare-azure.jsonl');
const UNSEEN_TITLES = fileURLToPath(new URL('./data/matcher/unseen-titles.jsonl', import.meta.url));
const RULE_PAIRS = process.env.SALVO_RULE_PAIRS ?? besideProject('rule-pairs.jsonl');

/** How far the matchers agree with labels; corrected for chance, 1 is full agreement. */
export async function benchMatchAgreement(): Promise<string[]> {
  return [...heldOut(), ...unseenTitles(), ...rulePairs(), ...verdictsOfPeople()];
}

/**
 * The training sentences, with a model and a word table that did not see the two authors of a pair, or its service. A
 * user's scanner or model is a new author on weaknesses that are mostly known.
 */
function heldOut(): string[] {
  const { heldOut } = trainMatcher(readTrainingData());
  return [
    `sentences of two authors for a weakness, against others of its service, both authors held out: ${intervalText(heldOut.authors)}`,
    `two sentences for a weakness, against others of its service, services held out: ${intervalText(heldOut.pairs)}`,
    `pairs that a second person labelled blind, services held out: ${intervalText(heldOut.blind)}`,
  ];
}

const titlesSchema = z.object({
  cloud: z.string(),
  service: z.string(),
  held_out: z.boolean(),
  a: z.string(),
  b: z.string(),
});
type Titles = z.infer<typeof titlesSchema>;
const OTHERS = 2;

/**
 * Titles of one rule in two tools, against titles of other rules of the service: any two, or the two with the most words
 * in common. Nothing was trained on them. The first half was looked at while the matcher was developed, and of the
 * second half only the figures.
 */
function unseenTitles(): string[] {
  const titles = readFileSync(UNSEEN_TITLES, 'utf8')
    .trim()
    .split('\n')
    .map((line) => titlesSchema.parse(JSON.parse(line)));
  const random = seededRandom(7);
  const any = (others: Titles[]) =>
    others
      .map((other) => ({ other, order: random() }))
      .toSorted((x, y) => x.order - y.order)
      .map(({ other }) => other);
  const nearest = (others: Titles[], { a }: Titles) =>
    others.toSorted((x, y) => wordOverlap(a, y.b) - wordOverlap(a, x.b));
  const scored = (of: readonly Titles[], choose: typeof nearest): HeldOutPair[] =>
    of.flatMap((own) => {
      const others = of.filter((other) => other !== own && other.cloud === own.cloud && other.service === own.service);
      return [own, ...choose(others, own).slice(0, OTHERS)].map((other) => ({
        service: `${own.cloud}:${own.service}`,
        same: other === own,
        score: createEvidenceMatcher([readClaim({ type: own.a })], [readClaim({ title: other.b })]).score(0, 0),
      }));
    });
  return [false, true].flatMap((isHeldOut) => {
    const of = titles.filter(({ held_out }) => held_out === isHeldOut);
    const name = `titles of one rule in two tools, ${isHeldOut ? 'held out' : 'developed on'}`;
    return [
      `${name}, against any others of the service: ${intervalText(scored(of, any))}`,
      `${name}, against the nearest: ${intervalText(scored(of, nearest))}`,
    ];
  });
}

const rulePairSchema = z.object({ same: z.boolean(), service: z.string(), a: z.string(), b: z.string() });

/** Titles of rules of two vendors. Nothing was trained on them, but constants of the matcher were chosen in their view. */
function rulePairs(): string[] {
  if (!existsSync(RULE_PAIRS)) return ['skipped: no pairs of rules here (name their file in SALVO_RULE_PAIRS)'];
  const pairs = readFileSync(RULE_PAIRS, 'utf8')
    .trim()
    .split('\n')
    .map((line) => rulePairSchema.parse(JSON.parse(line)));
  const scored = (score: (a: string, b: string) => number) =>
    pairs.map(({ service, same, a, b }) => ({ service, same, score: score(a, b) }));
  const byEvidence = scored((a, b) =>
    createEvidenceMatcher([readClaim({ type: a })], [readClaim({ title: b })]).score(0, 0),
  );
  const ofOthers = pairs.flatMap(({ same, service, a }, at) =>
    same ? [] : [{ flaw: `${service} ${a}`, isTaken: (byEvidence[at]?.score ?? 0) >= EVIDENCE_THRESHOLD }],
  );
  const taken = [...Map.groupBy(ofOthers, ({ flaw }) => flaw).values()].map((others) =>
    others.some(({ isTaken }) => isTaken),
  );
  const share = (100 * taken.filter(Boolean).length) / taken.length;
  return [
    `pairs of rules, evidence (developed on these, so expect less elsewhere): ${intervalText(byEvidence)}`,
    `flaws for which a finding about another weakness of the service is taken if their own is missing: ${share.toFixed(0)}% of ${taken.length}`,
    `pairs of rules, a match from half of the words in common: ${intervalText(scored(wordOverlap), 0.5)}`,
  ];
}

function wordOverlap(a: string, b: string): number {
  const [ofA, ofB] = [new Set(wordsOf(a).map(stem)), new Set(wordsOf(b).map(stem))];
  return (2 * ofA.intersection(ofB).size) / (ofA.size + ofB.size);
}

function intervalText(pairs: readonly HeldOutPair[], threshold?: number): string {
  const { kappa, interval } = agreementOf(pairs, threshold);
  const services = new Set(pairs.map(({ service }) => service)).size;
  return `kappa ${kappa}, 95% interval ${interval.join(' to ')} over ${services} services, ${pairs.length} pairs`;
}

/** Which tools caught a planted flaw according to people. */
function verdictsOfPeople(): string[] {
  if (!existsSync(FILE)) return ['skipped: no verdicts of people here (name their file in SALVO_TOOL_COMPARE)'];
  const verdicts = readFileSync(FILE, 'utf8').trim().split('\n').flatMap(verdictsOf);
  const caughtBy = (matcher: MatcherName) => {
    const judge = new JudgeAgent({ matcher });
    return ({ manifest, findings }: Verdict): boolean => judge.score(manifest, findings).recall === 1;
  };
  return [
    `${verdicts.length} verdicts of people, ${verdicts.filter(({ human }) => human).length} of them "caught"; the evidence matcher was developed on these, so expect less elsewhere`,
    ...compared('never caught', verdicts, () => false).slice(0, 1),
    ...compared('caught if anything is found', verdicts, ({ findings }) => findings.length > 0).slice(0, 1),
    ...compared('matcher documented', verdicts, caughtBy('documented')),
    ...compared('matcher evidence (aim: kappa 0.80 on cases not seen)', verdicts, caughtBy('evidence')),
  ];
}

function verdictsOf(line: string): Verdict[] {
  const { case: id, target, readme, tools } = caseSchema.parse(JSON.parse(line));
  const manifest = { vulnerabilities: [{ id, type: target, description: readme }] };
  return Object.entries(tools).map(([tool, { human_caught, findings }]) => ({
    tool,
    human: human_caught,
    manifest,
    findings,
  }));
}

/** One line for all tools, and one for each. */
function compared(name: string, verdicts: readonly Verdict[], caught: (verdict: Verdict) => boolean): string[] {
  const judged = verdicts.map((verdict) => ({ ...verdict, judge: caught(verdict) }));
  const byTool = Map.groupBy(judged, ({ tool }) => tool);
  const lines = [...byTool].map(([tool, of]) => `  ${tool.padEnd(10)} ${agreementText(of)}`);
  return [`${name}: ${agreementText(judged)}`, ...lines];
}

function agreementText(judged: readonly { human: boolean; judge: boolean }[]): string {
  const count = (human: boolean, judge: boolean): number =>
    judged.filter((verdict) => verdict.human === human && verdict.judge === judge).length;
  const [bothCaught, bothMissed] = [count(true, true), count(false, false)];
  const kappa = cohenKappa(
    judged.map(({ human }) => human),
    judged.map(({ judge }) => judge),
  );
  const agreement = (100 * (bothCaught + bothMissed)) / judged.length;
  return [
    `agreement ${agreement.toFixed(1)}%`,
    `kappa ${kappa === null ? 'undefined' : kappa.toFixed(3)}`,
    `both caught ${bothCaught}, both not ${bothMissed}, only people ${count(true, false)}, only the judge ${count(false, true)}`,
  ].join(', ');
}
