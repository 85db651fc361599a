// Runs an operator command and records it. A command that counts as lost may still have been carried out.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor } from '../operation.ts'
import type { SentCommand } from '../witness.ts'

export type Commanded =
  | { readonly kind: 'done'; readonly json: unknown }
  | { readonly kind: 'refused' | 'lost'; readonly why: string }

/** The time limit for a command, which itself waits while the database is away. */
const TIMEOUT_MS = 15_000

/** `by` is the operation whose result is counted. `about` is the changed subject, for the history. */
export async function command(
  { world }: Actor,
  by: string,
  about: string,
  ...args: readonly string[]
): Promise<Commanded> {
  const { history, witness, operator } = world
  history.add('command sent', about, args.join(' '))
  const commanded = await Promise.race([run(operator, args), timeOut()])
  history.add(`command ${commanded.kind}`, about, commanded)
  const outcome: SentCommand['outcome'] = commanded.kind
  witness.commands.push({ args, outcome })
  witness.count(by, outcome)
  return commanded
}

async function run(operator: Actor['world']['operator'], args: readonly string[]): Promise<Commanded> {
  try {
    const { status, stdout, stderr } = await operator.attempt(...args)
    const json: unknown = JSON.parse(stdout)
    const isRefused = typeof json === 'object' && json !== null && 'error' in json
    if (!isRefused && status < 2) return { kind: 'done', json }
    return { kind: isOutage(stderr) ? 'lost' : 'refused', why: stderr.trim() }
  } catch (error) {
    return { kind: 'lost', why: error instanceof Error ? error.message : String(error) }
  }
}

async function timeOut(): Promise<Commanded> {
  await sleep(TIMEOUT_MS, undefined, { ref: false })
  return { kind: 'lost', why: 'it took too long' }
}

/**
 * True for the errors of PostgreSQL and its driver if the server is away or starting, or has no free connections or
 * disk space.
 */
function isOutage(text: string): boolean {
  return /cannot be used|connect|terminat|time-?out|starting up|shutting down|too many|recovery|ECONN|ENOENT|EPIPE|socket|No space|extend|write/i.test(
    text,
  )
}
