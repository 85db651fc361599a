// The attacking process: its parent sends an attack and a target, and later ends it.
import type { Victim } from './attack.ts'
import { type AttackName, attacks } from './attacks/all.ts'

export type Order = { readonly attack: AttackName; readonly victim: Victim } | 'end'

let end: (() => void) | undefined

process.on('message', async (order: Order) => {
  if (order === 'end') end?.()
  else end = await attacks[order.attack](order.victim)
  process.send?.('done')
})
process.once('disconnect', () => process.exit(0))
