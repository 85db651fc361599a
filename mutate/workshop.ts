// The environment of one job: a copy of the checkout in which one file at a time is changed, and a PostgreSQL server.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { plant } from '../simulation/bugs/plant.ts'
import { openTestDatabases } from '../test/harness/test-databases.ts'
import { type Mutation, mutate } from './mutation.ts'
import { root } from './sources.ts'

export type Ended = {
  readonly kind: 'passed' | 'failed' | 'too long'
  readonly ms: number
  /** The test that failed first, or the error of a program that failed without a test. */
  readonly why: string
}

export type Workshop = {
  /** Runs a program in the copy. The program is ended when the first test fails. */
  run(args: readonly string[], limitMs: number, env?: NodeJS.ProcessEnv): Promise<Ended>
  /** Applies the mutation to the copy until `work` ends. */
  withMutation<Result>(mutation: Mutation, work: () => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** Folders that tests read, in addition to the folders that every copy contains. */
const alsoRead = ['docs', 'shop', 'sdk', 'examples', 'model']

export async function openWorkshop(): Promise<Workshop> {
  const copy = plant({ name: 'mutant', what: '', edits: [] })
  process.once('exit', copy.remove)
  for (const name of alsoRead)
    if (existsSync(join(root, name))) cpSync(join(root, name), join(copy.folder, name), { recursive: true })
  const databases = await openTestDatabases('embedded', (line) => console.error(line))
  const settings = {
    ...process.env,
    ...databases.env,
    NODE_COMPILE_CACHE: join(databases.folder, 'compiled'),
  }
  return {
    async run(args, limitMs, env) {
      const ended = await runProgram(copy.folder, args, limitMs, { ...settings, ...env })
      if (ended.kind !== 'passed') await dropTestDatabases(databases.admin)
      return ended
    },
    async withMutation(mutation, work) {
      const file = join(copy.folder, mutation.file)
      const text = readFileSync(file, 'utf8')
      writeFileSync(file, mutate(text, mutation))
      try {
        return await work()
      } finally {
        writeFileSync(file, text)
      }
    },
    async close() {
      await databases.close()
      process.off('exit', copy.remove)
      copy.remove()
    },
  }
}

function runProgram(
  cwd: string,
  args: readonly string[],
  limitMs: number,
  env: NodeJS.ProcessEnv,
): Promise<Ended> {
  const startedAt = Date.now()
  // The program gets its own process group, so that ending the group also ends the program's child processes.
  const child = spawn(process.execPath, ['--test-reporter=tap', ...args], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, errors, isTooLong] = ['', '', false]
  const end = () => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The process group has already ended.
    }
  }
  process.once('exit', end)
  const limit = setTimeout(() => {
    isTooLong = true
    end()
  }, limitMs)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (firstFailure(output) !== undefined) end()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2_000)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => {
      clearTimeout(limit)
      process.off('exit', end)
      end()
      const failure = firstFailure(output)
      const ms = Date.now() - startedAt
      if (isTooLong)
        resolve({ kind: 'too long', ms, why: `did not end within ${Math.round(limitMs / 1000)} s` })
      else if (status === 0 && failure === undefined) resolve({ kind: 'passed', ms, why: '' })
      else resolve({ kind: 'failed', ms, why: failure ?? (lastLine(errors) || lastLine(output)) })
    })
  })
}

/** The name of the first failed test in TAP output. */
function firstFailure(output: string): string | undefined {
  return /^ *not ok \d+ - (.*)\n/m.exec(output)?.[1]
}

function lastLine(text: string): string {
  const error = /^\w*Error\b.*$/m.exec(text)?.[0]
  return error ?? text.trim().split('\n').at(-1) ?? ''
}

/** Removes the test databases of programs that were killed before they could remove them. */
async function dropTestDatabases(admin: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(admin)
  await client.connect()
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database where datname like 'tollgate\\_test\\_%'`,
  )
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`)
  await client.end()
}
