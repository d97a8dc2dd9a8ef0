/** localStorage that never throws: a private window may refuse it. */
export function load(key: string): unknown {
  try {
    const text = localStorage.getItem(`ofc.${key}`);
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

export function save(key: string, value: unknown): void {
  try {
    localStorage.setItem(`ofc.${key}`, JSON.stringify(value));
  } catch {
    // Nothing is lost but the memory of a choice.
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(`ofc.${key}`);
  } catch {
    // As above.
  }
}
