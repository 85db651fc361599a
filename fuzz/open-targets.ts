// Opens all targets, returns those whose name contains the wanted text, and closes the others.
import type { Random } from '../test/harness/random.ts'
import type { Target } from './input.ts'
import { openKnownOrders } from './known-orders.ts'
import { prepareReviews } from './prepare-orders.ts'
import { targets } from './targets/all.ts'
import type { World } from './world.ts'

export async function openTargets(world: World, random: Random, wanted = ''): Promise<Target[]> {
  const orders = openKnownOrders(world.account, 'https://shop.example/notify', random)
  await prepareReviews(world, orders)
  const opened: Target[] = []
  for (const open of targets) opened.push(await open(world, orders))
  const found = opened.filter(({ name }) => name.includes(wanted))
  for (const target of opened) if (!found.includes(target)) await target.close?.()
  if (found.length === 0)
    throw new Error(`--target must be part of one of ${opened.map(({ name }) => name).join(', ')}`)
  return found
}
