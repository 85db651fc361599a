// `npm test [files]`, `npm run test:quick`, `npm run test:more`: for each pass one PostgreSQL server and one migrated
// template database, then node's own runner. TEST_DATABASE_URL runs the same tests on another server.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { needsChain, provideChain } from './counterparties/provide-chain.ts'
import { needsBrowser, provideChromium } from './harness/chromium.ts'
import { sharesProcess, writeGroups } from './harness/in-sequence.ts'
import { openTestDatabases } from './harness/test-databases.ts'
import { isAmongLongest, type Pass, passesOf } from './tiers.ts'

type Timed = { readonly file: string; readonly ms: number }

const SLOWEST = 20
const FILE_TIMEOUT_MS = 1_200_000
const say = (line: string) => console.error(line)

// A signal ends the process by `process.exit`, so that the handlers of the `exit` event run.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

const passes = passesOf(process.argv.slice(2))
if (passes.some(({ files }) => files.some(needsBrowser))) provideChromium(say)
if (passes.some(({ files }) => files.some(needsChain))) provideChain(say)
const timed: Timed[] = []
const failed: string[] = []
const failedTests: string[] = []
for (const pass of passes) {
  if (passes.length > 1) console.log(`\n=== ${pass.title}`)
  if (!(await runPass(pass))) failed.push(pass.title)
}
if (timed.length > SLOWEST) printTimes()
if (passes.length > 1) console.log(failed.length === 0 ? '\nAll passed.' : `\nFailed: ${failed.join(', ')}.`)
// The failures are printed again at the end, because the passes after a failure print thousands of lines.
if (failedTests.length > 0) console.log(['\nWhat failed:', ...failedTests].join('\n'))
process.exitCode = failed.length === 0 ? 0 : 1

async function runPass(pass: Pass): Promise<boolean> {
  const databases = await openTestDatabases(pass.postgres, say)
  try {
    return await runTests(pass, databases.folder, databases.env)
  } finally {
    await databases.close()
  }
}

async function runTests(
  { files, env, atATime }: Pass,
  folder: string,
  server: Pass['env'],
): Promise<boolean> {
  const isShared = (file: string) => files.length > 1 && !isAmongLongest(file) && sharesProcess(file)
  const { shared = [], own = [] } = Object.groupBy(files, (file) => (isShared(file) ? 'shared' : 'own'))
  const settings = { ...process.env, ...env, ...server }
  const failures = await runFiles([...own, ...writeGroups(shared, folder, atATime)], atATime, settings)
  if (failures.length === 0) return true
  // The tests of pages have time limits, which prove nothing if a browser waits for a processor.
  if (atATime === 1 || !failures.every(needsBrowser)) return false
  say(`\nOnce more, one at a time, because only browsers failed: ${failures.join(', ')}`)
  return (await runFiles(failures, 1, settings)).length === 0
}

/** Runs the files, and returns those that failed. */
async function runFiles(
  files: readonly string[],
  atATime: number,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const failures: string[] = []
  const tests = run({ files, concurrency: atATime, timeout: FILE_TIMEOUT_MS, env })
  let isGood = false
  tests.on('test:summary', ({ file, success, duration_ms: ms }) => {
    if (file === undefined) {
      isGood = success
      return
    }
    if (file.endsWith('.test.ts')) timed.push({ file: relative(process.cwd(), file), ms })
    if (!success) failures.push(relative(process.cwd(), file))
  })
  // In a process that files share, each file is a test.
  for (const ended of ['test:pass', 'test:fail'] as const)
    tests.on(ended, ({ name, nesting, details }) => {
      if (nesting === 0 && name.endsWith('.test.ts')) timed.push({ file: name, ms: details.duration_ms })
    })
  tests.on('test:fail', ({ name, file, details: { error } }) => {
    const isOfItsTests = 'failureType' in error && error.failureType === 'subtestsFailed'
    const where = file === undefined ? '' : relative(process.cwd(), file)
    if (!isOfItsTests) failedTests.push(`  ${where}: ${name}: ${firstLine(error)}`)
  })
  await pipeline(tests, new spec(), process.stdout, { end: false })
  // A file that ended before its first test has no summary of its own.
  return isGood || failures.length > 0 ? failures : files
}

/** Returns the first line of the error that a test threw. The runner wraps that error. */
function firstLine({ cause, message }: Error): string {
  const text = cause instanceof Error ? cause.message : message
  return text.split('\n', 1)[0] ?? ''
}

/**
 * Prints the times, so that people notice growth. Unlike elapsed time, processor time does not depend on other load.
 */
function printTimes(): void {
  console.log('\nThe slowest test files, in seconds:')
  for (const { file, ms } of timed.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST))
    console.log(`${(ms / 1000).toFixed(1).padStart(8)}  ${file}`)
  const seconds = processorSeconds()
  if (seconds !== undefined) console.log(`\nProcessor time of all tests and servers: ${seconds.toFixed(0)} s`)
}

/** The processor time of this process and of its ended children, from Linux's counters in hundredths of a second. */
function processorSeconds(): number | undefined {
  if (process.platform !== 'linux') return undefined
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}
