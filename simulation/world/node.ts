// A gateway process with its own connection to the database and its own clock.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/harness/gateway-process.ts'
import { type Restartable, restartable } from './restartable.ts'
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export type Role = 'api' | 'worker'

export type Node = Restartable & {
  readonly name: string
  readonly role: Role
  port(): number
  /** The proxy between the node and the database. */
  readonly database: TcpProxy
  /** Sets the difference between the node's clock and the true time. */
  shiftClock(ms: number): void
  /** The periods in which the node's clock was ahead. */
  readonly aheads: readonly Ahead[]
  close(): Promise<void>
}

/** A period in which a clock was ahead, in true time. */
export type Ahead = { readonly byMs: number; readonly from: number; until: number }

export type NodeOptions = {
  readonly name: string
  readonly role: Role
  readonly folder: string
  /** The path of PostgreSQL's Unix domain socket. */
  readonly socket: string
  readonly settings: Readonly<Record<string, string>>
  /** The paths of `src/gateway/main.ts` of one or more versions. The starts of the node use the versions in turn. */
  readonly programs: readonly string[]
  readonly onOutput: (text: string) => void
  /** Called when a response of the database was cut. */
  readonly onCut: () => void
}

const READY_WITHIN_MS = 180_000

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

  /** Sets the clock. Replaces the clock's file as a whole, so that a reader never sees a partial number. */
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
