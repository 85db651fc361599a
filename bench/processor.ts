// The processor time of payments in the gateway, in PostgreSQL and in the counterparties. Processor time depends less
// than a rate on other load of the machine, so it shows small effects of a change sooner. It is read from /proc, so it
// is measured only on Linux.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Db } from '../src/platform/postgres/db.ts'

/** The processor time that was used so far, in microseconds. */
export type Used = {
  readonly gateway: number
  readonly postgres: number
  readonly issuer: number
  readonly receiver: number
}

/** Undefined stands for a counterparty outside of this run. Its processor time counts as 0. */
export type Pids = {
  readonly gateway: readonly number[]
  readonly issuer: number | undefined
  readonly receiver: number | undefined
}

const TICK_US = 10_000

type Process = { readonly parent: number; readonly usedUs: number; readonly endedChildrenUs: number }

export async function processorUsed(db: Db, pids: Pids): Promise<Used | undefined> {
  if (!existsSync('/proc/self/stat')) return undefined
  const [row] = await db.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })
  const postmaster = readProcess(row?.pid ?? 0)?.parent ?? 0
  const gateway = pids.gateway.reduce((sum, pid) => sum + (readProcess(pid)?.usedUs ?? 0), 0)
  const one = (pid: number | undefined) => (pid === undefined ? 0 : (readProcess(pid)?.usedUs ?? 0))
  return { gateway, postgres: serverUsed(postmaster), issuer: one(pids.issuer), receiver: one(pids.receiver) }
}

function serverUsed(postmaster: number): number {
  const own = readProcess(postmaster)
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((one) => one?.parent === postmaster)
  return children.reduce(
    (sum, one) => sum + (one?.usedUs ?? 0),
    (own?.usedUs ?? 0) + (own?.endedChildrenUs ?? 0),
  )
}

/**
 * Returns undefined for a process that has just ended. The process's name may contain blanks, so fields are counted
 * from the end of the name.
 */
function readProcess(pid: number): Process | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15)
    const us = (ticks: number) => ticks * TICK_US
    return {
      parent: fields[1] ?? 0,
      usedUs: us(user + system),
      endedChildrenUs: us(childrenUser + childrenSystem),
    }
  } catch {
    return undefined
  }
}
