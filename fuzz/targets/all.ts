// Every target, by name: one file each.
import type { Target } from '../input.ts'
import type { KnownOrders } from '../known-orders.ts'
import type { World } from '../world.ts'
import { openMerchantApi } from './merchant-api.ts'

export type OpenTarget = (world: World, orders: KnownOrders) => Promise<Target>

/** In this order: later ones refer to what earlier ones have made. */
export const targets: readonly OpenTarget[] = [openMerchantApi]
