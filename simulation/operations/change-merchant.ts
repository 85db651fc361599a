// An operator's changes to a running system: keys, fees, rates.
import { isObject } from '../../src/platform/base/object.ts'
import type { Actor, Operation } from '../operation.ts'
import type { KeyRing } from '../witness.ts'
import { command } from './command.ts'

/**
 * The minimum time between two rotations. A rotation ends the oldest key, so all requests with its signature must have
 * been answered before.
 */
const ROTATE_EVERY_MS = 40_000

const rotatedAt = new WeakMap<Actor['shop'], number>()

export const rotateKey: Operation = {
  name: 'rotate a key',
  weight: 1,
  async run(actor) {
    const { shop, world } = actor
    if (Date.now() - (rotatedAt.get(shop) ?? 0) < ROTATE_EVERY_MS) return
    rotatedAt.set(shop, Date.now())
    const ring: KeyRing = world.witness.keyRings.get(shop.merNo) ?? { keys: [shop.key], isComplete: true }
    world.witness.keyRings.set(shop.merNo, ring)
    const rotated = await command(
      actor,
      this.name,
      `merchant ${shop.merNo}`,
      ...['merchant', 'rotate-key', String(shop.merNo), '--end-old-key'],
    )
    if (rotated.kind === 'lost') ring.isComplete = false
    if (rotated.kind !== 'done' || !isObject(rotated.json)) return
    const key = String(rotated.json.key)
    ring.keys.push(key)
    // Some merchants adopt the new key late. The old key is still valid.
    if (actor.random.chance(0.5)) await new Promise((resolve) => setTimeout(resolve, 2_000))
    shop.key = key
  },
}

export const changeFees: Operation = {
  name: 'change fees',
  weight: 1,
  async run(actor) {
    const { shop, random } = actor
    const merNo = String(shop.merNo)
    const fees = ['--fee-bps', String(random.below(500)), '--fee-fixed', `0.${10 + random.below(80)}`]
    await command(actor, this.name, `merchant ${merNo}`, 'merchant', 'set', merNo, ...fees)
  },
}

export const setRate: Operation = {
  name: 'set a rate',
  weight: 1,
  async run(actor) {
    const { random } = actor
    const rate = `0.${80 + random.below(20)}`
    await command(actor, this.name, 'rates', 'fx', 'set', '--from', 'USD', '--to', 'EUR', '--rate', rate)
  },
}
