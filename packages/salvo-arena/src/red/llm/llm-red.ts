import { createBill, type ModelCaller } from 'salvo/kit/models';
import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import { weaknessesOfRule } from '../../match/weaknesses/weaknesses.ts';
import type { RedMetadata, RedOutcome, RedRequest, RedTeam } from '../red-team.ts';
import { RedModelError } from './ask-engineer.ts';
import { withoutGiveAways } from './give-aways.ts';
import { safeFiles } from './safe-files.ts';
import { type FlawSource, writeAlone, writeInSteps } from './write-code.ts';

export interface LlmRedOptions {
  models: ModelCaller;
  /** The adapter's name, as in a scenario. */
  adapter: string;
  model: string;
  /** One agent for all of it, or an architect, a selector, a writer and a reviewer. */
  architecture?: 'single' | 'pipeline' | undefined;
  /** Where the flaws come from: the catalogue of weaknesses, the model's own ideas, or both. */
  source?: FlawSource | undefined;
  temperature?: number | undefined;
  /** For one answer, which holds all the code. */
  maxTokens?: number | undefined;
}

/** What an LLM Red reports beside what any Red does. */
interface LlmRedMetadata extends RedMetadata {
  architecture: 'single' | 'pipeline';
  source: FlawSource;
  /** What was done to the code: files left out, revealing comments removed. */
  notes: string[];
}

/** A Red Team that is a model. It writes code and manifest alike, so the manifest is a claim that has to be checked. */
export function createLlmRed(options: LlmRedOptions): RedTeam {
  const { models, adapter, model, architecture = 'single', source = 'catalogue' } = options;
  const { temperature = 0.7, maxTokens = 16_000 } = options;
  const name = `llm:${model}`;
  return {
    name,
    async generate(request: RedRequest): Promise<RedOutcome & { metadata: LlmRedMetadata }> {
      const { seed, strategy, difficulty, language, provider, signal } = request;
      const bill = createBill();
      const engineer = { models, adapter, model, temperature, maxTokens, seed, bill, signal };
      const write = architecture === 'pipeline' ? writeInSteps : writeAlone;
      const { code, unreviewed } = await write(engineer, request, source);
      const safe = safeFiles(code.files, language);
      if (Object.keys(safe.files).length === 0) {
        const [first] = safe.dropped;
        const reason = first ? `: ${JSON.stringify(first.file)} is ${first.reason}` : '';
        throw new RedModelError('MODEL_ANSWER_INVALID', `${model} handed in no file that can be used${reason}.`, {
          usage: bill.usage(),
        });
      }
      const discreet = await withoutGiveAways(safe.files);
      return {
        files: discreet.files,
        vulnerabilities: code.vulnerabilities.map((vulnerability) => ({
          ...vulnerability,
          difficulty: vulnerability.difficulty ?? difficulty,
          source: sourceOf(vulnerability, source),
          ...(vulnerability.file && { file: finalName(vulnerability.file, safe.renamed, discreet.renamed) }),
        })),
        metadata: {
          red: name,
          seed,
          strategy,
          difficulty,
          language,
          provider,
          template: null,
          twin: null,
          clean_resources: [],
          present_before: [],
          proven: false,
          ...bill.usage(),
          architecture,
          source,
          notes: [
            ...safe.dropped.map(({ file, reason }) => `${file}: left out, ${reason}`),
            ...discreet.notes,
            ...(unreviewed === null ? [] : [`not reviewed: ${unreviewed}`]),
          ],
        },
      };
    },
  };
}

/** The final name of a file that the manifest names. */
function finalName(file: string, ...renamings: ReadonlyMap<string, string>[]): string {
  return renamings.reduce((name, renamed) => renamed.get(name) ?? name, file);
}

function sourceOf({ source, rule_ids }: Vulnerability, asked: FlawSource): string {
  if (asked !== 'mixed') return asked;
  if (source === 'catalogue' || source === 'novel') return source;
  return rule_ids?.some((id) => weaknessesOfRule(id).length > 0) ? 'catalogue' : 'novel';
}
