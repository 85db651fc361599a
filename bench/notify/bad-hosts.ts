// Merchants whose servers hang, reset, drip, respond without end or redirect, beside the measured merchants.

import type { Notification } from '../../src/money/notifications/notification.ts'
import { makeId } from '../../src/platform/base/id.ts'
import { programPath, startChild } from '../child.ts'
import { fieldsOf } from './deliverer.ts'

export type BadHosts = { readonly url: string; stop(): Promise<void> }

const ways = ['hang', 'reset', 'drip', 'huge', 'redirect'] as const
/** One notification goes to a bad host for every ten to others, so that merchants of either kind get about as many. */
const SHARE = 10

export const BAD_MERCHANTS = ways.length

export async function openBadHosts(): Promise<BadHosts> {
  const args = [programPath('./notify/bad-hosts-process.ts')]
  const { readiness, stop } = await startChild({ name: 'the bad hosts', args })
  return { url: readiness, stop }
}

/** Returns the notifications to bad hosts that accompany this number of notifications to others. */
export function badNotifications(
  merNos: readonly number[],
  { url }: BadHosts,
  others: number,
): Notification[] {
  const at = new Date()
  return Array.from({ length: Math.ceil(others / SHARE) }, (_, count) => {
    const way = count % ways.length
    const merNo = merNos[way] ?? 0
    const tradeNo = makeId('T', merNo, at)
    const fields = fieldsOf(0, tradeNo)
    return { merNo, tradeNo, event: 'payment', url: `${url}/${ways[way]}`, fields, at, isFirst: true }
  })
}
