// A planted bug: a mistake that real payment systems made, written as edits of our source. The simulation must find
// each bug. `npm run simulate:prove` checks this. Each theme has its own list of bugs, and all.ts joins the lists.

export type Bug = {
  readonly name: string
  /** The failure in one sentence. */
  readonly what: string
  readonly edits: readonly Edit[]
  /** If set, the run performs only operations whose names contain one of these words, and finds the bug sooner. */
  readonly only?: readonly string[]
}

export type Edit = {
  /** The path of a file in src. */
  readonly file: string
  /** A text that occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
}

/** Returns the file's text with the edit. Throws if the text to find does not occur exactly once. */
export function applyEdit(text: string, { file, find, replace }: Edit): string {
  const [before, after, ...more] = text.split(find)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} must contain this text once:\n${find}`)
  return before + replace + after
}
