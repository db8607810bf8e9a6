import type { RedRequest } from '../../src/red/red-team.ts';

export const RED_REQUEST: RedRequest = {
  task: 'A place for the reports of a small clinic, with a database.',
  difficulty: 'medium',
  language: 'terraform',
  provider: 'aws',
  seed: 7,
  strategy: 'balanced',
};

const MAIN = `resource "aws_db_instance" "reports" {
  identifier          = "reports"
  storage_encrypted   = var.encrypt
  publicly_accessible = false
}
`;
const VARIABLES = `variable "encrypt" {
  type    = bool
  default = false
}
`;

const TRUE_ENTRY = {
  id: 'V1',
  type: 'encryption_at_rest',
  title: 'Unencrypted database',
  resource: 'aws_db_instance.reports',
  attribute: 'storage_encrypted',
  severity: 'high',
  description: 'The storage is not encrypted, by the default of a variable.',
  technique: 'variable default',
  evidence: 'storage_encrypted   = var.encrypt',
  file: 'main.tf',
  line: 3,
  rule_ids: ['rds-storage-unencrypted'],
  source: 'catalogue',
};

/** As a model claims it that has lost track of its own code. */
export const FALSE_ENTRIES = [
  {
    ...TRUE_ENTRY,
    id: 'V2',
    attribute: 'publicly_accessible',
    description: 'The database is publicly accessible.',
    evidence: 'publicly_accessible = true',
    line: 4,
    rule_ids: [],
  },
  {
    ...TRUE_ENTRY,
    id: 'V3',
    resource: 'aws_s3_bucket.reports',
    attribute: 'acl',
    description: 'The bucket is public.',
    evidence: '',
    rule_ids: [],
  },
];

/** The arguments of a model that follows its instructions. */
export const GOOD_CODE = {
  files: [
    { name: 'main.tf', content: MAIN },
    { name: 'variables.tf', content: VARIABLES },
  ],
  vulnerabilities: [TRUE_ENTRY],
};

export const GOOD_PLAN = {
  resources: [{ address: 'aws_db_instance.reports', file: 'main.tf', purpose: 'Keeps the reports.' }],
};

export const GOOD_CHOICE = {
  flaws: [
    {
      resource: 'aws_db_instance.reports',
      weakness: 'rds-storage-unencrypted',
      setting: 'storage_encrypted',
      value: 'false',
      hiding: 'the default of a variable',
    },
  ],
};
