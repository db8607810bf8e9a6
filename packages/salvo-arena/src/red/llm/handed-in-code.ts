import type { ToolDefinition } from 'salvo/kit/adapters';
import { listParameters, type Reading, textField } from 'salvo/kit/models';
import { isRecord } from 'salvo/kit/text';
import { canonicalVulnerability } from '../../match/claims/canonical-entries.ts';
import { SEVERITIES } from '../../match/claims/severity.ts';
import type { Vulnerability } from '../../match/claims/vulnerability.ts';

/** What a model hands in: its code, and the list of its flaws. */
export interface HandedInCode {
  files: { name: string; content: string }[];
  vulnerabilities: Vulnerability[];
}

/** Most fields may be left empty. */
const FLAW_FIELDS = {
  id: textField('V1, V2, ...'),
  type: textField('What kind of flaw, in a word or two with underscores.'),
  title: textField('The flaw in a few words.'),
  resource: textField('The address of the resource.'),
  attribute: textField('The path of the setting in the resource.'),
  severity: { type: 'string', enum: [...SEVERITIES] },
  description: textField('What is wrong, with which value.'),
  technique: textField('How it is hidden.'),
  evidence: textField('Copied letter by letter from the file; empty when something is missing.'),
  file: textField('The name of the file.'),
  line: { type: 'integer', description: 'Where the evidence begins.' },
  rule_ids: {
    type: 'array',
    items: { type: 'string' },
    description: 'Ids of the catalogue; empty for an invented flaw.',
  },
  source: { type: 'string', enum: ['catalogue', 'novel'] },
};

export const CODE_TOOL: ToolDefinition = {
  name: 'hand_in_code',
  description: 'Hands in the infrastructure code and the list of all flaws that were planted in it.',
  parameters: listParameters({
    files: { name: textField('Such as main.tf.'), content: textField('The whole file.') },
    vulnerabilities: FLAW_FIELDS,
  }),
};

/** Far more entries than a game has. */
const MOST_ENTRIES = 200;

/** Reads code and flaws, also under other names, or from a map instead of a list. */
export function readHandedInCode(value: unknown): Reading<HandedInCode> {
  if (!isRecord(value)) return { problem: 'It has no object with files and vulnerabilities.' };
  const files = filesIn(value.files ?? value.code);
  if (files.length === 0)
    return { problem: 'There is no file in it: `files` must hold the code, with a name and a content each.' };
  const manifest = value.vulnerabilities ?? value.manifest ?? value.vulnerability_manifest ?? value.flaws;
  const entries: unknown = isRecord(manifest) ? manifest.vulnerabilities : manifest;
  const records = (Array.isArray(entries) ? entries : []).filter(isRecord).slice(0, MOST_ENTRIES);
  if (records.length === 0)
    return { problem: 'There is no flaw in it: `vulnerabilities` must list every one that was planted.' };
  return { value: { files, vulnerabilities: withOwnIds(records.map(canonicalVulnerability)) } };
}

function filesIn(value: unknown): HandedInCode['files'] {
  if (typeof value === 'string') return filesIn([{ name: 'main', content: value }]);
  if (Array.isArray(value)) {
    return value.filter(isRecord).flatMap((file) => {
      const name = file.name ?? file.path ?? file.filename ?? file.file;
      const content = file.content ?? file.code ?? file.text;
      return typeof name === 'string' && typeof content === 'string' && content.trim() !== ''
        ? [{ name, content }]
        : [];
    });
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, content]) =>
    typeof content === 'string' && content.trim() !== '' ? [{ name, content }] : [],
  );
}

/** Two entries with the same id would be taken for one. */
function withOwnIds(vulnerabilities: Vulnerability[]): Vulnerability[] {
  const taken = new Set<string>();
  return vulnerabilities.map((vulnerability, index) => {
    const id = taken.has(vulnerability.id) ? `${vulnerability.id}#${index + 1}` : vulnerability.id;
    taken.add(id);
    return { ...vulnerability, id };
  });
}
