// A mutation: one changed place of a source file.

export type Kind =
  | 'always'
  | 'never'
  | 'no-call'
  | 'swapped'
  | 'off-by-one'
  | 'boundary'
  | 'equality'
  | 'logic'
  | 'negation'
  | 'boolean'
  | 'arithmetic'
  | 'sign'
  | 'rounding'
  | 'extreme'
  | 'no-filter'
  | 'some-every'
  | 'sql-no-lock'
  | 'sql-no-clause'
  | 'sql-boundary'
  | 'sql-equality'
  | 'sql-logic'
  | 'sql-negation'
  | 'sql-boolean'
  | 'sql-arithmetic'
  | 'sql-rounding'
  | 'sql-extreme'
  | 'sql-join'
  | 'sql-order'

export type Edit = {
  readonly kind: Kind
  readonly start: number
  readonly end: number
  readonly replace: string
}

export type Mutation = Edit & {
  /** The path below the root of the repository. */
  readonly file: string
  /** The name by which a run can repeat the mutation: file, line, column and kind. */
  readonly name: string
  /** The changed lines, without the spaces around them. */
  readonly before: string
  readonly after: string
}

/** Returns the mutations of a file. Leaves out edits that repeat an earlier edit or change nothing. */
export function mutationsOf(file: string, text: string, edits: readonly Edit[]): Mutation[] {
  const seen = new Set<string>()
  const sorted = edits.toSorted((one, other) => one.start - other.start || one.end - other.end)
  return sorted.flatMap((edit) => {
    const place = `${edit.start} ${edit.end} ${edit.replace}`
    if (seen.has(place) || text.slice(edit.start, edit.end) === edit.replace) return []
    seen.add(place)
    return [
      { ...edit, file, name: `${file}:${positionOf(text, edit.start)}:${edit.kind}`, ...linesOf(text, edit) },
    ]
  })
}

export function mutate(text: string, { start, end, replace }: Edit): string {
  return text.slice(0, start) + replace + text.slice(end)
}

function positionOf(text: string, at: number): string {
  const before = text.slice(0, at).split('\n')
  return `${before.length}:${(before.at(-1) ?? '').length + 1}`
}

function linesOf(text: string, edit: Edit): { before: string; after: string } {
  const from = text.lastIndexOf('\n', edit.start - 1) + 1
  const next = text.indexOf('\n', edit.end)
  const to = next < 0 ? text.length : next
  const [head, tail] = [text.slice(from, edit.start), text.slice(edit.end, to)]
  return { before: trimmed(text.slice(from, to)), after: trimmed(head + edit.replace + tail) }
}

function trimmed(lines: string): string {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

/** The change as a diff for people to read. */
export function diffOf({ before, after }: Pick<Mutation, 'before' | 'after'>): string {
  const marked = (mark: string, lines: string) => lines.split('\n').map((line) => `${mark} ${line}`)
  return [...marked('-', before), ...marked('+', after)].join('\n')
}
