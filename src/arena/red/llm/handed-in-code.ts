import type { ToolDefinition } from '../../../adapters/adapter.ts';
import { canonicalVulnerability } from '../../../match/claims/canonical-entries.ts';
import { SEVERITIES } from '../../../match/claims/severity.ts';
import type { Vulnerability } from '../../../match/claims/vulnerability.ts';
import type { Reading } from '../../../models/ask-and-repair.ts';
import { isRecord } from '../../../text/is-record.ts';

/** What a model hands in: its code, and the list of its flaws. */
export interface HandedInCode {
  files: { name: string; content: string }[];
  vulnerabilities: Vulnerability[];
}

const text = (description: string) => ({ type: 'string', description });

/** Most fields may be left empty, but models do better when they are asked for all of them. */
const FLAW_FIELDS = {
  id: text('V1, V2, ...'),
  type: text('What kind of flaw, in a word or two with underscores.'),
  title: text('The flaw in a few words.'),
  resource: text('The address of the resource.'),
  attribute: text('The path of the setting in the resource.'),
  severity: { type: 'string', enum: [...SEVERITIES] },
  description: text('What is wrong, with which value.'),
  technique: text('How it is hidden.'),
  evidence: text('Copied letter by letter from the file; empty when something is missing.'),
  file: text('The name of the file.'),
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
  parameters: {
    type: 'object',
    properties: {
      files: {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: text('Such as main.tf.'), content: text('The whole file.') },
          required: ['name', 'content'],
          additionalProperties: false,
        },
      },
      vulnerabilities: {
        type: 'array',
        items: {
          type: 'object',
          properties: FLAW_FIELDS,
          required: Object.keys(FLAW_FIELDS),
          additionalProperties: false,
        },
      },
    },
    required: ['files', 'vulnerabilities'],
    additionalProperties: false,
  },
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
