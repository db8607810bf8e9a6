/** The name of something that is not text: `[image]`, or `[file: report.pdf]`. */
export function mediaName(kind: string, name?: unknown): string {
  return typeof name === 'string' && name !== '' ? `[${kind}: ${name}]` : `[${kind}]`;
}

/** `image` for image/png; `file` for whatever is neither image, audio nor video. */
export function mediaKind(mediaType: unknown): string {
  const kind = typeof mediaType === 'string' ? mediaType.split('/')[0] : undefined;
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
}
