// A planted bug: a mistake that payment systems really made, as edits of our source. The simulation must find each of them;
// `npm run simulate:prove` shows that it does. A list for each theme, all of them in all.ts.

export type Bug = {
  readonly name: string
  /** What goes wrong, in one sentence. */
  readonly what: string
  readonly edits: readonly Edit[]
}

export type Edit = {
  /** A file of src. */
  readonly file: string
  /** Occurs in the file exactly once. */
  readonly find: string
  readonly replace: string
}

/** The file's text with the edit. Throws when the code has changed, so that the edit no longer fits. */
export function applyEdit(text: string, { file, find, replace }: Edit): string {
  const [before, after, ...more] = text.split(find)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} must contain this text once:\n${find}`)
  return before + replace + after
}
