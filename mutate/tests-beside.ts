// Chooses the tests that run for a mutated file, using the graph of imports.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './sources.ts'

export type Imports = ReadonlyMap<string, readonly string[]>

/** A test in the file's domain folder counts as beside the file if at most this many imports lead to the file. */
const NEAR_STEPS = 2
/** The maximum number of tests that run after the tests beside the file. */
const MOST_OTHERS = 10

export function readImports(paths: readonly string[]): Imports {
  return new Map(paths.map((path) => [path, importsOf(path, readFileSync(join(root, path), 'utf8'))]))
}

/** The files that a source file loads when it runs. A type import loads nothing. */
export function importsOf(path: string, text: string): string[] {
  const found = text.matchAll(
    /^(?:import|export)\b(?!\s+type\b)[^'"`;]*?'(\.[^']+\.ts)'|\bimport\(\s*'(\.[^']+\.ts)'/gm,
  )
  return [...found].map(([, fixed, dynamic]) => join(path, '..', fixed ?? dynamic ?? ''))
}

export type TestsOfFile = {
  readonly beside: string[]
  readonly others: string[]
  /** The slow tests beside the file: `*.long.test.ts`. */
  readonly long: string[]
}

/**
 * Returns the tests for a mutation of the file: the tests beside it, then the nearest other tests that load it. A test
 * is near if code in the test's own folder imports the file through few steps.
 */
export function testsFor(file: string, imports: Imports): TestsOfFile {
  const folder = domainOf(file)
  const all = stepsTo(file, imports)
  const stepsOfFolder = new Map<string, number>()
  for (const [path, steps] of all)
    if (!path.endsWith('.test.ts') && !stepsOfFolder.has(dirname(path)))
      stepsOfFolder.set(dirname(path), steps)
  const distance = (path: string) => stepsOfFolder.get(dirname(path)) ?? Infinity
  const tests = [...all]
    .filter(([path]) => path.endsWith('.test.ts') && !path.endsWith('.browser.test.ts'))
    .sort(([one, steps], [other, more]) => {
      return (
        Math.min(distance(one), steps) - Math.min(distance(other), more) ||
        steps - more ||
        kinship(file, other) - kinship(file, one) ||
        (one < other ? -1 : 1)
      )
    })
  const isBeside = ([path, steps]: readonly [string, number]) =>
    steps <= NEAR_STEPS && path.startsWith(folder)
  const isLong = ([path]: readonly [string, number]) => path.endsWith('.long.test.ts')
  const names = (some: typeof tests) => some.map(([path]) => path)
  const usual = tests.filter((one) => !isLong(one))
  return {
    beside: names(usual.filter(isBeside)),
    others: names(usual.filter((one) => !isBeside(one)).slice(0, MOST_OTHERS)),
    long: names(tests.filter((one) => isLong(one) && isBeside(one))),
  }
}

/**
 * The number of leading folders that two files share. Of equally near tests, those that share more folders come first.
 */
function kinship(one: string, other: string): number {
  const folders = other.split('/')
  const differs = one.split('/').findIndex((folder, at) => folder !== folders[at])
  return differs < 0 ? folders.length : differs
}

/** Returns the domain folder of a file: its first three folders, such as `src/money/orders/`. */
function domainOf(file: string): string {
  const parts = file.split('/')
  return `${parts.slice(0, Math.min(3, parts.length - 1)).join('/')}/`
}

function stepsTo(file: string, imports: Imports): Map<string, number> {
  const users = new Map<string, string[]>()
  for (const [path, used] of imports)
    for (const one of used) users.set(one, [...(users.get(one) ?? []), path])
  const steps = new Map([[file, 0]])
  for (const [path, count] of steps)
    for (const user of users.get(path) ?? []) if (!steps.has(user)) steps.set(user, count + 1)
  return steps
}
