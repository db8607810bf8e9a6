import { createFence, messagesToJudge, type ScoredCriterion } from 'salvo/kit/models';
import { cutMiddle, dataFile, once } from 'salvo/kit/text';
import type { Message } from 'salvo/kit/trace';
import type { Claim } from '../claims/claim.ts';

/** The only criterion. `prompts/same-flaw.md` describes it. */
export const SAME_FLAW: ScoredCriterion = { name: 'same_flaw', binary: true };

/** Asks a model whether two claims mean the same flaw. The texts of both teams are inside the fence. */
export function sameFlawMessages(pair: { vulnerability: Claim; finding: Claim; nonce: string }): Message[] {
  const fence = createFence(pair.nonce);
  const context = [
    `## The planted flaw\n${fence.wrap('planted flaw', claimText(pair.vulnerability))}`,
    `## The reported flaw\n${fence.wrap('reported flaw', claimText(pair.finding))}`,
  ].join('\n\n');
  return messagesToJudge({ instructions: instructions(), context, nonce: pair.nonce });
}

/** Enough to recognise a flaw. Every vote pays for it. */
const LONGEST_FIELD = 3000;

function claimText(claim: Claim): string {
  const lines = [claim.line, claim.end_line].filter((line) => line !== null);
  const fields: [string, string][] = [
    ['type', claim.type],
    ['resource', claim.resources.join(', ')],
    ['attribute', claim.attributes.join(', ')],
    ['title', claim.title],
    ['description', claim.description],
    ['evidence', claim.evidence],
    ['file', claim.file ?? ''],
    ['lines', [...new Set(lines)].join('-')],
    ['rules', claim.rule_ids.join(', ')],
  ];
  return fields
    .filter(([, text]) => text.trim() !== '')
    .map(([name, text]) => `${name}: ${cutMiddle(text.trim(), LONGEST_FIELD)}`)
    .join('\n');
}

const instructions = once(() => dataFile(import.meta.url, './prompts/same-flaw.md').trim());
