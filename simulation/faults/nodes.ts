// Faults of the gateway's processes and of their clocks.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../test/harness/random.ts'
import type { Fault } from '../fault.ts'
import type { Node, Role } from '../world/node.ts'
import type { World } from '../world/world.ts'

/** Kills a gateway process with SIGKILL, and starts it again later. */
export const killNode: Fault = {
  name: 'kill a node',
  weight: 4,
  forMs: 2_000,
  async inject(world, random) {
    const node = pickRunning(world, random)
    await node?.kill()
    return () => node?.start()
  },
}

/** Deploys a node anew: the new process starts beside the old process, which then finishes its work and ends. */
export const replaceNode: Fault = {
  name: 'replace a node',
  weight: 1,
  forMs: 1,
  async inject({ nodes }, random) {
    await random.pick(nodes.filter((one) => one.isRunning()))?.replace()
    return () => {}
  },
}

/** Freezes a process for a while. When the process continues, its leases and timeouts may have expired. */
export const freezeNode: Fault = {
  name: 'freeze a node',
  weight: 6,
  forMs: 8_000,
  async inject(world, random) {
    const node = pickRunning(world, random)
    node?.freeze()
    return () => node?.thaw()
  },
}

/** The statements that claim calls which move money out. These statements are picked twice as often as other claims. */
const moneyOut = ['refunds.claim', 'payouts.claim']
const claims = [moneyOut, moneyOut, ['attempts.claim']]
/** A time in which the lease of a claim expires and another process does the work. */
const LONGER_THAN_LEASE_MS = 9_000

/**
 * Freezes a process at the worst moment: after it has claimed work, and before it makes the call. When the process
 * continues, another process has had time to do the work.
 */
export const freezeAfterClaim: Fault = {
  name: 'freeze a node after a claim',
  weight: 6,
  forMs: 14_000,
  async inject(world, random) {
    const node = pickRunning(world, random, 'worker')
    const statements = random.pick(claims) ?? []
    if (node === undefined) return () => {}
    let frozenAt: number | undefined
    const run = () => {
      frozenAt = Date.now()
      node.freeze()
    }
    node.database.afterChange = { statements, run }
    return async () => {
      node.database.afterChange = undefined
      if (frozenAt !== undefined) await sleep(Math.max(frozenAt + LONGER_THAN_LEASE_MS - Date.now(), 0))
      node.thaw()
    }
  },
}

const SECOND_MS = 1_000
// An hour occurs twice, because it is longer than the time that most methods give the payer to pay.
const jumps = [1, 10, 60, 600, 3_600, 3_600].flatMap((seconds) => [seconds * SECOND_MS, -seconds * SECOND_MS])

/** Sets the clock of one node wrong, and right again later. */
export const clockJump: Fault = {
  name: 'clock jump',
  weight: 6,
  forMs: 5_000,
  async inject({ nodes }, random) {
    const node = random.pick(nodes)
    node?.shiftClock(random.pick(jumps) ?? 0)
    return () => node?.shiftClock(0)
  },
}

const LAST_ONE_TOO = 0.1

/**
 * Picks the node for a fault that stops a node. In most cases, another node of the same role keeps running, so that
 * operations meet the fault and not a closed port, even on a slow machine. In a tenth of the cases, the last node of a
 * role may also be picked.
 */
function pickRunning({ nodes }: World, random: Random, role?: Role): Node | undefined {
  const running = nodes.filter((node) => node.isRunning() && (role === undefined || node.role === role))
  if (random.chance(LAST_ONE_TOO)) return random.pick(running)
  return random.pick(running.filter(({ role }) => running.filter((other) => other.role === role).length > 1))
}
