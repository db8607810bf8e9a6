/**
 * Every code of a diagnostic and its meaning. Codes are stable: scripts and editors may rely on them.
 *
 * @internal Exported for its tests.
 */
export const DIAGNOSTIC_CODES = {
  'yaml-syntax': 'The file is not well-formed YAML (or JSON).',
  'duplicate-key': 'A map has the same key twice.',
  'invalid-key': 'A map key is not a string, or is a reserved name.',
  'unknown-tag': 'A YAML tag other than !include and the core ones (!!str, !!int, ...).',
  'unknown-alias': 'An alias (*name) without an anchor (&name) before it.',
  'recursive-alias': 'An alias inside the value that it refers to.',
  'invalid-merge': 'A merge key (<<) whose value is not a map or a list of maps.',
  'multiple-documents': 'A file contains more than one YAML document.',
  'too-deep': 'Values are nested too deeply.',
  'too-large': 'A file, or what its aliases and includes expand to, is too large.',
  'not-json': 'A value that JSON cannot represent, such as .inf or .nan.',
  'inexact-number': 'An integer too large to be represented exactly.',
  'control-character': 'The file contains an unescaped control character.',
  'invalid-encoding': 'A file is not UTF-8.',
  'missing-file': 'A file that is named does not exist.',
  'unreadable-file': 'A file cannot be read, or is not a regular file.',
  'outside-project': 'A file that is named in another file is outside the project.',
  'include-cycle': 'A file includes itself, directly or through others.',
  'invalid-include': '!include without a file name.',
  'empty-file': 'The file is empty.',
  'not-a-scenario': 'The file has none of the keys that make a scenario.',
  'unknown-key': 'A key that is not allowed here.',
  'missing-key': 'A required key is missing.',
  'wrong-type': 'A value of the wrong type.',
  'invalid-value': 'A value of the right type that is not allowed here.',
  'conflicting-keys': 'Two keys that cannot be used together.',
  'unknown-assertion-type': 'An assertion type that does not exist.',
  'unknown-operator': 'An operator that does not exist.',
  'invalid-pattern': 'A regular expression that cannot be compiled.',
  'invalid-expression': 'A JMESPath expression that cannot be compiled, or never finds anything.',
  'unknown-path': 'A path that no trace has, or that the arguments of the tool do not have.',
  'always-passes': 'An assertion, or a threshold, that no trace can fail.',
  'never-passes': 'An assertion that no trace can pass.',
  'invalid-json-schema': 'A JSON Schema that cannot be compiled.',
  'unknown-keyword': 'A JSON Schema has a keyword that does not exist, and so demands nothing by it.',
  'unknown-tool': 'An assertion names a tool that the scenario does not define.',
  'unknown-argument': 'An argument that no tool, or not this one, defines.',
  'duplicate-tool': 'Two tools have the same name.',
  'duplicate-id': 'Two assertions have the same id.',
  'duplicate-criterion': 'Two criteria of a rubric have the same name, ignoring case.',
  'no-weight': 'The weights of all assertions, or of all criteria of a rubric, are 0.',
  'needless-votes': 'A decision model votes once: it would answer the same again.',
  'no-embeddings': 'An assertion that needs embeddings of an adapter that has none.',
  'no-decision-models': 'The adapter of a judge with `mode: decide` has no decision models.',
  'model-ends': 'The provider shuts this model down.',
  'even-votes': 'An even number of votes can tie, and a tie fails.',
  'no-assertions': 'A scenario without assertions checks nothing.',
  'unknown-adapter': 'An adapter that does not exist.',
  'missing-script': 'The scripted adapter has no script.',
  'unused-value': 'A value that nothing reads.',
  'too-many-extras': 'More extras than Salvo passes to the provider.',
  'own-field': 'Extras name a field that Salvo sends itself, such as the model.',
  'plugin-error': 'A plugin cannot be loaded: it does not compile, or it throws an error.',
  'package-missing': 'A key whose package is not installed.',
  'invalid-code': 'JavaScript in a file that cannot be read, or that gives nothing.',
  'code-refused': 'Code that would be executed, where `salvo` was called with --no-code.',
  'scenario-code': 'A file of code cannot be loaded, or exports no scenario.',
  'duplicate-name': 'Two scenarios have the same name.',
  'only-in-ci': 'A scenario has `only: true` in CI, where it would leave all others out.',
  'csv-syntax': 'A CSV file is not well-formed, or its rows do not fit its first line.',
  'invalid-row': 'A row of data is not a map of columns, or a reserved column has a wrong value.',
  'empty-data': 'The data of a scenario has no rows.',
  'invalid-template': 'A {{ without }}, or a template where none can be used.',
  'missing-column': 'A template names a column that the data, or a row of it, does not have.',
  'unknown-criterion': 'A gate names a criterion that no judge of the scenario has.',
  'ambiguous-criterion': 'A gate names a criterion that several judges of the scenario have.',
  'unknown-judge': 'A gate names a judge that the scenario does not have.',
  'too-few-trials': 'A gate needs more trials than the scenario has.',
  'unused-column': 'A column of the data that no template names.',
  'duplicate-case': 'Two rows of data have the same name.',
  'few-held-out': 'Fewer than five rows are held out, or fewer than five are not, so that both can hardly be compared.',
  'equal-rows': 'Rows of data are equal, so their cases are the same case.',
  'more-problems': 'There are more problems than are listed.',
  credential: 'A file contains a credential, or a key that looks like one.',
} as const;

export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES;

/** One problem in a file, at a position that a person can go to. Lines and columns start at 1. */
export interface Diagnostic {
  severity: 'error' | 'warning';
  code: DiagnosticCode;
  message: string;
  /** Absolute path. */
  file: string;
  line: number;
  column: number;
  /** The column after the last affected one, when it is on the same line. */
  end_column?: number | undefined;
  source_line?: string | undefined;
  hint?: string | undefined;
}
