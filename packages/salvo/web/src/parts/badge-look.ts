/** How an outcome looks everywhere. The sign says it without colours. */
export interface BadgeLook {
  name: string;
  look: 'pass' | 'fail' | 'hardFail' | 'crash' | 'unscored' | 'running';
  sign: string;
}
