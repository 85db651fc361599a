// The queues of operators, with the number of items in each.
import { type TSchema, Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, pageOf } from '../schemas.ts'

export function ofEachQueue<S extends TSchema>(schema: S) {
  return {
    merchantsToApprove: schema,
    websitesToApprove: schema,
    approvalsToDecide: schema,
    refundsToApprove: schema,
    payoutsToApprove: schema,
    unknownOutcomes: schema,
    reviewsToDecide: schema,
    suspenseToDecide: schema,
    disputesOpen: schema,
    differencesOpen: schema,
    notificationsStuck: schema,
  }
}

export type QueueName = keyof ReturnType<typeof ofEachQueue>

export const queuesApi = {
  /** Lists the merchants with retrying or overdue notifications. The merchant that has waited longest comes first. */
  'GET /queues/deliveries': {
    access: 'approvals.read',
    reply: pageOf(
      Type.Object({
        merNo: Type.Integer(),
        retrying: Type.Integer(),
        overdue: Type.Integer(),
        oldest: Moment,
      }),
    ),
  },
  'GET /queues': { access: 'approvals.read', reply: Type.Object(ofEachQueue(Type.Integer())) },
} as const satisfies Routes
