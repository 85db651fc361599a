// Reads the gateways' logs: the faults must explain each error. An error without an explanation points to a bug.
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { type Fields, isObject } from '../../src/platform/base/object.ts'
import type { Check, Finding } from '../check.ts'
import type { World } from '../world/world.ts'

const ERROR_LEVEL = 50

type Explanation = {
  readonly pattern: RegExp
  /** True if a fault of this run may have caused the line. */
  readonly when?: (world: World) => boolean
}

const sentOtherAmounts = ({ faults }: World) =>
  ['channel: other-amount', 'callback: other-amount'].some((name) => (faults.byName.get(name) ?? 0) > 0)

const setAClockWrong = ({ faults }: World) => (faults.byName.get('clock jump') ?? 0) > 0

/**
 * The errors that faults explain. The first patterns are errors of a database that was killed, paused, full,
 * disconnected or out of connections.
 */
const explanations: readonly Explanation[] = [
  { pattern: /ECONNREFUSED|ECONNRESET|EPIPE|ENOTCONN|ETIMEDOUT|socket hang up/ },
  {
    pattern: /Connection terminated|connection (was )?(lost|closed|ended)|not queryable|Client was closed/i,
  },
  { pattern: /timeout exceeded when trying to connect|timeout expired|Query read timeout/ },
  { pattern: /"(57P0[1-5]|57014|08\w{3}|53\w{3}|58\w{3}|25P0[34])"/ },
  {
    pattern:
      /database system is (starting up|shutting down|in recovery)|too many clients|remaining connection slots/,
  },
  { pattern: /No space left on device|could not (extend|write)|terminating connection/ },
  { pattern: /could not finish in time; what is open is found at the next start/ },
  { pattern: /Tollgate does not start: .*(database|DATABASE_URL|connect)/i },
  // A sandbox bank refuses every refund of exactly 6.66, even a refund that returns the money of a rejected payment.
  { pattern: /the money of a rejected payment was not returned/ },
  // Operators may charge back another amount than the issuer disputes, or charge back before the issuer.
  {
    pattern:
      /the channel disputes .*, an operator charged back|opened no chargeback|open chargeback|was charged back/,
  },
  // A bank may return more or less than was sent, or report no amount.
  { pattern: /came back/ },
  // On a node whose clock is behind, a recent dispute seems to lie in the future. The node reads the dispute later.
  { pattern: /the dispute .* cannot be read/, when: setAClockWrong },
  { pattern: /(echoed|refunded|returned) another amount or currency/, when: sentOtherAmounts },
]

/** Lines that Node.js itself prints when a program fails, in another format than the log. */
const failures =
  /Uncaught|Unhandled|UnhandledPromiseRejection|MaxListenersExceeded|heap out of memory|FATAL ERROR|^\w*Error\b/

/** The number of bytes of each node's log that were read so far. */
const readIn = new WeakMap<World, Map<string, number>>()

export const logsExplained: Check = {
  name: 'errors in the logs are explained',
  promise: 'Gateways log no error that the faults do not explain, and none ends by itself.',
  async run(world) {
    const read = readIn.get(world) ?? new Map<string, number>()
    readIn.set(world, read)
    const findings: Finding[] = []
    let compared = 0
    for (const node of world.nodes) {
      const { name } = node
      const exits = node.unexpectedExits()
      const lines = newLines(join(world.folder, `${name}.log`), read.get(name) ?? 0)
      read.set(name, lines.readTo)
      compared += lines.list.length + 1
      for (const line of lines.list) {
        const finding = findingOf(world, name, line)
        if (finding !== undefined) findings.push(finding)
      }
      if (exits > 0) findings.push({ what: `${name} ended ${exits} times by itself`, about: name })
    }
    return { compared, findings }
  },
}

function findingOf(world: World, node: string, line: string): Finding | undefined {
  const entry = parse(line)
  const isError = entry === undefined ? failures.test(line) : Number(entry.level) >= ERROR_LEVEL
  const isExplained = explanations.some(({ pattern, when }) => pattern.test(line) && (when?.(world) ?? true))
  if (!isError || isExplained) return undefined
  const about = typeof entry?.tradeNo === 'string' ? entry.tradeNo : node
  return { what: `${node} logged: ${entry?.msg ?? line.slice(0, 200)}`, about, rows: entry ?? line }
}

function parse(line: string): Fields | undefined {
  try {
    const entry: unknown = JSON.parse(line)
    return isObject(entry) ? entry : undefined
  } catch {
    return undefined
  }
}

/** Returns the complete lines after `from`. An incomplete last line is read later. */
function newLines(file: string, from: number): { readonly list: string[]; readonly readTo: number } {
  if (!existsSync(file)) return { list: [], readTo: from }
  const opened = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(fstatSync(opened).size - from)
    readSync(opened, bytes, 0, bytes.length, from)
    const end = bytes.lastIndexOf(10) + 1
    const list = bytes.toString('utf8', 0, end).split('\n')
    return { list: list.filter((line) => line !== ''), readTo: from + end }
  } finally {
    closeSync(opened)
  }
}
