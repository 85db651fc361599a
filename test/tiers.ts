// Which tests run when. `quick` needs neither browsers nor processes and fits between two edits; what runs without a name
// holds every promise once; `more` holds what is long by its nature.
import { globSync, readFileSync } from 'node:fs'

/** Whole lives of gateways with databases of their own, every page in every language, every method on two screens. */
const long: readonly string[] = [
  'test/stories/start-and-stop.test.ts',
  'test/stories/looks.browser.test.ts',
  'test/stories/methods.browser.test.ts',
  'test/stories/two-nodes.test.ts',
]

/** Walks that are short in the usual run, and long here. */
const longer: Readonly<Record<string, string>> = { TOLLGATE_MODEL_STEPS: '200', TOLLGATE_SOAK_SECONDS: '30' }
const walks: readonly string[] = ['test/stories/money-model.test.ts']

const startsProcesses = /gateway-process\.ts|child_process|test\/operator\.ts/

/** What was asked for: a tier by its flag, files by their names, or all that is not long. */
export function filesOf(asked: readonly string[]): string[] {
  const [first] = asked
  if (first !== undefined && !first.startsWith('--')) return [...asked]
  const all = globSync(['src/**/*.test.ts', 'sandbox/**/*.test.ts', 'test/**/*.test.ts']).sort()
  if (first === '--more') {
    for (const [name, value] of Object.entries(longer)) process.env[name] ??= value
    return [...long, ...walks]
  }
  const usual = all.filter((file) => !long.includes(file))
  return first === '--quick' ? usual.filter(isQuick) : usual
}

function isQuick(file: string): boolean {
  return (
    !/\.browser\.test\.ts$|^test\/stories\//.test(file) && !startsProcesses.test(readFileSync(file, 'utf8'))
  )
}
