// Recognises errors of a bridge by their status and name.
import { isObject } from '../../../platform/base/object.ts'
import type { Reply } from '../../toolkit/transport.ts'

export function isRefusal(reply: Reply, status: number, error: string): boolean {
  return (
    reply.kind === 'answer' && reply.status === status && isObject(reply.body) && reply.body.error === error
  )
}

/** True if the bridge does not know the payment or payout. */
export function isAbsent(reply: Reply): boolean {
  return isRefusal(reply, 404, 'not_found')
}
