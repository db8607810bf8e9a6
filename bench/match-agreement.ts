import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { MatcherName } from '../src/match/candidates/matcher.ts';
import { JudgeAgent } from '../src/match/judge-agent.ts';
import type { ManifestInput } from '../src/match/read-manifest.ts';
import { cohenKappa } from '../src/stats/cohen-kappa.ts';

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

const FILE =
  process.env.SALVO_TOOL_COMPARE ??
  fileURLToPath(new URL('../../shared/data/tool-compare-azure.jsonl', import.meta.url));

/**
 * How far the matchers agree with people on which tools caught a planted flaw; corrected for chance, 1 is full
 * agreement.
 */
export async function benchMatchAgreement(): Promise<string[]> {
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
