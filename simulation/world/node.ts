// A gateway process with a connection to the database and a clock of its own.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/gateway-process.ts'
import { type Restartable, restartable } from './restartable.ts'
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export type Role = 'api' | 'worker'

export type Node = Restartable & {
  readonly name: string
  readonly role: Role
  port(): number
  /** Its way to the database. */
  readonly database: TcpProxy
  /** Moves its clock away from the true time. */
  shiftClock(ms: number): void
  /** When its clock was ahead. */
  readonly aheads: readonly Ahead[]
  close(): Promise<void>
}

/** A time in which a clock was ahead, by the true time. */
export type Ahead = { readonly byMs: number; readonly from: number; until: number }

export type NodeOptions = {
  readonly name: string
  readonly role: Role
  readonly folder: string
  /** PostgreSQL's socket. */
  readonly socket: string
  readonly settings: Readonly<Record<string, string>>
  /** The `src/main.ts` of the versions that take turns from start to start. */
  readonly programs: readonly string[]
  readonly onOutput: (text: string) => void
  /** An answer of the database was cut. */
  readonly onCut: () => void
}

const READY_WITHIN_MS = 60_000

export async function openNode(options: NodeOptions): Promise<Node> {
  const { name, role, folder, socket, settings, programs, onOutput, onCut } = options
  const database = await openTcpProxy({ target: () => ({ path: socket }), onCut })
  const clockFile = join(folder, `${name}.clock`)
  const aheads: Ahead[] = []
  let shift = 0
  let starts = 0
  let port = 0

  const node = restartable(async () => {
    port = await freePort()
    return {
      name,
      args: [programs[starts++ % programs.length] ?? ''],
      env: {
        ...settings,
        PORT: String(port),
        TOLLGATE_ROLE: role,
        TOLLGATE_CLOCK_FILE: clockFile,
        DATABASE_URL: `postgresql://tollgate@127.0.0.1:${database.port}/tollgate`,
      },
      readyWithinMs: READY_WITHIN_MS,
      onOutput,
    }
  })

  /** Replaced as a whole: a reader never sees half a number. */
  function shiftClock(ms: number): void {
    const now = Date.now()
    const last = aheads.at(-1)
    if (shift > 0 && last !== undefined) last.until = now
    if (ms > 0) aheads.push({ byMs: ms, from: now, until: Number.POSITIVE_INFINITY })
    shift = ms
    writeFileSync(`${clockFile}.new`, String(ms))
    renameSync(`${clockFile}.new`, clockFile)
  }

  shiftClock(0)
  return {
    ...node,
    name,
    role,
    port: () => port,
    database,
    shiftClock,
    aheads,
    async close() {
      await node.kill()
      await database.close()
    },
  }
}
