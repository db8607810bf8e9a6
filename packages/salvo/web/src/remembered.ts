/** What the browser remembers of earlier pages; null for nothing. A page from a file may not be allowed to store anything. */
export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It holds for this page, then.
  }
}
