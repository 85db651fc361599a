// A program that the simulation kills and starts again.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, type Program, startChild } from '../../bench/child.ts'

export type Restartable = {
  /** The number of processes that were started so far. */
  starts(): number
  /** The number of times that the process ended by itself. */
  unexpectedExits(): number
  pid(): number | undefined
  isRunning(): boolean
  /** Starts the program unless it runs, and resolves once it is ready. */
  start(): Promise<void>
  /** Ends the process by SIGKILL. */
  kill(): Promise<void>
  /** Ends the process by SIGTERM, so that it finishes its current work. */
  stop(): Promise<void>
  /** Suspends the process with SIGSTOP. */
  freeze(): void
  thaw(): void
  /** Starts another process of the program, and then stops the old process. */
  replace(): Promise<void>
}

const PATIENCE_MS = 60_000
const AGAIN_AFTER_MS = 200

/** Calls `program` before every start to get the options of that start. */
export function restartable(program: () => Promise<Program>): Restartable {
  let running: Child | undefined
  let turn: Promise<void> = Promise.resolve()
  let frozen = false
  let starts = 0
  let unexpectedExits = 0

  /** Repeats a start that fails because of another fault, as a supervisor does. */
  async function launch(): Promise<void> {
    const child = await repeat(async () => startChild(await program()))
    starts += 1
    running = child
    child.ended.then(() => {
      if (running !== child) return
      running = undefined
      unexpectedExits += 1
    })
  }

  /** Runs start, kill, stop and replace one after the other, because faults may call them concurrently. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }

  function takeRunning(): Child | undefined {
    const taken = running
    running = undefined
    taken?.signal('SIGCONT')
    frozen = false
    return taken
  }

  return {
    starts: () => starts,
    unexpectedExits: () => unexpectedExits,
    pid: () => running?.pid,
    isRunning: () => running !== undefined && !frozen,
    start: () =>
      inTurn(async () => {
        if (running === undefined) await launch()
      }),
    kill: () =>
      inTurn(async () => {
        const killed = takeRunning()
        killed?.signal('SIGKILL')
        await killed?.ended
      }),
    stop: () => inTurn(async () => takeRunning()?.stop()),
    freeze() {
      frozen = running !== undefined
      running?.signal('SIGSTOP')
    },
    thaw() {
      frozen = false
      running?.signal('SIGCONT')
    },
    replace: () =>
      inTurn(async () => {
        const old = running
        await launch()
        old?.signal('SIGCONT')
        await old?.stop()
      }),
  }
}

async function repeat<Value>(make: () => Promise<Value>): Promise<Value> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      return await make()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(AGAIN_AFTER_MS)
    }
  }
}
