import type { AdapterTurnResult } from 'salvo/kit/adapters';
import { closedObject, listTool, type Reading, textField } from 'salvo/kit/models';
import { bracketsFrom, quoteOutput } from 'salvo/kit/text';
import { readJsonStream } from 'salvo/kit/text-files';
import type { Finding } from '../../match/claims/finding.ts';
import { JudgeError } from '../../match/claims/judge-error.ts';
import { SEVERITIES } from '../../match/claims/severity.ts';
import { readFindings, readFindingsFromText } from '../../match/read-findings.ts';

/** The tool that a model calls with its findings. */
export const REPORT_FINDINGS = listTool({
  name: 'report_findings',
  description: 'Hands in all flaws that you found in the code; an empty list when there are none.',
  list: 'findings',
  items: closedObject(
    {
      type: textField('The kind of flaw: encryption, access_control, iam, network, logging, secrets, backup...'),
      resource: textField('The address of the resource, as the code has it.'),
      attribute: textField('The attribute that is wrong or missing; empty when there is none.'),
      title: textField('The flaw in a few words.'),
      description: textField('What is wrong and why it matters, in one to three sentences.'),
      evidence: textField('The line that causes it, copied exactly, without its number.'),
      file: textField('The file of the evidence.'),
      line: { type: 'integer', description: 'The number of that line.' },
      severity: { type: 'string', enum: SEVERITIES.toReversed() },
      remediation: textField('How to repair it, in one sentence.'),
      confidence: { type: 'number', description: 'How sure you are, from 0 to 1.' },
    },
    ['type', 'resource', 'title', 'description', 'evidence', 'file', 'line', 'severity', 'confidence'],
  ),
});

/** The findings in a model's answer: of its tool call, else of JSON in its text. */
export function readReport({ content, tool_calls }: AdapterTurnResult): Reading<Finding[]> {
  const calls = tool_calls.filter(({ name }) => name === REPORT_FINDINGS.name);
  const broken = calls.find(({ raw_arguments }) => raw_arguments !== undefined);
  if (broken) {
    const piece = quoteOutput(broken.raw_arguments ?? '', { length: 200 });
    return { problem: `The arguments of ${REPORT_FINDINGS.name} were not a JSON object: ${piece}` };
  }
  try {
    if (calls.length > 0) {
      return {
        value: calls.flatMap(({ arguments: args }) => readFindings(args, { name: 'the call', format: 'salvo' })),
      };
    }
    if (!content?.trim()) {
      const others = tool_calls.map(({ name }) => name).join(', ');
      const what = others === '' ? 'The answer was empty' : `The answer called ${quoteOutput(others, { length: 100 })}`;
      return { problem: `${what} instead of calling ${REPORT_FINDINGS.name}.` };
    }
    if (breaksOff(content)) return { problem: 'The JSON in the answer breaks off.' };
    return { value: readFindingsFromText(content) };
  } catch (error) {
    if (!(error instanceof JudgeError)) throw error;
    return { problem: error.message };
  }
}

/** Whether the end of the list is missing: the findings before it would be taken for all of them. */
function breaksOff(content: string): boolean {
  const list = /"(?:findings|issues|results|vulnerabilities)"\s{0,20}:\s{0,20}\[/.exec(content);
  if (list && bracketsFrom(content, list.index + list[0].length - 1).end === null) return true;
  return readJsonStream(content).isCutOff;
}
