// Merchants whose servers hang, reset, drip, answer without end or redirect, beside those that are measured.
import { makeId } from '../../src/base/id.ts'
import type { Notification } from '../../src/notifications/notification.ts'
import { programPath, startChild } from '../child.ts'
import { fieldsOf } from './deliverer.ts'

export type BadHosts = { readonly url: string; stop(): Promise<void> }

const ways = ['hang', 'reset', 'drip', 'huge', 'redirect'] as const
/** Of each merchant; far more than it gets places at once. */
const EACH = 400

export const BAD_MERCHANTS = ways.length

export async function openBadHosts(): Promise<BadHosts> {
  const args = [programPath('./notify/bad-hosts-process.ts')]
  const { readiness, stop } = await startChild({ name: 'the bad hosts', args })
  return { url: readiness, stop }
}

/** As many for each of these merchants, all due at once. */
export function badNews(merNos: readonly number[], { url }: BadHosts): Notification[] {
  const at = new Date()
  return merNos.flatMap((merNo, way) =>
    Array.from({ length: EACH }, () => {
      const tradeNo = makeId('T', merNo, at)
      const fields = fieldsOf(0, tradeNo)
      return { merNo, tradeNo, event: 'payment', url: `${url}/${ways[way]}`, fields, at, isFirst: true }
    }),
  )
}
