// A gateway process with a connection to the database and a clock of its own. The simulation kills, stops and starts it.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Child, startChild } from '../../bench/child.ts'
import { freePort } from '../../test/gateway-process.ts'
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts'

export type Role = 'api' | 'worker'

export type Node = {
  readonly name: string
  readonly role: Role
  readonly port: number
  /** Its way to the database. */
  readonly database: TcpProxy
  /** Processes that were started so far. */
  readonly starts: number
  /** How often its process ended and nobody had asked for that. */
  readonly unexpectedExits: number
  pid(): number | undefined
  isRunning(): boolean
  /** Resolves once it serves; does nothing if it runs. */
  start(): Promise<void>
  /** kill -9 */
  kill(): Promise<void>
  /** Lets it finish what is under way. */
  stop(): Promise<void>
  /** Starts a process of the other version beside the running one, then stops that. */
  replace(): Promise<void>
  /** Moves its clock away from the true time. */
  shiftClock(ms: number): void
  close(): Promise<void>
}

export type NodeOptions = {
  readonly name: string
  readonly role: Role
  readonly folder: string
  readonly socket: string
  readonly settings: Readonly<Record<string, string>>
  /** The `src/main.ts` of the versions that take turns. */
  readonly programs: readonly string[]
  readonly onOutput: (text: string) => void
}

const READY_WITHIN_MS = 60_000

export async function openNode(options: NodeOptions): Promise<Node> {
  const { name, role, folder, socket, settings, programs, onOutput } = options
  const database = await openTcpProxy(() => ({ path: socket }))
  const clockFile = join(folder, `${name}.clock`)
  let version = 0
  let port = await freePort()
  let running: Child | undefined
  let starting: Promise<void> | undefined
  let starts = 0
  let unexpectedExits = 0

  async function startOnce(): Promise<void> {
    running ??= await launch(port)
  }

  async function launch(atPort: number): Promise<Child> {
    const child = await startChild({
      name,
      args: [programs[version % programs.length] ?? ''],
      env: {
        ...settings,
        PORT: String(atPort),
        TOLLGATE_ROLE: role,
        TOLLGATE_CLOCK_FILE: clockFile,
        DATABASE_URL: `postgresql://tollgate@127.0.0.1:${database.port}/tollgate`,
      },
      readyWithinMs: READY_WITHIN_MS,
      onOutput,
    })
    starts += 1
    child.ended.then(() => {
      if (running !== child) return
      running = undefined
      unexpectedExits += 1
    })
    return child
  }

  const node: Node = {
    name,
    role,
    get port() {
      return port
    },
    database,
    get starts() {
      return starts
    },
    get unexpectedExits() {
      return unexpectedExits
    },
    pid: () => running?.pid,
    isRunning: () => running !== undefined,
    start() {
      // Several faults may heal at the same time.
      starting ??= startOnce().finally(() => {
        starting = undefined
      })
      return starting
    },
    async kill() {
      const killed = running
      running = undefined
      killed?.signal('SIGKILL')
      await killed?.ended
    },
    async stop() {
      const stopped = running
      running = undefined
      await stopped?.stop()
    },
    async replace() {
      const old = running
      version += 1
      const newPort = await freePort()
      running = await launch(newPort)
      port = newPort
      await old?.stop()
    },
    shiftClock(ms) {
      writeFileSync(`${clockFile}.new`, String(Math.round(ms)))
      renameSync(`${clockFile}.new`, clockFile)
    },
    async close() {
      await node.kill()
      await database.close()
    },
  }
  node.shiftClock(0)
  return node
}
