// The attacking process: its parent sends an attack and a target, and later ends it.
import type { Victim } from './attack.ts'
import { attacks } from './attacks.ts'

export type Order = { readonly attack: string; readonly victim: Victim } | 'end'

let end: (() => void) | undefined

process.on('message', async (order: Order) => {
  if (order === 'end') end?.()
  else end = await attacks[order.attack]?.(order.victim)
  process.send?.('done')
})
process.once('disconnect', () => process.exit(0))
