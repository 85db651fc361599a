// Which tests run when. `quick` needs neither browsers nor processes and fits between two edits; what runs without a name
// holds every promise once; `more` holds what is long by its nature.
import { globSync, readFileSync } from 'node:fs'

const long: readonly string[] = []

const startsProcesses = /gateway-process\.ts|child_process|test\/(operator|receiver)\.ts|\.\.\/operator\.ts/

/** What was asked for: a tier by its flag, files by their names, or all that is not long. */
export function filesOf(asked: readonly string[]): string[] {
  const [first] = asked
  if (first !== undefined && !first.startsWith('--')) return [...asked]
  const all = globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).sort()
  if (first === '--more') return all.filter((file) => long.includes(file))
  const usual = all.filter((file) => !long.includes(file))
  return first === '--quick' ? usual.filter(isQuick) : usual
}

function isQuick(file: string): boolean {
  return (
    !/\.browser\.test\.ts$|^test\/stories\//.test(file) && !startsProcesses.test(readFileSync(file, 'utf8'))
  )
}
