// The run's interface to the attacking process.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { programPath } from '../child.ts'
import type { Order } from './attacker.ts'

export type AttackerProcess = {
  /** Runs `during` while the attack runs. */
  attack<Result>(order: Exclude<Order, 'end'>, during: () => Promise<Result>): Promise<Result>
  stop(): void
}

export function startAttacker(): AttackerProcess {
  const child = fork(programPath('./hostile/attacker.ts'))
  process.once('exit', () => child.kill('SIGKILL'))
  const say = async (order: Order) => {
    const done = once(child, 'message')
    child.send(order)
    await done
  }
  return {
    async attack(order, during) {
      await say(order)
      try {
        return await during()
      } finally {
        await say('end')
      }
    },
    stop: () => child.disconnect(),
  }
}
