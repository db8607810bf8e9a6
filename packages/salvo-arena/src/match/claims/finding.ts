import { z } from 'zod';
import { lineNumber, text, textOrList } from './document-fields.ts';

/** One thing that the Blue Team reports. Fields that Salvo does not know are kept. */
export const findingSchema = z.looseObject({
  type: text,
  resource: textOrList,
  severity: text,
  title: text,
  description: text,
  evidence: text,
  remediation: text,
  /** The name of the scanner or model that reports it. */
  source: text,
  /** From 0 to 1. */
  confidence: z.number().nullable().optional(),
  file: text,
  line: lineNumber,
  end_line: lineNumber,
  attribute: textOrList,
  rule_id: text,
  /** Further ids of the same rule: a scanner's alias, a CWE. */
  rule_ids: z.array(z.string()).nullable().optional(),
});

export type Finding = z.infer<typeof findingSchema>;
