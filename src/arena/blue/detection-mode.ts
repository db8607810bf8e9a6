/** Who looks at the code: a model, tools (scanners and the embedded rules), or both. */
export const DetectionMode = { llm_only: 'llm_only', tools_only: 'tools_only', hybrid: 'hybrid' } as const;

export type DetectionMode = (typeof DetectionMode)[keyof typeof DetectionMode];
